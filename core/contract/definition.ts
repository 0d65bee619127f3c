import type { ResourceRef } from "../base/index.js";
import type { Forecast, PlanContext } from "./defined-type.js";
import type { Input, StandardSchema } from "./inputs.js";
import type { ResourceOptions } from "./options.js";
import type { PendingResource } from "./pending.js";
import type { Scope } from "./scope.js";

/** The context of a handler, in every phase. */
export interface HandlerBase {
  readonly id: string;
  readonly fqn: string;
  /** Random id, made when the resource is first declared. A replacement gets a new one. */
  readonly uid: string;
  readonly stage: string;
  /** The scope that the resource was declared in. */
  readonly scope: Scope;
  /** Changed paths as JSON Pointers, e.g. `/tags/team`; empty on create and delete. */
  readonly changes: readonly string[];
  /**
   * Name chosen before the intent was recorded, and kept. A replacement's name differs from the name of the copy it
   * replaces.
   */
  readonly physicalName: string;
  /** Idempotency token: the same for every attempt at the same props. */
  readonly token: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** True if an earlier attempt at this intent may have taken effect. */
  readonly recovering: boolean;
  /** False for a `read` that inspects a record, regardless of whether the program declares the resource. */
  readonly isDeclared: boolean;
  /** True while an old copy waits to be deleted after this one has replaced it. */
  readonly isReplacement: boolean;
  readonly local: boolean;
  readonly watch: boolean;
  readonly tunnel: boolean;
  readonly adopt: boolean;
  readonly force: boolean;
  readonly quiet: boolean;
  readonly profile: string | undefined;
  /** Signal that is aborted when the run is interrupted or fenced. */
  readonly signal: AbortSignal;
  /** Resolves with a value of this resource's data, which is recorded with the state. */
  get<T>(key: string): Promise<T | undefined>;
  /** Stores a value in this resource's data. */
  set<T>(key: string, value: T): Promise<void>;
  /** Deletes a value from this resource's data. */
  delete(key: string): Promise<void>;
  /**
   * Ends the handler and makes the engine replace the resource. `true` deletes the old copy first. Only in an update.
   *
   * @param forcedBy JSON Pointers of the props that require it, for the error of an adoption, which never replaces
   */
  replace(force?: boolean, forcedBy?: readonly string[]): never;
  /**
   * Returns the given output and marks the resource as unchanged, so that the summary counts it so. Only in an update.
   */
  unchanged<Output>(output: Output): Output;
  /**
   * Ends the handler and reports the resource as deleted. Only in a delete. Its children were deleted before; `true`
   * removes any that are still recorded from the state.
   */
  destroy(retainChildren?: boolean): never;
  /** Registers a function that runs when the process ends or the run is finalized. */
  onCleanup(fn: () => unknown): void;
  /** Prints one line for people, with the console plugin. */
  log(message: string): void;
  /** Returns the text without the secrets that this process knows, for a handler that stores or writes text itself. */
  redact(text: string): string;
}

interface WhenCreating<Props> extends HandlerBase {
  readonly phase: "create";
  readonly props: Props | undefined;
  readonly output: undefined;
}

interface WhenUpdating<Output, Props> extends HandlerBase {
  readonly phase: "update";
  readonly props: Props;
  readonly output: Output;
}

/** `this` of a handler in the short form; `props` and `output` are the previous ones. */
export type Context<Output, Props = unknown> =
  | WhenCreating<Props>
  | WhenUpdating<Output, Props>
  | DeleteContext<Output, Props>;

/**
 * A resource type as one function, for every `this.phase`. Use a `function`, because an arrow function has no `this`.
 * In the phase `delete` it ends with `return this.destroy()`.
 */
export type Handler<Output, Props, This = Context<Output, Props>> = (
  this: This,
  id: string,
  props: Props,
) => Promise<Output> | Output;

/** Context of a `create` handler. */
export interface CreateContext<Props> extends HandlerBase {
  readonly phase: "create";
  readonly props: Props;
}

/** Context of an `update` handler. */
export interface UpdateContext<Output, Props> extends HandlerBase {
  readonly phase: "update";
  readonly props: Props;
  /** Props of the last success. */
  readonly previous: Props;
  readonly output: Output;
}

/** Context of a `delete` handler. */
export interface DeleteContext<Output, Props> extends HandlerBase {
  readonly phase: "delete";
  /** Props of the last success. */
  readonly props: Props;
  readonly output: Output;
}

/** Context of a `read` handler. */
export interface ReadContext<Output, Props> extends HandlerBase {
  readonly phase: "read";
  readonly props: Props;
  /** Props of the last success, or the props of a create that was interrupted. */
  readonly previous: Props;
  /**
   * Recorded output; `undefined` if a create was interrupted. It is of another kind if the record is: see `movesFrom`.
   */
  readonly output: Output | undefined;
  /** Kind of the record. */
  readonly recordedKind: string;
  /** In a plan: the dependencies of this resource that would be created, updated or replaced. */
  readonly changing: readonly ResourceRef[];
}

/** Handlers of a resource type, one for each phase. */
export interface Handlers<Output, Props> {
  /** Creates the resource. Throw `EngineError` `NOT_CREATED` if this attempt is known to have made nothing. */
  create(context: CreateContext<Props>): Promise<Output> | Output;
  /**
   * Returns the output of the real resource, or `undefined` if it does not exist. While `recovering`, it also returns
   * `undefined` for a resource that another token made; if it cannot tell, it throws `EngineError` `UNRESOLVED`. For
   * types that know their resources only by name, see `recognizesOwn`.
   */
  read?(context: ReadContext<Output, Props>): Promise<Output | undefined> | Output | undefined;
  /** Updates the resource. Without this handler, a change replaces the resource. */
  update?(context: UpdateContext<Output, Props>): Promise<Output> | Output;
  /** Deletes the resource. Without this handler, only the record is deleted. It may be called twice. */
  delete?(context: DeleteContext<Output, Props>): Promise<void> | void;
}

