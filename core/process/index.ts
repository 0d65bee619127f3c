/** Commands and processes that programs start. */
export { checkCommand, textOf } from "./command-line.js";
export { childEnvironment, plainEnvironment } from "./environment.js";
export { execIn } from "./exec.js";
export { resourceLogOf, resourceRecordOf } from "./places.js";
export { destroyProcesses, pruneProcesses } from "./prune-processes.js";
export { spawnIn } from "./spawn.js";
