/** One declared resource from the call in the program to its record, and the performer that carries it out. */
import type { Called, ResourceRef } from "../base/index.js";
import type {
  Definition,
  DeletionContext,
  Encoded,
  EventBus,
  Plan,
  PlannedAction,
  ResourceOptions,
  ResourceRecord,
  Scope,
  StandardSchema,
} from "../contract/index.js";
import type { Positioned } from "../order/index.js";
import type { Change } from "../state/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";
import type { Declared } from "./waits.js";

/** Progress of an operation. */
type Stage = "declared" | "compared" | "queued" | "begun";

type DeclaredMember = "app" | "scope" | "definition" | "ref" | "key" | "options" | "declared" | "admitted" | "compare";

type ComparedMember = DeclaredMember | "encoded" | "declaredProps" | "uid" | "refs" | "changes" | "queue";

type QueuedMember = ComparedMember | "positioned" | "admission" | "tries" | "hasMadeNothing" | "begin";

interface Members {
  readonly declared: DeclaredMember;
  readonly compared: ComparedMember;
  readonly queued: QueuedMember;
  readonly begun: keyof BegunOperation;
}

/**
 * An operation that has reached at least stage `S`. Up to `queued` there is one object for each declaration, and each
 * stage sets its members: copying costs time. The few that have begun get one of their own, which has more members:
 * thousands wait at once.
 */
export type Operation<S extends Stage = "declared"> = Pick<BegunOperation, Members[S]>;

/** Thrown by `this.replace()`; the engine catches it. */
export class ReplaceSignal {
  readonly deleteFirst: boolean;
  /** JSON Pointers of the props that ask for it, as far as the handler says. */
  readonly forcedBy: readonly string[];

  constructor(deleteFirst: boolean, forcedBy: readonly string[]) {
    this.deleteFirst = deleteFirst;
    this.forcedBy = forcedBy;
  }
}

/** Thrown by `this.destroy()`; the engine catches it. */
export class DestroySignal {
  readonly retainChildren: boolean;

  constructor(retainChildren: boolean) {
    this.retainChildren = retainChildren;
  }
}

/** A request of a handler to end in another way. */
export type Signal = ReplaceSignal | DestroySignal;

export interface FoundOutput {
  readonly output: unknown;
  /** True if it is as declared: no handler has to run. */
  readonly isRight: boolean;
}

/** A call of a resource type in the program. */
export interface DeclarationCall extends Pick<AnyOperation, "scope" | "definition" | "options"> {
  readonly id: string;
  readonly props: unknown;
  /** The function that the program has called. */
  readonly called: Called;
}

/** The members that a declaration sets. */
type Given = Pick<AnyOperation, "app" | "scope" | "definition" | "ref" | "key" | "options" | "declared">;

/** Result of the comparison with the record. */
type Comparison = Pick<AnyOperation, "encoded" | "declaredProps" | "uid" | "refs" | "changes">;

/** One attempt at a create, an update, a replace or an adoption. A retry is another attempt. */
export type Attempt = Pick<BegunOperation, "action" | "phase" | "record"> &
  Partial<
    Pick<
      BegunOperation,
      "recovering" | "otherChanges" | "revert" | "found" | "old" | "isContinued" | "refuse" | "prepare" | "signalled"
    >
  >;

/** Created only by a declaration. All other code takes an {@link Operation}, and so states the stage that it needs. */
export class AnyOperation {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly options: ResourceOptions;
  readonly declared: Declared;

  // From `compared` on, the props are known. The encoded props are recorded from here on: the program may change its
  // own objects, and must not see changes that a handler makes.
  encoded!: Encoded;
  /** Props without `ignoreChanges`, for a replacement. */
  declaredProps!: Encoded;
  /** Uid of the record that the props belong to, which may not exist yet. */
  uid!: string;
  /** Sorted uids of the references in its props and `dependsOn`. */
  refs!: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  changes!: readonly string[];

  // From `queued` on, its handler is going to run. It has its position in the program's order, and waits.
  positioned!: Positioned;
  admission!: Admission;
  /** Calls of its handler in this run, including the next one. */
  tries = 1;
  /**
   * True if each attempt with its token, all of them in this run, has reported that it created nothing (`NOT_CREATED`).
   */
  hasMadeNothing = false;

  constructor({ app, scope, definition, ref, key, options, declared }: Given) {
    this.app = app;
    this.scope = scope;
    this.definition = definition;
    this.ref = ref;
    this.key = key;
    this.options = options;
    this.declared = declared;
  }

  /** Its admission; undefined until it is known that a handler is needed. */
  get admitted(): Admission | undefined {
    return this.admission;
  }

  compare({ encoded, declaredProps, uid, refs, changes }: Comparison): Operation<"compared"> {
    this.encoded = encoded;
    this.declaredProps = declaredProps;
    this.uid = uid;
    this.refs = refs;
    this.changes = changes;
    return this;
  }

  queue(positioned: Positioned, admission: Admission): Operation<"queued"> {
    this.positioned = positioned;
    this.admission = admission;
    return this;
  }

  begin(attempt: Attempt): Operation<"begun"> {
    return new BegunOperation(this, attempt);
  }
}

