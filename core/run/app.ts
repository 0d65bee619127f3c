/** What the steps of the lifecycle hand to each other. */
import type { EngineError, Limiter, Preflight, ResourceRef, SignalName } from "../base/index.js";
import {
  type Definition,
  type DeletionContext,
  type Encoded,
  INTERNALS,
  type Plan,
  type PlannedAction,
  type ResourceOptions,
  type ResourceRecord,
  type Scope,
  type StandardSchema,
} from "../contract/index.js";
import type { Positioned } from "../order/index.js";
import type { DestroySignal, ReplaceSignal } from "../resource/index.js";
import type { ScopeHost } from "../scope/index.js";
import type { Change } from "../state/index.js";
import type { Admission } from "./admission.js";
import type { Generation } from "./generation.js";
import type { Declared } from "./waits.js";

/** One call of a resource type in the program. Its props go beside it: what is made of them on the way takes their place. */
export interface Declaration {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly options: ResourceOptions;
  readonly declared: Declared;
}

/**
 * A declaration whose props are known and compared with the recorded ones. From here on they are what is recorded: the
 * program may go on to change its own, and must not see what a handler does to them.
 */
export interface Compared extends Declaration {
  readonly encoded: Encoded;
  /** The same without `ignoreChanges`: what a replacement is made with. */
  readonly declaredProps: Encoded;
  /** Uid of the record that the props belong to, which may be yet to come. */
  readonly uid: string;
  /** Sorted uids of what its props and `dependsOn` refer to. */
  readonly refs: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  readonly changes: readonly string[];
}

/** A declaration whose handler is going to run: it has its place in the order of the program, and waits. */
export interface Task extends Compared {
  readonly positioned: Positioned;
  readonly admission: Admission;
  /** Calls of its handler so far in this run, the one to come included; absent for the first. */
  readonly tries?: number;
  /** True if each attempt under its token, all of them in this run, has said that it made nothing (`NOT_CREATED`). */
  readonly hasMadeNothing?: boolean;
}

/** How a handler asked to end. */
export type Signal = ReplaceSignal | DestroySignal;

export interface FoundOutput {
  readonly output: unknown;
  /** It is as declared: no handler has to run. */
  readonly isRight: boolean;
}

/** A create, an update, a replace or an adoption that is to happen: what its intent records, and what its handler is called for. */
export interface Execution {
  readonly task: Task;
  readonly action: "create" | "update" | "replace" | "adopt";
  readonly phase: "create" | "update";
  readonly recovering: boolean;
  /** The record that the intent leaves. */
  readonly record: ResourceRecord;
  /** Further changes of the intent, about other records; made when the intent is written. */
  readonly aside?: (() => readonly Change[]) | undefined;
  /** Undoes the intent where the handler never started. Default: the record goes. */
  readonly revert?: readonly Change[] | undefined;
  /** Set where the output is not the recorded one, but what `read` found. */
  readonly found?: FoundOutput | undefined;
  /** The copy that is replaced. */
  readonly old?: ResourceRecord;
  /** True where an update asked for this: its intent stands, and it was emitted as started. */
  readonly isContinued?: boolean;
  /** @throws what keeps it from being done at all */
  refuse?(): void | Promise<void>;
  /** What has to be done when nobody has vetoed, and before the intent. */
  prepare?(): Promise<void>;
  /** Goes on where the handler asked to end in another way. */
  signalled?(signal: Signal): Promise<unknown>;
}

export type DeleteReason = DeletionContext["reason"];

/** A record that is to go, with what its deletion needs. */
export interface DeleteRequest {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
  /** True: the thing itself stays. */
  readonly isRetained?: boolean;
  /** True if plugins were asked about it (`beforeDelete`). */
  readonly isAsked?: boolean | undefined;
}

/** What the lifecycle needs of an app: one engine at work on one stage. */
export interface App extends ScopeHost {
  readonly generation: Generation;
  readonly limiter: Limiter;
  /** Outputs that resources gave to the program, each with the key of its resource. */
  readonly outputs: WeakMap<object, string>;
  /** Checks before the first handler and the first write of this generation. */
  readonly preflight: Preflight;
  /** True where another run was first and the program is run again: this run is not reported as failed. */
  readonly isToRepeat: boolean;
  /** The signal that ends the process, where one does. */
  readonly endedBy: SignalName | undefined;
  /** No handler starts from now on; running ones get the signal. */
  interrupt(reason: EngineError, by?: "failure" | "request"): void;
}

