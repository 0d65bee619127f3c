/** Data sources of the page: the stages of a store, and the runs of this process, of files, and of child processes. */
export { type FleetSource, fleetSource, type OwnFleet } from "./fleets.js";
export { allRuns, KeptRun, type RunEvents, type RunSource } from "./kept-run.js";
export { LiveRuns } from "./live-runs.js";
export { Looks } from "./looks.js";
export { Missing } from "./missing.js";
export { checkAwaited, duringRequest } from "./requests.js";
export { type RunFiles, runFiles } from "./run-files.js";
export { type StageName, type StageSource, stageSource } from "./stage-source.js";
