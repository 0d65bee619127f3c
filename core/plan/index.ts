/** Plans: a run that only notes what it would do, one that keeps to what was noted, their files; and drift. */
export { type Drift, type DriftedResource, findDrift } from "./drift.js";
export { checkPlanFile, readPlan, writePlan } from "./file.js";
export { guarded } from "./guarded.js";
export { PlanGuard } from "./plan-guard.js";
export { beginPlan, plannerOf, SimulatedPerformer } from "./simulated-performer.js";