export function appOf(scope: Scope): App {
  // Nothing else is ever given to a scope.
  return scope[INTERNALS].app as App;
}

/** What was read of all resources before anything was compared (`refresh`). */
export interface Refreshed {
  /** Takes what was read of a resource; undefined where it was not read, or with other options. */
  take(uid: string, scope: Scope): Promise<unknown> | undefined;
}

/** How a run carries out what it has decided: for real, in a plan that notes it, or within what a saved plan holds. */
export interface Performer {
  /** False in a plan: nothing is done, and nothing is emitted but the plan. */
  readonly acts: boolean;
  /** A create, an update, a replace or an adoption; gives the output. */
  execute(execution: Execution): Promise<unknown>;
  /** Finishes an interrupted create as it was begun. @throws what it fails with: its token is kept */
  finishCreate(task: Task, before: ResourceRecord): Promise<ResourceRecord>;
  /** Deletes one resource, or where it is retained forgets it. */
  delete(request: DeleteRequest, admission: Admission): Promise<void>;
  /**
   * By uid, the dependents that a plan that the run keeps to deletes before `old` is replaced or updated, each with its action. Undefined:
   * there are none, or there is no plan.
   */
  firstOf(old: ResourceRecord): ReadonlyMap<string, PlannedAction> | undefined;
  /**
   * To be called before what is recorded under an earlier name is moved.
   *
   * @param before the FQN that it is recorded under
   * @param isPart a handler has declared it
   * @throws EngineError `PLAN_MISMATCH`
   */
  rename(ref: ResourceRef, before: string, isPart: boolean): void;
  /**
   * In a plan: what would be done. Undefined before the state was loaded.
   *
   * @param stopped why nothing is said about what comes after; undefined if the program was followed to its end
   */
  plan?(stopped: string | undefined): Plan | undefined;
  /** In a plan whose state was loaded: what a run would fail with. */
  readonly errors?: readonly unknown[] | undefined;
  /** Of a run with a saved plan: the actions that it has not begun, for its end. */
  undone?(): readonly { readonly fqn: string; readonly action: string; readonly why: string }[];
  /** Something stays that would be deleted otherwise. */
  keep(record: Pick<ResourceRecord, "kind" | "key">, reason: string): void;
  /**
   * The run is refused something: it goes no further, a plan says so and goes on to list the rest.
   *
   * @param path of the scope that this fails
   * @throws the error, or several as an AggregateError
   */
  refuse(errors: readonly unknown[], path?: string): void;
  /** Of all that is to be deleted, what can be, where {@link refuse} has not ended the run. */
  deletable(records: readonly ResourceRecord[]): readonly ResourceRecord[];
  /** Props as a schema makes them. @throws what it finds wrong */
  validate(schema: StandardSchema, props: unknown, fqn: string): Promise<unknown>;
  /** False where one of them holds an unknown value. */
  isKnown(values: readonly (Encoded | undefined)[]): boolean;
  /** What the program is given for a value that is not known before the run. */
  unknown(name: string, known?: Readonly<Record<string, unknown>>): unknown;
  /** Of what is referred to, what a plan would create, update or replace; in a run that is done by then. @param refs uids */
  changing(refs: readonly string[]): readonly ResourceRef[];
  /** True for what a program fails at because it was given such a value. */
  isExcused(error: unknown): boolean;
}

/** What makes plans, and keeps a run to a saved one. */
export interface Planning {
  /** The performer of a new generation of an app that makes a plan. */
  simulated(app: App): Performer;
  /** Called when the state is loaded. @throws EngineError `INVALID_OPTION`, `PLAN_STALE`, `PLAN_FAILED` */
  loaded(app: App): Promise<void>;
  /** Writes a plan that was made to the file that the options name. @throws EngineError `INVALID_OPTION` */
  made(app: App, plan: Plan): Promise<void>;
}
