/** Commands and processes that programs start. */
export { checkCommand, textOf } from "./command-line.js";
export { childEnvironment, plainEnvironment } from "./environment.js";
export { execCall } from "./exec.js";
export { resourceLogOf, resourceRecordOf } from "./places.js";
export { destroyProcesses, pruneFormer, pruneProcesses } from "./prune-processes.js";
export { spawnCall } from "./spawn.js";
