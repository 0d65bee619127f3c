/** Plans as files, and drift. */
export { type Drift, type DriftedResource, findDrift } from "./drift.js";
export { readPlan, writePlan } from "./file.js";