/** One attempt at an operation: the contents of its intent, and the purpose of the handler call. */
class BegunOperation extends AnyOperation {
  action: "create" | "update" | "replace" | "adopt";
  phase: "create" | "update";
  recovering: boolean;
  /** The record that the intent leaves. */
  record: ResourceRecord;
  /** Changes of other records in the same intent; called when the intent is written. */
  otherChanges: (() => readonly Change[]) | undefined;
  /** Undoes the intent if the handler never started. Default: removes the record. */
  revert: readonly Change[] | undefined;
  /** Set if the output is not the recorded one, but the one that `read` found. */
  found: FoundOutput | undefined;
  /** The copy that is replaced. */
  old: ResourceRecord | undefined;
  /** True if an update asked for this: its intent stands, and it was emitted as started. */
  isContinued: boolean;
  /** @throws if it must not be done at all */
  refuse: (() => void | Promise<void>) | undefined;
  /** Work after the vetoes and before the intent. */
  prepare: (() => Promise<void>) | undefined;
  /** Continues if the handler asked to end in another way. */
  signalled: ((signal: Signal) => Promise<unknown>) | undefined;

  constructor(operation: AnyOperation, attempt: Attempt) {
    super(operation);
    this.compare(operation);
    this.queue(operation.positioned, operation.admission);
    this.tries = operation.tries;
    this.hasMadeNothing = operation.hasMadeNothing;
    this.action = attempt.action;
    this.phase = attempt.phase;
    this.recovering = attempt.recovering ?? false;
    this.record = attempt.record;
    this.otherChanges = attempt.otherChanges;
    this.revert = attempt.revert;
    this.found = attempt.found;
    this.old = attempt.old;
    this.isContinued = attempt.isContinued ?? false;
    this.refuse = attempt.refuse;
    this.prepare = attempt.prepare;
    this.signalled = attempt.signalled;
  }
}

export type DeleteReason = DeletionContext["reason"];

/** A record to delete, with the data that its deletion needs. */
export interface DeleteRequest {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
  /** True: the real resource stays. */
  readonly isRetained?: boolean;
  /** True if plugins were asked about it (`beforeDelete`). */
  readonly isAsked?: boolean | undefined;
}

/** Carries out the decisions of a run: for real, in a plan that only notes them, or within a saved plan. */
export interface Performer {
  /** For events and warnings about actions in progress. A plan's go nowhere, because it does nothing. */
  readonly events: EventBus;
  /** Performs a create, an update, a replace or an adoption; returns the output. */
  execute(operation: Operation<"begun">): Promise<unknown>;
  /** Finishes an interrupted create as it was begun. @throws the create's error; its token is kept */
  finishCreate(operation: Operation<"queued">, before: ResourceRecord): Promise<ResourceRecord>;
  /** Calls an interrupted create once more that is to be deleted. Undefined in a plan, which calls none. */
  repeatCreate<T>(create: () => Promise<T>): Promise<{ readonly output: T } | undefined>;
  /** Deletes one resource or, if it is retained, removes its record. */
  delete(request: DeleteRequest, admission: Admission): Promise<void>;
  /**
   * Returns, by uid, the dependents that the saved plan deletes before `old` is replaced or updated, each with its
   * action. Undefined if there are none, or there is no plan.
   */
  firstOf(old: ResourceRecord): ReadonlyMap<string, PlannedAction> | undefined;
  /**
   * Called before a record under an earlier name is moved.
   *
   * @param before the FQN that it is recorded under
   * @param isPart true if a handler has declared it
   * @throws EngineError `PLAN_MISMATCH`
   */
  rename(ref: ResourceRef, before: string, isPart: boolean): void;
  /**
   * Returns the actions of a plan. Undefined before the state was loaded.
   *
   * @param stopped the reason that later declarations are unknown; undefined if the program was followed to its end
   */
  plan?(stopped: string | undefined): Plan | undefined;
  /** In a plan whose state was loaded: the errors that a run would fail with. */
  readonly errors?: readonly unknown[] | undefined;
  /** For a run with a saved plan: returns the actions that it has not begun, for its end. */
  undone?(): readonly { readonly fqn: string; readonly action: string; readonly why: string }[];
  /** Notes a resource that stays and would be deleted otherwise. */
  keep(record: Pick<ResourceRecord, "kind" | "key">, reason: string): void;
  /**
   * Refuses an action: a run stops there, a plan notes it and continues to list the rest.
   *
   * @param path of the scope that this fails
   * @throws the error, or several as an AggregateError
   */
  refuse(errors: readonly unknown[], path?: string): void;
  /** Returns the records that can be deleted, if {@link refuse} has not ended the run. */
  deletable(records: readonly ResourceRecord[]): readonly ResourceRecord[];
  /** Returns props as a schema transforms them. @throws the issues that it finds */
  validate(schema: StandardSchema, props: unknown, fqn: string): Promise<unknown>;
  /** False if one of them holds an unknown value. */
  isKnown(values: readonly (Encoded | undefined)[]): boolean;
  /** Returns the value that the program gets for one that is not known before the run. */
  unknown(name: string, known?: Readonly<Record<string, unknown>>): unknown;
  /**
   * Returns the dependencies that a plan would create, update or replace; a run has done that already.
   *
   * @param refs uids
   */
  changing(refs: readonly string[]): readonly ResourceRef[];
  /** True for an error of the program that such a value caused. */
  isExcused(error: unknown): boolean;
}

/** Makes plans, and keeps a run to a saved one. */
export interface Planning {
  /** Returns the performer of a new run of an app that makes a plan. */
  simulated(app: App): Performer;
  /** Called when the state is loaded. @throws EngineError `INVALID_OPTION`, `PLAN_STALE`, `PLAN_FAILED` */
  loaded(app: App): Promise<void>;
  /** Writes a completed plan to the file that the options name. @throws EngineError `INVALID_OPTION` */
  made(app: App, plan: Plan): Promise<void>;
}
