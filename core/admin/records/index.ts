/** Changes of what is recorded of some resources, without touching these. */
export { type ForgetOptions, type Forgotten, type ForgottenName, forget } from "./forget.js";
export { type KeepOptions, type Kept, keep } from "./keep.js";
export { type Purged, type PurgeOptions, purge, recordsNothing } from "./purge.js";
