/** Collects the actions of a run that only plans. */
import {
  EngineError,
  isEngineError,
  messageOf,
  type ResourceRef,
  UNKNOWN,
  withoutMarkers,
} from "../../core/base/index.js";
import {
  fqnIn,
  idOf,
  type Plan,
  type PlanNote,
  type PlannedAction,
  type PlannedDeletion,
  type ResourceRecord,
  type Scope,
  type StatePosition,
} from "../../core/contract/index.js";
import { dependentsOf, goingDependents, holdsOne } from "../../core/destroy/index.js";
import { goodProps } from "../../core/handler/index.js";
import { DeletionOrder, withDescendants } from "../../core/order/index.js";
import { type App, isOfLeftOut, retainedOf } from "../../core/run/index.js";
import type { Contents } from "../../core/state/index.js";
import { planError, recordOnly, renamedNote } from "./record-only.js";
import { shownProps } from "./shown-props.js";

/** Codes of errors that a program or a handler may get because of an unknown value. */
const EXCUSED: ReadonlySet<string> = new Set(["UNKNOWN_VALUE", "HANDLER_FAILED"]);

/** The target of a delete. */
interface Removed {
  /** The recorded props. */
  readonly props: unknown;
  readonly deletes: PlannedDeletion | undefined;
}

export class Planner {
  readonly #app: App;
  #state: StatePosition | undefined = undefined;
  readonly #actions: Ranked[] = [];
  /** By uid, the actions that delete a record. */
  readonly #deleting = new Map<string, Ranked[]>();
  #nextRank = 0;
  readonly #unknown: PlanNote[] = [];
  readonly #kept: PlanNote[] = [];
  readonly #renamed: PlanNote[] = [];
  /** Uids of old copies that a planned replace deletes. */
  readonly replacing = new Set<string>();
  /** By uid, resources that would be created, updated or replaced. */
  readonly changing = new Map<string, ResourceRef>();
  /** Errors that types reported about planned changes. */
  readonly refusals = new WeakSet<object>();
  /** True once the program got an unknown value. Code that uses the value may fail. */
  hasGivenUnknown = false;

  /** By uid, the records as they were loaded. */
  recorded: ReadonlyMap<string, ResourceRecord> = new Map();
  #loaded: Contents | undefined = undefined;
  /** By rank, each action that may delete dependents first. */
  readonly #deletingFirst = new Map<number, Changing>();

  constructor(app: App) {
    this.#app = app;
  }

  get hasBegun(): boolean {
    return this.#state !== undefined;
  }

  /** @param state position of the state that the plan is made from */
  begin(state: StatePosition): void {
    const { contents, durable } = this.#app.ledger;
    this.#state = state;
    // The durable contents stay as they are: a plan writes nothing, and its view copies them before its first change.
    this.#loaded = contents === durable.contents ? contents : contents.copy();
    this.recorded = this.#loaded.records;
  }

  /**
   * Returns the next rank in the plan. An action takes its rank when it is found, because describing it may take a
   * while.
   */
  nextRank(): number {
    return this.#nextRank++;
  }

  addAction(rank: number, action: PlannedAction): void {
    const ranked = { rank, action: Object.freeze(action) };
    this.#actions.push(ranked);
    if (action.deletes === undefined) return;
    const { uid } = action.deletes;
    this.#deleting.set(uid, [...(this.#deleting.get(uid) ?? []), ranked]);
  }

  /** Notes a replacement that deletes first, or an update that removes values. */
  deleteFirst(rank: number, changing: Changing): void {
    this.#deletingFirst.set(rank, changing);
  }

  keep(record: Pick<ResourceRecord, "kind" | "key">, reason: string): void {
    this.#kept.push({ ...this.#refOf(record), reason });
  }

  rename(ref: ResourceRef, before: string): void {
    this.#renamed.push(renamedNote(ref, before));
  }

  /** Lists a child of a resource whose handler does not run. */
  leaveOpen(record: ResourceRecord, reason: string): void {
    this.#unknown.push({ ...this.#refOf(record), reason });
  }

