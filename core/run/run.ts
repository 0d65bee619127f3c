/** One run of an app, from `engine()` to `finalize()`: its declarations, results and failures. */
import {
  below,
  type Called,
  type CallSite,
  callSiteOf,
  callSiteText,
  EngineError,
  ignore,
  monotonicNow,
  NOTHING_DONE,
  OngoingWork,
  Preflight,
  type ResourceRef,
  type RunSummary,
  timeOfDay,
  uuid,
} from "../base/index.js";
import type { Encoded, PendingResource, ResourceOptions, ResourceRecord, Scope } from "../contract/index.js";
import { descendantsOf, Placement } from "../order/index.js";
import type { Contents } from "../state/index.js";
import { type Admission, AdmissionQueue } from "./admission.js";
import { Aliases } from "./aliases.js";
import { DeferredQueue } from "./deferred.js";
import { type Failure, Failures, FoldedWarnings } from "./failures.js";
import type { DeleteLimit } from "./limits/delete-limit.js";
import type { Selection } from "./limits/selection.js";
import type { Performer } from "./operation.js";
import { RunProgress, ScopeRuns } from "./scope-runs.js";
import { TakenNames } from "./taken-names.js";
import { type Declared, InputWaits } from "./waits.js";

/** All recorded resources, read before any comparison (`refresh`). */
export interface Refreshed {
  /** Takes the result of reading a resource; undefined if it was not read, or with other options. */
  take(uid: string, scope: Scope): Promise<unknown> | undefined;
}

/** Limits of a run: the resources that it may touch, and the number that it may delete. */
interface Bounds {
  readonly selection: Selection | undefined;
  readonly deletes: DeleteLimit | undefined;
}

/** A dependent that is deleted before the resource that it refers to is replaced. */
export interface FirstDeleted {
  readonly record: ResourceRecord;
  /** Resolves when its delete has ended; a declaration of its key waits for that. */
  readonly over: Promise<void>;
  isOver: boolean;
}

/** Tracks, by uid, how long an empty result of `read` is not trusted: a new resource may not be found at once. */
class ReadLags {
  /** Time of the end of the last create, or of the first empty `read` of a resource that this run has not created. */
  readonly #since = new Map<string, number>();

  /** Notes that a create has ended, whatever its outcome. */
  created(uid: string): void {
    this.#since.set(uid, monotonicNow());
  }

  /**
   * Returns the end of the window of a resource of which `read` has just found nothing. For a resource of an earlier
   * run, the time of its create is unknown, so the window begins now.
   *
   * @param lag milliseconds
   */
  endOf(uid: string, lag: number): number {
    const since = this.#since.get(uid) ?? monotonicNow();
    this.#since.set(uid, since);
    return since + lag;
  }
}

/** Number of declarations whose places in the program are kept, for the error about a duplicate id. */
const KEPT_SITES = 1_000;

const PLACE_NOT_KEPT = `at an unknown place (places are kept only for the first ${KEPT_SITES} declarations)`;

export class Run {
  /** Id of the run, for observers. */
  readonly id = uuid();
  readonly progress = new RunProgress();
  readonly deferred = new DeferredQueue();
  /** Functions that run in scopes. */
  readonly scopeRuns = new ScopeRuns();
  /** Checks before the first handler and the first write. */
  readonly preflight = new Preflight();
  readonly admissions: AdmissionQueue;
  readonly waits = new InputWaits(this.deferred);
  /** Data that is being set. */
  readonly ongoing = new OngoingWork();
  readonly aliases = new Aliases();
  readonly warnings = new FoldedWarnings();
  readonly names = new TakenNames();
  readonly readLags = new ReadLags();
  /** Texts and numbers that the program has read in outputs, with the keys of their resources. */
  readonly members = new Map<unknown, Set<string>>();
  /** Outputs of resources before this run updated them in place, by uid. */
  readonly formerOutputs = new Map<string, Encoded>();
  /** Deletes under way, by uid. */
  readonly deleting = new Map<string, Promise<void>>();
  /** Dependents that are deleted before a resource that they refer to is replaced, by key. */
  readonly first = new Map<string, FirstDeleted>();
  /** Keys of resources that `engine.destroy()` has deleted, or is deleting, and that were not declared again. */
  readonly destroyed = new Set<string>();
  readonly running = new Set<ResourceRef>();
  readonly started = monotonicNow();
  /** Start of the run, for display. */
  readonly since = timeOfDay();
  /** True once plugins and observers were notified of the outcome. */
  isReported = false;
  /** True if the run was interrupted from outside; false if a failure has ended it. */
  isInterrupted = false;
  performer: Performer;
  /** True if `app.run()` has begun it in a finalized app, and it has declared nothing: it deletes nothing. */
  isLook: boolean;
  /** Uids of resources whose handlers have succeeded and that are not complete yet, by key. */
  readonly partial = new Map<string, string>();
  /** Keys of resources whose interrupted creates are called again in order to delete them. */
  readonly settling = new Set<string>();
  /** Set if all recorded resources were read first. */
  refreshed: Refreshed | undefined;
  /** Set once the state is loaded. */
  bounds: Bounds = { selection: undefined, deletes: undefined };
  placement = new Placement([]);
  /** In the phase `destroy`: the contents before it began. */
  before: Contents | undefined;
  readonly #failed = new Failures();
  readonly #declared = new Map<string, Declared>();
  /** Keys declared in the handler of a resource, by its key. */
  readonly #children = new Map<string, Set<string>>();
  readonly #counts = { ...NOTHING_DONE };

