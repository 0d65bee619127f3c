/** One declared resource on its way from the call in the program to its record, and the performer that carries it out. */
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

/** How far an operation is. */
type Stage = "declared" | "compared" | "queued" | "begun";

type DeclaredMember = "app" | "scope" | "definition" | "ref" | "key" | "options" | "declared" | "compare";

type ComparedMember = DeclaredMember | "encoded" | "declaredProps" | "uid" | "refs" | "changes" | "queue";

type QueuedMember = ComparedMember | "positioned" | "admission" | "tries" | "hasMadeNothing" | "begin";

interface Members {
  readonly declared: DeclaredMember;
  readonly compared: ComparedMember;
  readonly queued: QueuedMember;
  readonly begun: keyof AnyOperation;
}

/**
 * An operation that has come at least as far as stage `S`. There is one object for each declaration, and each stage sets its members:
 * thousands wait at once, and a copy for each stage costs time.
 */
export type Operation<S extends Stage = "declared"> = Pick<AnyOperation, Members[S]>;

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

/** How a handler asked to end. */
export type Signal = ReplaceSignal | DestroySignal;

export interface FoundOutput {
  readonly output: unknown;
  /** It is as declared: no handler has to run. */
  readonly isRight: boolean;
}

/** A resource type as the program has called it. */
export interface DeclarationCall extends Pick<AnyOperation, "scope" | "definition" | "options"> {
  readonly id: string;
  readonly props: unknown;
  /** The function that the program has called. */
  readonly called: Called;
}

/** The members that an operation is declared with. */
type Given = Pick<AnyOperation, "app" | "scope" | "definition" | "ref" | "key" | "options" | "declared">;

/** What the comparison with the record gives. */
type Comparison = Pick<AnyOperation, "encoded" | "declaredProps" | "uid" | "refs" | "changes">;

/** One attempt at a create, an update, a replace or an adoption. A retry is another one. */
export type Attempt = Pick<AnyOperation, "action" | "phase" | "record"> &
  Partial<
    Pick<
      AnyOperation,
      "recovering" | "otherChanges" | "revert" | "found" | "old" | "isContinued" | "refuse" | "prepare" | "signalled"
    >
  >;

/** Only a declaration makes one. All other code takes an {@link Operation}, and so says which stage it needs. */
export class AnyOperation {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly options: ResourceOptions;
  readonly declared: Declared;

  // From `compared` on: the props are known. They are what is recorded from here on: the program may go on to change its own, and
  // must not see what a handler does to them.
  encoded!: Encoded;
  /** The same without `ignoreChanges`: what a replacement is made with. */
  declaredProps!: Encoded;
  /** Uid of the record that the props belong to, which may be yet to come. */
  uid!: string;
  /** Sorted uids of what its props and `dependsOn` refer to. */
  refs!: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  changes!: readonly string[];

  // From `queued` on: its handler is going to run. It has its place in the order of the program, and waits.
  positioned!: Positioned;
  admission!: Admission;
  /** Calls of its handler in this run, the one to come included. */
  tries = 1;
  /** True if each attempt under its token, all of them in this run, has said that it made nothing (`NOT_CREATED`). */
  hasMadeNothing = false;

  // From `begun` on: what its intent records, and what its handler is called for.
  action!: "create" | "update" | "replace" | "adopt";
  phase!: "create" | "update";
  recovering!: boolean;
  /** The record that the intent leaves. */
  record!: ResourceRecord;
  /** Changes of other records in the same intent; called when the intent is written. */
  otherChanges: (() => readonly Change[]) | undefined;
  /** Undoes the intent if the handler never started. Default: the record goes. */
  revert: readonly Change[] | undefined;
  /** Set if the output is not the recorded one, but what `read` found. */
  found: FoundOutput | undefined;
  /** The copy that is replaced. */
  old: ResourceRecord | undefined;
  /** True if an update asked for this: its intent stands, and it was emitted as started. */
  isContinued!: boolean;
  /** @throws what keeps it from being done at all */
  refuse: (() => void | Promise<void>) | undefined;
  /** What has to be done when nobody has vetoed, and before the intent. */
  prepare: (() => Promise<void>) | undefined;
  /** Goes on if the handler asked to end in another way. */
  signalled: ((signal: Signal) => Promise<unknown>) | undefined;

  constructor({ app, scope, definition, ref, key, options, declared }: Given) {
    this.app = app;
    this.scope = scope;
    this.definition = definition;
    this.ref = ref;
    this.key = key;
    this.options = options;
    this.declared = declared;
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
    return this;
  }
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

/** How a run carries out what it has decided: for real, in a plan that notes it, or within what a saved plan holds. */
export interface Performer {
  /** For events and warnings about actions that are being done. Those of a plan go nowhere: it does nothing. */
  readonly events: EventBus;
  /** A create, an update, a replace or an adoption; gives the output. */
  execute(operation: Operation<"begun">): Promise<unknown>;
  /** Finishes an interrupted create as it was begun. @throws what it fails with: its token is kept */
  finishCreate(operation: Operation<"queued">, before: ResourceRecord): Promise<ResourceRecord>;
  /** Calls an interrupted create once more, which is to be deleted. Undefined in a plan, which calls none. */
  repeatCreate<T>(create: () => Promise<T>): Promise<{ readonly output: T } | undefined>;
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
  /** The performer of a new run of an app that makes a plan. */
  simulated(app: App): Performer;
  /** Called when the state is loaded. @throws EngineError `INVALID_OPTION`, `PLAN_STALE`, `PLAN_FAILED` */
  loaded(app: App): Promise<void>;
  /** Writes a plan that was made to the file that the options name. @throws EngineError `INVALID_OPTION` */
  made(app: App, plan: Plan): Promise<void>;
}
