/** Makes plans, finds drift, and keeps runs to a saved plan. */

import { asDeclared } from "../../core/apply/index.js";
import { EngineError } from "../../core/base/index.js";
import {
  type EngineOptions,
  INTERNALS,
  type Plan,
  runInScope,
  type Scope,
  type StatePosition,
} from "../../core/contract/index.js";
import { decodeProps } from "../../core/handler/index.js";
import type { App, Operation, Performer, Planning } from "../../core/run/index.js";
import { runCleanup } from "../../core/scope/index.js";
import { digestOfContents } from "../../core/state/index.js";
import { type Drift, findDrift } from "./drift.js";
import { checkPlanFile, readPlan, writePlan } from "./file.js";
import { forecast } from "./forecast.js";
import { PlanGuard } from "./plan-guard.js";
import { beginPlan, SimulatedPerformer } from "./simulated-performer.js";

/** The part of an engine that makes plans. */
export const planning: Planning = {
  simulated: (app) => new SimulatedPerformer(app),
  async loaded(app) {
    // The durable state, not the view: a run that writes may be about to record the key of a new state, a plan never
    // does.
    const { head, contents } = app.ledger.durable;
    const { lineage, seq, lines, digest } = head;
    const { plan, planFile, planOut } = app.options;
    // A digest of everything takes a quarter of the time of a plan that finds no change.
    const isCompared = planOut !== undefined || planFile !== undefined;
    const position: StatePosition = {
      lineage,
      seq,
      lines,
      digest,
      ...(isCompared && { contents: digestOfContents(contents) }),
    };
    if (plan) beginPlan(app, position);
    if (planFile !== undefined) await keepTo(app, planFile, position);
  },
  async made({ options, ledger }, plan) {
    if (options.planOut !== undefined) await writePlan(options.planOut, plan, ledger.seal);
  },
};

/** Keeps the run to the saved plan in a file. */
async function keepTo(app: App, path: string, position: StatePosition): Promise<void> {
  const { run, ledger } = app;
  const file = await readPlan(path);
  const guard = new PlanGuard(app, file.plan, position);
  // After the checks of the guard, whose errors name another stage or an earlier key.
  checkPlanFile(path, file, ledger.seal);
  run.performer = guarded(run.performer, guard);
}

type MakeWith = (options: EngineOptions) => App;

export async function planOf(
  make: MakeWith,
  options: EngineOptions,
  program: (scope: Scope) => unknown,
): Promise<Plan> {
  const made: Plan[] = [];
  const app = make({ ...options, plan: true });
  app.events.source.on("plan:made", ({ type: _type, time: _time, ...plan }) => void made.push(plan));
  await app.start();
  // finalize() also reports its error.
  await app.root.run(program).catch(() => {});
  await app.root.finalize();
  const [plan] = made;
  if (plan) return plan;
  throw new EngineError(
    "INVALID_CALL",
    "The program finalized its app and declared more resources in another run. Declare all resources before you finalize.",
  );
}

export async function driftOf(make: MakeWith, options: EngineOptions): Promise<Drift> {
  const app = make({ ...options, phase: "read" });
  await app.start();
  try {
    return await runInScope(app.root, () => findDrift(app));
  } finally {
    await runCleanup(app);
    await app.release();
  }
}

/** @param performer performs the permitted actions */
function guarded(performer: Performer, guard: PlanGuard): Performer {
  return {
    // The performer of a run is a plain object, so the spread copies all its methods.
    ...performer,
    execute: (operation) => {
      const { refuse } = operation;
      operation.refuse = async () => {
        await refuse?.();
        await permit(operation, guard);
      };
      return performer.execute(operation);
    },
    delete: async (request, admission) => {
      guard.permitDelete(request.record, request.reason, request.isRetained === true);
      await performer.delete(request, admission);
    },
    firstOf: (old) => guard.firstOf(old),
    undone: () => guard.undone(),
    rename: (ref, before, isPart) => guard.permitRename(ref, before, isPart),
  };
}

async function permit(operation: Operation<"begun">, guard: PlanGuard): Promise<void> {
  const { app, key, ref, scope, uid, old } = operation;
  const before = old ?? app.ledger.contents.at(key);
  // The action as the plan names it: a plan lists an update that will ask for a replacement as a replace.
  const { action } = await forecast(operation, before);
  if (action === "unchanged") return;
  const { encoded } = action === "replace" && before ? asDeclared(operation, before) : operation;
  const props = await decodeProps(operation, uid, encoded);
  guard.permit({ ...ref, action, props, isPart: scope[INTERNALS].resource !== undefined });
}