/** A prop, or a path into one. */
type NestedPath<Props> =
  | (keyof Props & string)
  | `${keyof Props & string}.${string}`
  | `${keyof Props & string}[${string}`
  | `/${string}`;

/** Context of `outputs`. */
export interface OutputsContext<Output, Props> {
  readonly props: Props;
  /**
   * Output that `update` gets: the recorded one, or the one that `read` found. Undefined for a create and a replace.
   */
  readonly output: Output | undefined;
  /** Name that the handler gets. In a plan, the name of a new copy may be an unknown value. */
  readonly physicalName: string;
}

/** Handlers of the long form that a type may have again for local scopes. */
export interface LocalHandlers<Output, Props> extends Handlers<Output, Props> {
  /**
   * Predicts the members of the output that are known before the handler runs. Must be pure. For an update, start from
   * the recorded output, e.g. `({ props, output }) => ({ ...output, size: props.size })`. An absent member is unknown
   * in a plan, so dependents that use it may look replaced.
   */
  outputs?(context: OutputsContext<Output, Props>): Partial<Output>;
  /**
   * Predicts a create or an update, instead of `outputs` and `replaces`. It is called by a plan, and by a run that
   * applies a saved plan. It may send requests, but must not change anything. An error that it throws becomes an error
   * of the plan, with the lines of `this.log()`.
   */
  plan?(context: PlanContext<Output, Props>): Promise<Forecast<Output>> | Forecast<Output>;
  /**
   * Returns true if `update` will call `this.replace()`, and `"delete-first"` if it will call `this.replace(true)`, for
   * plans. Must be pure.
   */
  replaces?(context: { readonly props: Props; readonly output: Output }): boolean | "delete-first";
  /**
   * Describes the delete in words that follow the name of a resource in a plan, e.g. ``runs ${props.delete}``. Must be
   * pure. For types whose delete does more than remove the resource; undefined if it does not.
   */
  describeDelete?(context: { readonly props: Props; readonly output: Output }): string | undefined;
}

/**
 * A resource type in the long form, which the engine can plan, adopt, refresh and recover. A program passes `In`, and
 * `schema` converts it to `Props`.
 */
export interface HandlersDefinition<Output, Props, In = Props> extends LocalHandlers<Output, Props> {
  /** Any Standard Schema. It validates the props and fills in defaults. */
  readonly schema?: StandardSchema<In, Props>;
  /**
   * Props whose change replaces the resource: names, paths such as `network.zone` and `disks.*.type`, or JSON Pointers
   * such as `/labels/a.b`.
   */
  readonly replaceOn?: readonly NestedPath<Props>[];
  /**
   * True if the output holds secrets (`new Secret`, `engine.secret()`), or a function of the props that says so.
   * Without a password, such a resource fails with `PASSWORD_REQUIRED` before its handler runs. Default: false.
   */
  readonly givesSecrets?: boolean | ((context: { readonly props: Props }) => boolean);
  /**
   * Returns true for kinds whose resources `read` can take over, if an alias leads to one. If `read` returns nothing
   * for one, it is replaced. Must be pure.
   */
  movesFrom?(kind: string): boolean;
  /**
   * True if another call of `create` with the same token does no harm. This settles interrupted creates. A `create`
   * that made nothing reports this with `throw new EngineError("NOT_CREATED", …)`; if every attempt did, the next one
   * gets another token.
   */
  readonly idempotent?: boolean;
  /**
   * True if `read`, while `recovering`, returns only a resource that the interrupted create made. It must recognise the
   * resource by its token, a tag or another mark, never only by its name. If false, the engine also calls `read` before
   * each first create: a resource that exists then belongs to something else. Needs `read`; also holds for `local`.
   * Default: false.
   */
  readonly recognizesOwn?: boolean;
  /**
   * True if passing on a member of the output records a reference. It applies to members that the program reads and
   * passes in the props of another resource: an object, and a text or a number of three characters or more. The program
   * gets an output whose members are accessors. Default: false.
   */
  readonly refersByMember?: boolean;
  /**
   * True if a destroy runs the whole program before it deletes anything, because deletes need values of the program,
   * such as credentials. Default: false: a destroy from a command line runs the program only as far as `engine()`.
   */
  readonly destroysAfterProgram?: boolean;
  /**
   * True if every up reads the real resource before it leaves it unchanged, and repairs changes made outside the
   * engine. Needs `read`; costs one `read` per run.
   */
  readonly verify?: boolean;
  /**
   * Milliseconds after a create in which the service may not show the new resource yet. During this time, `read` is
   * called again if it returns `undefined`. In a later run, the time starts when `read` first returns `undefined`.
   * Needs `read`. Default: 0.
   */
  readonly readLag?: number;
  /**
   * Handlers for scopes with the option `local`, which then uses none of the others: a member that is absent here is
   * absent there. The record remembers which handlers made a copy; they read, update and delete it. If the option has
   * changed since, the resource is replaced.
   */
  readonly local?: LocalHandlers<NoInfer<Output>, NoInfer<Props>>;
}

type Arguments<Props> = {} extends Props
  ? [id: string, props?: Input<Props>, options?: ResourceOptions]
  : [id: string, props: Input<Props>, options?: ResourceOptions];

/** A resource type. Calling it declares a resource in the current scope. */
export interface ResourceType<Output, Props> {
  (...args: Arguments<Props>): PendingResource<Output>;
  readonly kind: string;
}
