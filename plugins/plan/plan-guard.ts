/** Keeps a run to a saved plan: the run does nothing outside the plan. */
import { cut, EngineError, everywhere, type ResourceRef, UNKNOWN } from "../../core/base/index.js";
import {
  type DeletionContext,
  fqnIn,
  type Plan,
  type PlannedAction,
  type ResourceRecord,
  type StatePosition,
} from "../../core/contract/index.js";
import type { App } from "../../core/run/index.js";
import { digestOfRecord } from "../../core/state/index.js";
import { canBecome, renderWhole } from "../internal/render/render-value.js";
import { renamedNote } from "./record-only.js";

const POSITION = ["lineage", "seq", "lines", "digest", "contents"] as const satisfies readonly (keyof StatePosition)[];

type Doing = PlannedAction["action"];

/** A create, update, replacement or adoption that is about to start. */
export interface Asked extends ResourceRef {
  readonly action: Exclude<Doing, "delete">;
  readonly props: unknown;
  /** True if a handler declared it. */
  readonly isPart: boolean;
}

export class PlanGuard {
  readonly #app: App;
  readonly #actions = new Map<string, PlannedAction[]>();
  readonly #kept: ReadonlySet<string>;
  /** Notes of the renames, by new name. */
  readonly #renamed: ReadonlyMap<string, string>;
  /** Actions that the run has started. */
  readonly #begun = new Set<PlannedAction>();

