/** A saved plan that a run keeps to: nothing is done that it does not hold. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import type { ResourceRef } from "../vocabulary.js";
import type { Plan, PlannedAction, StatePosition } from "./plan.js";
import { shown, UNKNOWN } from "./shown.js";

type Doing = PlannedAction["action"];

export class BoundPlan {
  readonly #app: App;
  readonly #actions = new Map<string, PlannedAction[]>();

  /** @throws EngineError `PLAN_STALE` where it is about something else, or was made from another state */
  constructor(app: App, plan: Plan, position: StatePosition) {
    this.#app = app;
    for (const action of plan.actions) {
      const others = this.#actions.get(action.fqn);
      if (others) others.push(action);
      else this.#actions.set(action.fqn, [action]);
    }
    const { root, options } = app;
    const [asked, made] = [about({ app: root.appName, stage: root.stage, phase: options.phase }), about(plan)];
    if (asked !== made) throw stale(`it is a plan of ${made}, and this is ${asked}`);
    const { state } = plan;
    const isSame = state.seq === position.seq && state.lines === position.lines && state.digest === position.digest;
    if (!isSame || state.lineage !== position.lineage) throw stale("the state has changed since it was made");
  }

  /**
   * To be asked before anything is done. What handlers declare, which no plan knows, goes with the resource that it is
   * a part of.
   *
   * @throws EngineError `PLAN_MISMATCH`; the run is interrupted with it
   */
  permit(ref: ResourceRef, action: Doing, props?: unknown): void {
    const planned = this.#actions.get(ref.fqn) ?? [];
    const sameAction = planned.filter((one) => isHeld(one, action));
    const asShown = shown(props, this.#app.redact);
    if (sameAction.some((one) => action === "delete" || matches(one.props, asShown))) return;
    if (planned.length === 0 && this.#isPartOfPlanned(ref.fqn)) return;
    const other = sameAction.length > 0 ? "with other props" : (planned[0]?.action ?? "nothing");
    const message = `The saved plan says ${other === "with other props" ? `${action} ${other}` : other} for "${ref.fqn}", and the run was about to ${action} it. It stops here: nothing that the plan does not hold was done.`;
    const error = new EngineError("PLAN_MISMATCH", message, { fqn: ref.fqn });
    this.#app.interrupt(error);
    throw error;
  }

  #isPartOfPlanned(fqn: string): boolean {
    for (let at = fqn.lastIndexOf("/"); at > 0; at = fqn.lastIndexOf("/", at - 1)) {
      if (this.#actions.has(fqn.slice(0, at))) return true;
    }
    return false;
  }
}

function isHeld({ action: planned, certain, mayReplace }: PlannedAction, action: Doing): boolean {
  if (planned === action) return true;
  // The old copy that a replace leaves.
  if (planned === "replace") return action === "delete" || (!certain && action === "update");
  if (planned === "update") return mayReplace && (action === "replace" || action === "delete");
  return planned === "create" && !certain && action !== "delete";
}

/** What was not known can be anything; of a text with something unknown in it, the beginning is compared. */
function matches(planned: unknown, actual: unknown): boolean {
  if (typeof planned === "string" && planned.includes(UNKNOWN)) {
    const beginning = planned.slice(0, planned.indexOf(UNKNOWN));
    return beginning === "" || (typeof actual === "string" && actual.startsWith(beginning));
  }
  if (typeof planned !== "object" || planned === null || typeof actual !== "object" || actual === null) {
    return planned === actual;
  }
  if (Array.isArray(planned) !== Array.isArray(actual)) return false;
  const [from, to] = [presentOf(planned), presentOf(actual)];
  if ([...from.keys()].some((name) => name.includes(UNKNOWN))) return true;
  return from.size === to.size && [...from].every(([name, member]) => to.has(name) && matches(member, to.get(name)));
}

function presentOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

function about({ app, stage, phase }: Pick<Plan, "app" | "stage" | "phase">): string {
  return `"${app}/${stage}" in the phase ${phase}`;
}

function stale(why: string): EngineError {
  return new EngineError("PLAN_STALE", `The saved plan cannot be applied: ${why}. Nothing was done. Make a new plan.`);
}