  /**
   * @param concurrency how many handlers may run at once
   * @param isLater true for each run of an app except its first
   */
  constructor(concurrency: number, performer: Performer, isLater = false) {
    this.performer = performer;
    this.isLook = isLater;
    this.admissions = new AdmissionQueue(concurrency);
  }

  /**
   * Returns the earlier declaration of a key, if that is allowed.
   *
   * @throws EngineError `DUPLICATE_ID`, with both places in the program
   */
  claim(key: string, fqn: string, called: Called, reapply: boolean): PendingResource<unknown> | undefined {
    const earlier = this.#declared.get(key);
    if (!earlier || reapply) return earlier?.pending;
    throw new EngineError(
      "DUPLICATE_ID",
      `"${fqn}" is declared twice:\n  first ${earlier.site ? callSiteText(earlier.site) : PLACE_NOT_KEPT}\n  again ${callSiteText(callSiteOf(called))}\nGive one of them another id, or declare it in another scope.`,
      { fqn },
    );
  }

  /** Returns the place of a declaration; undefined after the first thousand, because finding it takes time. */
  siteOf(called: Called): CallSite | undefined {
    return this.#declared.size < KEPT_SITES ? callSiteOf(called) : undefined;
  }

  /** @param home key of the resource in whose handler it was declared; for an old copy its uid */
  add(key: string, declared: Declared, home: string | undefined): void {
    this.isLook = false;
    this.#declared.set(key, declared);
    if (home !== undefined) this.#addChild(home, key);
    this.destroyed.delete(key);
    this.waits.add(declared);
  }

  /** Called at the very moment when a declaration settles: the program sees the output only after this. */
  onSettled(declared: Declared, admission?: Admission): void {
    this.waits.delete(declared);
    admission?.leave();
    declared.settle?.(this.placement);
    declared.settle = undefined;
  }

  optionsOf(key: string): ResourceOptions | undefined {
    return this.#declared.get(key)?.options;
  }

  isDeclared(key: string): boolean {
    return this.#declared.has(key);
  }

  /** True until it is declared and its props are known. */
  isUndecided(key: string): boolean {
    return this.#declared.get(key)?.isDecided !== true;
  }

  get declaredKeys(): Iterable<string> {
    return this.#declared.keys();
  }

  /** Allows a destroyed resource to be declared again. */
  withdraw(key: string): void {
    this.#declared.delete(key);
  }

  /** True if the handler of a resource has declared children, and has not run again since. */
  hasChildren(home: string): boolean {
    return this.#children.has(home);
  }

  /** True if all children and deferred functions of a resource's handler are done, recursively. */
  isWhole(home: string): boolean {
    const isDone = (key: string): boolean => {
      const declared = this.#declared.get(key);
      return !declared || !(declared.isUndone || this.waits.has(declared) || this.partial.has(key));
    };
    return !this.deferred.owes(home) && [...(this.#children.get(home) ?? [])].every(isDone);
  }

  /**
   * Waits, before a handler runs again, for its previous children, which may then be declared again. Returns undefined
   * if there are none.
   */
  renew(home: string, contents: Contents): Promise<void> | undefined {
    this.partial.delete(home);
    const children = this.#children.get(home);
    if (children) return this.#renew(home, children, contents);
    this.#failed.forget(home);
    return undefined;
  }

  /** True for a resource that is settled in order to be deleted, and for its children. */
  isSettling(key: string): boolean {
    return [...this.settling].some((settled) => below(settled)(key));
  }

  count(what: keyof RunSummary): void {
    this.#counts[what]++;
  }

  /** True if the run was interrupted, and nothing has failed. */
  get isOnlyInterrupted(): boolean {
    return this.isInterrupted && this.#counts.failed === 0;
  }

  get summary(): RunSummary {
    return { ...this.#counts };
  }

  /**
   * Notes the failure of a scope, each of several errors separately. Returns true if any of them is new.
   *
   * @param home key of the resource in whose handler it was, which may run again and succeed
   */
  fail(path: string, error: unknown, home?: string): boolean {
    return this.#failed.add(path, error, home);
  }

  get failures(): readonly Failure[] {
    return this.#failed.all;
  }

  hasFailed(isBelow: (path: string) => boolean): boolean {
    return this.errorsIn(isBelow).length > 0;
  }

  /** Returns the errors below a path. */
  errorsIn(isBelow: (path: string) => boolean): readonly unknown[] {
    return this.failures.filter(({ paths }) => [...paths].some(isBelow)).map(({ error }) => error);
  }

  async #renew(home: string, children: ReadonlySet<string>, contents: Contents): Promise<void> {
    await this.#forget(home, children);
    const record = contents.at(home);
    if (record) this.placement.renew(descendantsOf(contents, [record.uid]));
  }

  async #forget(home: string, children: ReadonlySet<string>): Promise<void> {
    this.#children.delete(home);
    for (const key of children) {
      await this.#declared.get(key)?.pending?.then(ignore, ignore);
      this.deferred.forget(key);
      await this.#forget(key, this.#children.get(key) ?? NO_KEYS);
      this.#declared.delete(key);
    }
    // After all have settled: they may fail while they are awaited.
    this.#failed.forget(home);
  }

  #addChild(home: string, key: string): void {
    const children = this.#children.get(home);
    if (children) children.add(key);
    else this.#children.set(home, new Set([key]));
  }
}

const NO_KEYS: ReadonlySet<string> = new Set();