  /**
   * @throws EngineError `PLAN_STALE` if the plan is for another stage or phase, or was made from another state;
   * `PLAN_FAILED` if it has errors
   */
  constructor(app: App, plan: Plan, position: StatePosition) {
    this.#app = app;
    this.#kept = new Set(plan.kept.map(({ fqn }) => fqn));
    this.#renamed = new Map(plan.renamed?.map(({ fqn, reason }) => [fqn, reason]));
    for (const action of plan.actions) {
      const others = this.#actions.get(action.fqn);
      if (others) others.push(action);
      else this.#actions.set(action.fqn, [action]);
    }
    const { root, options } = app;
    const [asked, made] = [about({ app: root.appName, stage: root.stage, phase: options.phase }), about(plan)];
    if (asked !== made) throw stale(`it is for ${made}, but this run is for ${asked}`);
    if (plan.errors.length > 0) throw withErrors(plan.errors);
    for (const action of plan.actions) {
      if (!this.#isAsPlanned(action)) throw stale(`the record of "${action.fqn}" is not the one that the plan deletes`);
    }
    const isSame = POSITION.every((name) => plan.state[name] === position[name]);
    if (!isSame) throw stale("the state has changed since the plan was made");
  }

  /** True also for a resource that was not recorded when the plan was made, and is not recorded now. */
  #isAsPlanned({ fqn, action, deletes }: PlannedAction): boolean {
    const { contents } = this.#app.ledger;
    if (!deletes) return action !== "delete" || contents.at(fqn.slice(fqnIn(this.#app.root, "").length)) === undefined;
    const record = contents.records.get(deletes.uid);
    return record !== undefined && digestOfRecord(record) === deletes.digest;
  }

  /**
   * Permits an action before it starts. No plan knows the children that handlers declare, so they are permitted with
   * their parent.
   *
   * @throws EngineError `PLAN_MISMATCH`, which also interrupts the run
   */
  permit({ fqn, action, props, isPart }: Asked): void {
    const planned = this.#actions.get(fqn) ?? [];
    const sameAction = planned.filter((one) => isHeld(one, action));
    const rendered = renderWhole(props, this.#app.redact);
    const same = sameAction.find((one) => matches(one.props, rendered));
    if (same) return void this.#begun.add(same);
    if (planned.length === 0 && isPart && this.#plannedAncestor(fqn) !== undefined) return;
    const [held] = sameAction;
    if (held === undefined) this.#refuse(fqn, plannedText(planned[0]?.action), `${action} it`);
    this.#refuse(fqn, `the action ${action} with other props for`, `${action} it`, differing(held.props, rendered));
  }

  /** Permits a rename before the records move to the new name. @throws EngineError as {@link permit} */
  permitRename(ref: ResourceRef, before: string, isPart: boolean): void {
    if (this.#renamed.get(ref.fqn) === renamedNote(ref, before).reason) return;
    if (isPart && this.#plannedAncestor(ref.fqn) !== undefined) return;
    this.#refuse(ref.fqn, "no rename of", `rename it from "${before}"`);
  }

  /** Permits a delete. A retained resource is only removed from the state. @throws EngineError as {@link permit} */
  permitDelete(record: ResourceRecord, reason: DeletionContext["reason"], isRetained: boolean): void {
    const fqn = fqnIn(this.#app.root, record.key);
    const planned = this.#actions.get(fqn) ?? [];
    const said = planned[0]?.replaced ? "the delete of an old copy of" : plannedText(planned[0]?.action);
    const isOld = record.replaced === true || reason === "replaced";
    const same = planned.find((one) => isDeleteHeld(one, isOld));
    if (same?.action === "delete") this.#begun.add(same);
    if (same || (isRetained && this.#kept.has(fqn))) return;
    if (planned.length === 0 && this.#goesWithAncestor(record, fqn, reason, isOld)) return;
    this.#refuse(fqn, said, isRetained ? "remove it from the state" : "delete it");
  }

  /** Returns the planned actions that the run did not start, each with the reason. For the end of the run. */
  undone(): readonly Undone[] {
    const left = [...this.#actions.values()].flat().filter((action) => !this.#begun.has(action));
    return left.map((action) => whyUndone(this.#app, action));
  }

  /**
   * Returns, by uid, the replaces and deletes of dependents that the plan lists before it replaces or updates `old`;
   * undefined if it lists none.
   */
  firstOf({ key }: ResourceRecord): ReadonlyMap<string, PlannedAction> | undefined {
    const actions = this.#actions.get(fqnIn(this.#app.root, key)) ?? [];
    const listed = actions.flatMap(({ deletesFirst = [] }) => deletesFirst);
    if (listed.length === 0) return undefined;
    const going = listed.flatMap((fqn) => this.#actions.get(fqn) ?? []);
    return new Map(going.flatMap((one) => (one.deletes && isGoing(one) ? [[one.deletes.uid, one]] : [])));
  }

  #refuse(fqn: string, planned: string, about: string, props: readonly string[] = []): never {
    const which = props.length === 0 ? "" : ` (${props.join(", ")})`;
    const message = `The saved plan has ${planned} "${fqn}"${which}, but the run was about to ${about}. The run stopped and did nothing outside the plan. Check what changed since the plan was made, then make a new plan.`;
    const error = new EngineError("PLAN_MISMATCH", message, { fqn });
    this.#app.interrupt(error);
    throw error;
  }

  /** True for a child whose planned ancestor the plan deletes, or whose handler no longer declares it. */
  #goesWithAncestor(record: ResourceRecord, fqn: string, reason: DeletionContext["reason"], isOld: boolean): boolean {
    const { records } = this.#app.ledger.contents;
    const ancestor = this.#plannedAncestor(fqn);
    if (record.parent === undefined || ancestor === undefined) return false;
    if (isOld || this.#actions.get(ancestor)?.some((one) => isDeleteHeld(one, false))) return true;
    const { running } = this.#app.run;
    if (reason === "destroy") return [...running].some((one) => one.fqn === ancestor);
    for (let at: ResourceRecord | undefined = record; at; at = at.parent ? records.get(at.parent) : undefined) {
      if (at.dropped) return true;
    }
    return false;
  }

  /** Returns the FQN of the nearest planned ancestor. */
  #plannedAncestor(fqn: string): string | undefined {
    for (let at = fqn.lastIndexOf("/"); at > 0; at = fqn.lastIndexOf("/", at - 1)) {
      if (this.#actions.has(fqn.slice(0, at))) return fqn.slice(0, at);
    }
    return undefined;
  }
}

function isHeld({ action: planned, certain, mayReplace }: PlannedAction, action: Asked["action"]): boolean {
  if (planned === action) return true;
  // A resource that could not be read may be gone.
  if (planned === "replace") return !certain && (action === "update" || action === "create");
  if (planned === "update") return (mayReplace && action === "replace") || (!certain && action === "create");
  return planned === "create" && !certain;
}

function isGoing({ action }: PlannedAction): boolean {
  return action === "replace" || action === "delete";
}

/** A replace leaves an old copy. */
function isDeleteHeld({ action: planned, mayReplace, replaced }: PlannedAction, isOld: boolean): boolean {
  if (planned === "delete") return isOld || !replaced;
  return isOld && (planned === "replace" || mayReplace);
}

/** An unknown value matches any value. If a text contains an unknown value, its beginning and end are compared. */
function matches(planned: unknown, actual: unknown): boolean {
  if (planned === UNKNOWN) return true;
  if (typeof planned === "string" && typeof actual === "string") return canBecome(planned, actual);
  if (typeof planned !== "object" || planned === null || typeof actual !== "object" || actual === null) {
    return planned === actual;
  }
  if (Array.isArray(planned) !== Array.isArray(actual)) return false;
  const [from, to] = [presentOf(planned), presentOf(actual)];
  if ([...from.keys()].some((name) => name.includes(UNKNOWN))) return true;
  return from.size === to.size && [...from].every(([name, member]) => to.has(name) && matches(member, to.get(name)));
}

/** Returns the names of the props that differ. */
function differing(planned: unknown, actual: unknown): readonly string[] {
  if (typeof planned !== "object" || planned === null || typeof actual !== "object" || actual === null) return [];
  const [from, to] = [presentOf(planned), presentOf(actual)];
  const names = new Set([...from.keys(), ...to.keys()]);
  return [...names].filter((name) => !from.has(name) || !to.has(name) || !matches(from.get(name), to.get(name)));
}

function presentOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

function plannedText(action: PlannedAction["action"] | undefined): string {
  return action === undefined ? "no action for" : `the action ${action} for`;
}

function about({ app, stage, phase }: Pick<Plan, "app" | "stage" | "phase">): string {
  return `"${app}/${stage}" in the phase ${phase}`;
}

function withErrors(errors: Plan["errors"]): EngineError {
  const [first] = errors;
  const count = errors.length === 1 ? "an error" : `${errors.length} errors, the first of them`;
  const message = `The saved plan cannot be applied, because it has ${count}: ${first?.message ?? ""}`;
  return new EngineError(
    "PLAN_FAILED",
    `${cut(/[.!?]$/.test(message) ? message : `${message}.`)} Nothing was done. Fix the cause, and make a new plan.`,
  );
}

function stale(why: string): EngineError {
  return new EngineError("PLAN_STALE", `The saved plan cannot be applied: ${why}. Nothing was done. Make a new plan.`);
}

interface Undone {
  readonly fqn: string;
  readonly action: PlannedAction["action"];
  readonly why: string;
}

function whyUndone(app: App, planned: PlannedAction): Undone {
  const { fqn, action } = planned;
  return { fqn, action, why: reasonOf(app, planned) };
}

function reasonOf({ run, ledger, root }: App, { fqn, action, deletes }: PlannedAction): string {
  if (run.hasFailed(everywhere)) return "the run failed first";
  const isDeclared = run.optionsOf(fqn.slice(fqnIn(root, "").length)) !== undefined;
  if (action !== "delete") return isDeclared ? "it needed no change" : "the program did not declare it";
  if (!ledger.contents.records.has(deletes?.uid ?? "")) return "it was already gone";
  return isDeclared ? "the program declares it" : "it was kept";
}
