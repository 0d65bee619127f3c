import type { ResourceRef } from "../base/index.js";
import type { Forecast, PlanContext } from "./defined-type.js";
import type { Input, StandardSchema } from "./inputs.js";
import type { ResourceOptions } from "./options.js";
import type { PendingResource } from "./pending.js";
import type { Scope } from "./scope.js";

/** What a handler sees, in every phase. */
export interface HandlerBase {
  readonly id: string;
  readonly fqn: string;
  /** Random; made when the resource is first declared, a new one for a replacement. */
  readonly uid: string;
  readonly stage: string;
  /** The scope that the resource was declared in. */
  readonly scope: Scope;
  /** Changed paths as JSON Pointers, e.g. `/tags/team`; empty on create and delete. */
  readonly changes: readonly string[];
  /** Chosen before the intent was recorded, and kept. A replacement's differs from that of the copy it replaces. */
  readonly physicalName: string;
  /** Idempotency token: the same for every attempt at the same props. */
  readonly token: string;
  /** From 1. */
  readonly attempt: number;
  /** True when an earlier attempt at this may have taken effect. */
  readonly recovering: boolean;
  /** False for a `read` that looks at what is recorded, whether or not the program declares it. */
  readonly isDeclared: boolean;
  /** True while an old copy waits to be deleted in favour of this one. */
  readonly isReplacement: boolean;
  readonly local: boolean;
  readonly watch: boolean;
  readonly tunnel: boolean;
  readonly adopt: boolean;
  readonly force: boolean;
  readonly quiet: boolean;
  readonly profile: string | undefined;
  /** Aborted when the run is interrupted or fenced. */
  readonly signal: AbortSignal;
  /** Data of this resource, journaled with the state. */
  get<T>(key: string): Promise<T | undefined>;
  set<T>(key: string, value: T): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Ends the handler; the engine replaces the resource. `true` deletes the old one first. Only in an update.
   *
   * @param forcedBy JSON Pointers of the props that ask for it, for the error of an adoption, which replaces nothing
   */
  replace(force?: boolean, forcedBy?: readonly string[]): never;
  /** Gives back what the handler is to return, and says that nothing was changed: so it is counted. Only in an update. */
  unchanged<Output>(output: Output): Output;
  /**
   * Ends the handler; the resource is gone. Only in a delete. Its children were deleted before; `true` forgets any
   * that are still recorded.
   */
  destroy(retainChildren?: boolean): never;
  /** Runs when the process ends or the run is finalized. */
  onCleanup(fn: () => unknown): void;
  /** One line for people; shown by the console plugin. */
  log(message: string): void;
  /** A text without the secrets that this process knows, for what a handler keeps or writes by itself. */
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

/** `this` of a handler in the function form; `props` and `output` are the previous ones. */
export type Context<Output, Props = unknown> =
  | WhenCreating<Props>
  | WhenUpdating<Output, Props>
  | DeleteContext<Output, Props>;

/**
 * A resource type as one function, told by `this.phase` what to do: a `function`, for an arrow function has no `this` to be
 * told by. In the phase `delete` it ends with `return this.destroy()`.
 */
export type Handler<Output, Props, This = Context<Output, Props>> = (
  this: This,
  id: string,
  props: Props,
) => Promise<Output> | Output;

/** What a `create` handler sees. */
export interface CreateContext<Props> extends HandlerBase {
  readonly phase: "create";
  readonly props: Props;
}

/** What an `update` handler sees. */
export interface UpdateContext<Output, Props> extends HandlerBase {
  readonly phase: "update";
  readonly props: Props;
  /** Props of the last success. */
  readonly previous: Props;
  readonly output: Output;
}

/** What a `delete` handler sees. */
export interface DeleteContext<Output, Props> extends HandlerBase {
  readonly phase: "delete";
  /** Props of the last success. */
  readonly props: Props;
  readonly output: Output;
}

/** What a `read` handler sees. */
export interface ReadContext<Output, Props> extends HandlerBase {
  readonly phase: "read";
  readonly props: Props;
  /** Props of the last success; where a create was interrupted, those that it was given. */
  readonly previous: Props;
  /** The recorded output; `undefined` where a create was interrupted. Of another kind, where that is recorded: see `movesFrom`. */
  readonly output: Output | undefined;
  /** Under which kind it is recorded. */
  readonly recordedKind: string;
  /** In a plan: what this one depends on that would be created, updated or replaced. */
  readonly changing: readonly ResourceRef[];
}

/** The handlers of a resource type, one a phase. */
export interface Handlers<Output, Props> {
  /** Throws `EngineError` `NOT_CREATED` if this attempt is known to have made nothing. */
  create(context: CreateContext<Props>): Promise<Output> | Output;
  /**
   * What is really there, or `undefined`. While `recovering`, `undefined` also for what another token made; if it cannot tell, it
   * throws `EngineError` `UNRESOLVED`. See `recognizesOwn` for types that know their resources by name alone.
   */
  read?(context: ReadContext<Output, Props>): Promise<Output | undefined> | Output | undefined;
  /** Without it a change replaces the resource. */
  update?(context: UpdateContext<Output, Props>): Promise<Output> | Output;
  /** Without it the record is dropped and nothing else is done. Must bear being called twice. */
  delete?(context: DeleteContext<Output, Props>): Promise<void> | void;
}

/** A prop, or a path into one. */
type NestedPath<Props> =
  | (keyof Props & string)
  | `${keyof Props & string}.${string}`
  | `${keyof Props & string}[${string}`
  | `/${string}`;

/** What `outputs` sees. */
export interface OutputsContext<Output, Props> {
  readonly props: Props;
  /** The output that `update` gets: the recorded one, or the one that `read` found. Undefined for a create and a replace. */
  readonly output: Output | undefined;
  /** The name that the handler gets. In a plan a new copy's may be an unknown value. */
  readonly physicalName: string;
}

/** What of the long form is a type's own again where it is simulated. */
export interface LocalHandlers<Output, Props> extends Handlers<Output, Props> {
  /**
   * Pure: the members of the output that are known before the handler runs. Of an update, start from the recorded output, e.g.
   * `({ props, output }) => ({ ...output, size: props.size })`. A member that is absent is unknown in a plan, and each dependent that uses
   * it may look replaced.
   */
  outputs?(context: OutputsContext<Output, Props>): Partial<Output>;
  /**
   * Asked by a plan in place of `outputs` and `replaces`, about what would be created or updated; and by a run that keeps to a saved plan. It may ask others, and changes
   * nothing. What it throws is an error of the plan; `this.log()` is shown beside it.
   */
  plan?(context: PlanContext<Output, Props>): Promise<Forecast<Output>> | Forecast<Output>;
  /** Pure: true where `update` will call `this.replace()`, `"delete-first"` where it will call `this.replace(true)`, so that a plan can say so. */
  replaces?(context: { readonly props: Props; readonly output: Output }): boolean | "delete-first";
  /**
   * Pure: what `delete` will do with what is recorded, in words that follow the name of a resource in a plan, e.g. ``runs ${props.delete}``.
   * For types whose delete is more than to take away what they have made. Undefined: no more than that.
   */
  describeDelete?(context: { readonly props: Props; readonly output: Output }): string | undefined;
}

/**
 * A resource type in the long form: what the engine can see it can plan, adopt, refresh and recover. `In` is what a program
 * passes, and a `schema` makes `Props` of.
 */
export interface HandlersDefinition<Output, Props, In = Props> extends LocalHandlers<Output, Props> {
  /** Any Standard Schema: validates the props and fills in defaults. */
  readonly schema?: StandardSchema<In, Props>;
  /**
   * Props whose change replaces the resource: names, paths such as `network.zone` and `disks.*.type`, or JSON Pointers such
   * as `/labels/a.b`.
   */
  readonly replaceOn?: readonly NestedPath<Props>[];
  /**
   * True where the output has secrets (`new Secret`, `engine.secret()`), or says so by the props: without a password nothing is
   * made then, and the resource fails with `PASSWORD_REQUIRED` before its handler runs. Default: false.
   */
  readonly givesSecrets?: boolean | ((context: { readonly props: Props }) => boolean);
  /** Pure: true for kinds whose things `read` takes over, where an alias leads to one; what it gives nothing for is replaced. */
  movesFrom?(kind: string): boolean;
  /**
   * True when running `create` again with the same token does no harm; settles interrupted creates. A `create` that made nothing says
   * so with `throw new EngineError("NOT_CREATED", …)`: if each attempt did, the next one gets another token.
   */
  readonly idempotent?: boolean;
  /**
   * True: while `recovering`, `read` gives only what the interrupted create itself has made, which it knows by its token, a tag or
   * another mark, and never by name alone. Without it the engine asks `read` before each first create as well: what is there then is
   * not this resource's. Needs `read`; holds for `local`, too. Default: false.
   */
  readonly recognizesOwn?: boolean;
  /**
   * True: a member of the output that the program reads, and then passes on in the props of another resource, is recorded as a reference:
   * an object, and a text or a number of three characters or more. The program gets an output whose members are accessors. Default: false.
   */
  readonly refersByMember?: boolean;
  /**
   * True: a destroy runs the program to its end before it deletes anything, because deletes need what the program says, such as
   * credentials. Default: false, so that a destroy from a command line runs the program only as far as `engine()`.
   */
  readonly destroysAfterProgram?: boolean;
  /**
   * True: every up reads the thing before it is skipped, and mends what was changed behind the engine's back. Needs
   * `read`; costs one `read` a run.
   */
  readonly verify?: boolean;
  /**
   * Milliseconds after a create in which the service may not show yet what was created. Within them `read` is called again if
   * it gives `undefined`. In a later run they begin when `read` first gives `undefined`. Needs `read`. Default: 0.
   */
  readonly readLag?: number;
  /**
   * Where the scope's option `local` is true, these are used, and none of the others: a member that is absent here is
   * absent there. The record remembers which ones made a copy; they read, update and delete it. Where the option has
   * changed since, the resource is replaced.
   */
  readonly local?: LocalHandlers<NoInfer<Output>, NoInfer<Props>>;
}

type Arguments<Props> = {} extends Props
  ? [id: string, props?: Input<Props>, options?: ResourceOptions]
  : [id: string, props: Input<Props>, options?: ResourceOptions];

/** A resource type: calling it declares a resource in the current scope. */
export interface ResourceType<Output, Props> {
  (...args: Arguments<Props>): PendingResource<Output>;
  readonly kind: string;
}
