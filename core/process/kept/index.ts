/** Processes that outlive the call that starts them: their records, how long they live, and who ends them. */
export { endRecorded } from "./end-recorded.js";
export { type Kept, keepProcess } from "./keep.js";
export { tellEnd, tellStart } from "./life.js";
export { endSession, type ListedProcess, listProcesses, stopAll } from "./list.js";
export { placeIn } from "./place-in.js";
export { type ProcessRecord, readRecord } from "./record.js";
export { newSession } from "./session.js";
export { standingOf } from "./standing.js";