  /** @param reason for people */
  remove(rank: number, record: ResourceRecord, reason: string, { props, deletes }: Removed): void {
    this.addAction(rank, {
      ...this.#refOf(record),
      action: "delete",
      reason,
      changes: shownProps("old", { kind: record.kind, props }, this.#app),
      drift: [],
      // An interrupted create may have made nothing.
      certain: record.status !== "creating",
      mayReplace: false,
      ...(record.replaced ? { replaced: true } : {}),
      ...(deletes ? { deletes } : {}),
    });
  }

  /** True for an error that the program got because it continued with an unknown value. */
  isExcused(error: unknown): boolean {
    if (!this.hasGivenUnknown || isOfLeftOut(error)) return false;
    if (!(error instanceof EngineError)) return true;
    if (this.refusals.has(error)) return false;
    const { code, cause } = error;
    // Props that could not be resolved because the program threw an error.
    return EXCUSED.has(code) || (code === "INVALID_PROPS" && cause !== undefined && this.isExcused(cause));
  }

  /** Errors that a run would fail with as well. */
  get errors(): readonly unknown[] {
    const known = this.#app.run.failures.map(({ error }) => error);
    const excess = known.some((error) => isEngineError(error, "TOO_MANY_DELETES")) ? undefined : this.#excess();
    const failed = excess ? [...known, excess] : known;
    return failed.filter((error) => !this.isExcused(error) && !isEngineError(error, "ABORTED"));
  }

  /**
   * Returns the plan; undefined before the state was loaded.
   *
   * @param end why the plan covers only the beginning of the program; undefined if the whole program ran
   */
  plan(end: string | undefined): Plan | undefined {
    const state = this.#state;
    if (!state) return undefined;
    const { root, options, run } = this.#app;
    const { failures } = run;
    const excused = failures.find(({ error }) => this.isExcused(error));
    const aborted = failures.find(({ error }) => isEngineError(error, "ABORTED"));
    const why = excused ?? aborted;
    const stopped = why ? withoutMarkers(messageOf(this.#app.safe(why.error)), () => UNKNOWN) : end;
    return {
      format: 1,
      app: root.appName,
      stage: root.stage,
      phase: options.phase,
      actions: this.#inOrder,
      counts: { ...this.#count(true), unchanged: run.summary.unchanged },
      uncertain: this.#count(false),
      unknown: this.#unknown,
      ...(this.#renamed.length > 0 ? { renamed: this.#renamed } : {}),
      recordOnly: this.#recordOnly(),
      kept: this.#kept,
      leftOut: run.bounds.selection?.leftOut ?? [],
      ...(stopped === undefined ? {} : { stopped }),
      errors: this.errors.map((error) => planError(this.#app.safe(error))),
      state,
    };
  }

  #recordOnly(): readonly PlanNote[] {
    if (!this.#loaded) return [];
    const listed = new Set([...this.#actions.map(({ action }) => action), ...this.#unknown].map(({ fqn }) => fqn));
    const { root, ledger } = this.#app;
    return recordOnly(root, this.#loaded, ledger.contents, (fqn) => listed.has(fqn));
  }

  get #inOrder(): readonly PlannedAction[] {
    return this.#actions
      .sort((a, b) => a.rank - b.rank)
      .map(({ rank, action }) => {
        const first = this.#deletedFirst(rank).map(({ key }) => fqnIn(this.#app.root, key));
        return first.length > 0 ? Object.freeze({ ...action, deletesFirst: first }) : action;
      });
  }

  /** Returns the error if too many are deleted. Certain deletes of dependents count like pruned resources. */
  #excess(): EngineError | undefined {
    const { deletes } = this.#app.run.bounds;
    const loaded = this.#loaded;
    if (!deletes || !loaded) return undefined;
    const certain = new Set(this.#actions.flatMap(({ rank, action }) => (action.certain ? rank : [])));
    const ranks = [...this.#deletingFirst.keys()].filter((rank) => certain.has(rank));
    const first = ranks.flatMap((rank) => this.#deletedFirst(rank));
    if (first.length === 0) return undefined;
    const pruned = this.#actions.flatMap(({ action: { action, deletes: its } }) =>
      action === "delete" ? (loaded.records.get(its?.uid ?? "") ?? []) : [],
    );
    return deletes.excess([...new Set([...pruned, ...withDescendants(loaded, ...first)])]);
  }

  /** Empty if one of them is retained: it stays, and so do the resources whose delete would follow its own. */
  #deletedFirst(rank: number): readonly ResourceRecord[] {
    const changing = this.#deletingFirst.get(rank);
    if (!changing || !this.#loaded) return [];
    const isFirst = (one: number): boolean => {
      const other = this.#deletingFirst.get(one);
      return other !== undefined && other.former === undefined;
    };
    const found = deletedFirst(this.#app.root, this.#loaded, { rank, ...changing }, this.#deleting, isFirst);
    return found.length > 0 && retainedOf(this.#app, found).size > 0 ? [] : found;
  }

  #refOf({ kind, key }: Pick<ResourceRecord, "kind" | "key">): ResourceRef {
    return { kind, id: idOf(key), fqn: fqnIn(this.#app.root, key) };
  }

  #count(isCertain: boolean): Plan["uncertain"] {
    const counts = { create: 0, update: 0, replace: 0, adopt: 0, delete: 0 };
    for (const { action } of this.#actions) if (action.certain === isCertain) counts[action.action]++;
    return counts;
  }
}

/** An action with its rank. */
interface Ranked {
  readonly rank: number;
  readonly action: PlannedAction;
}

/** A replacement that deletes `old` first; with `former`, an update that removes these values of `old`. */
interface Changing {
  readonly old: ResourceRecord;
  readonly former?: ReadonlySet<string>;
}

/**
 * Returns the dependents that the plan replaces or deletes later than it replaces `old`, in the order of their deletes.
 * All others stay: dependents that can be updated, that were decided earlier, or that continue under another name.
 * Before an update, only dependents are deleted whose delete may need one of the former values, with their own
 * dependents. Dependents that are created first, and uncertain ones, stay.
 *
 * @param rank of the replacement or update
 * @param loaded the records when the plan began
 * @param actions those that delete a record, by its uid: there may be as many replacements and updates as actions
 * @param isDeletedFirst true for the rank of a replacement that deletes first
 */
function deletedFirst(
  root: Scope,
  loaded: Contents,
  { rank, old, former }: Changing & { readonly rank: number },
  actions: ReadonlyMap<string, readonly Ranked[]>,
  isDeletedFirst: (rank: number) => boolean,
): readonly ResourceRecord[] {
  const isGoingNow = (one: Ranked): boolean =>
    one.action.certain && (one.action.action === "delete" || isDeletedFirst(one.rank));
  const isMeant = (one: Ranked): boolean => one.rank > rank && (former === undefined || isGoingNow(one));
  const isGoing = ({ uid, key }: ResourceRecord): boolean =>
    actions.get(uid)?.findLast(isMeant)?.action.fqn === fqnIn(root, key);
  const found = former ? foundBy(loaded, old, former, isGoing) : dependentsOf(loaded, old, isGoing);
  if (found.length === 0) return found;
  const order = new DeletionOrder(found);
  const sorted: ResourceRecord[] = [];
  for (let next = order.next(); next; next = order.next()) {
    sorted.push(next);
    order.finished(next.uid);
  }
  return sorted;
}

function foundBy(
  loaded: Contents,
  old: ResourceRecord,
  former: ReadonlySet<string>,
  isGoing: (dependent: ResourceRecord) => boolean,
): readonly ResourceRecord[] {
  const direct = goingDependents(loaded, old, isGoing, (one) => holdsOne(goodProps(one), former));
  return [...new Set(direct.flatMap((one) => [one, ...dependentsOf(loaded, one, isGoing)]))];
}
