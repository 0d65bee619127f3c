/** Plans, drift, and runs that keep to a saved plan. */

import { performer } from "../apply/index.js";
import { EngineError } from "../base/index.js";
import { type EngineOptions, type Plan, runInScope, type Scope, type StatePosition } from "../contract/index.js";
import {
  beginPlan,
  checkPlanFile,
  type Drift,
  findDrift,
  guarded,
  PlanGuard,
  readPlan,
  SimulatedPerformer,
} from "../plan/index.js";
import { Generation } from "../run/index.js";
import { runCleanup } from "../scope/index.js";
import { digestOfContents } from "../state/index.js";
import type { EngineApp } from "./app-parts.js";

/** A new generation of an app, with the performer of a run or of a plan. @param isLater true for all but its first */
export function newGeneration(app: EngineApp, isLater = false): Generation {
  const { plan, concurrency } = app.options;
  // In a plan nothing runs, and nothing waits for a slot.
  return plan
    ? new Generation(Number.POSITIVE_INFINITY, new SimulatedPerformer(app), isLater)
    : new Generation(concurrency, performer, isLater);
}

/** What a run needs that makes a plan, or keeps to one. @throws EngineError `INVALID_OPTION`, `PLAN_STALE`, `PLAN_FAILED` */
export async function prepare(app: EngineApp): Promise<void> {
  const { plan, planFile } = app.options;
  if (!plan && planFile === undefined) return;
  // The durable state, not the view: a run that writes may be about to record the key of a new state, a plan never is.
  const { head, contents } = app.ledger.durable;
  const { lineage, seq, lines, digest } = head;
  const position: StatePosition = { lineage, seq, lines, digest, contents: digestOfContents(contents) };
  if (plan) beginPlan(app, position);
  if (planFile === undefined) return;
  const { generation, ledger } = app;
  const file = await readPlan(planFile);
  const guard = new PlanGuard(app, file.plan, position);
  // After what the guard refuses: a plan of another stage, or of an earlier key, is named as such.
  checkPlanFile(planFile, file, ledger.seal);
  generation.performer = guarded(generation.performer, guard);
}

type MakeWith = (options: EngineOptions) => EngineApp;

export async function planOf(
  make: MakeWith,
  options: EngineOptions,
  program: (scope: Scope) => unknown,
): Promise<Plan> {
  const made: Plan[] = [];
  const app = make({ ...options, plan: true });
  app.events.source.on("plan:made", ({ type: _type, time: _time, ...plan }) => void made.push(plan));
  await app.start();
  // What it rejects with is among what finalize knows.
  await app.root.run(program).catch(() => {});
  await app.root.finalize();
  const [plan] = made;
  if (plan) return plan;
  throw new EngineError("INVALID_CALL", "The program has finalized its app, and declared the rest in another run.");
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
