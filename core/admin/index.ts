/** What tools do with a stage: show, move, forget, unlock, verify, restore. */
export { pull, push } from "./copy.js";
export { detailOf } from "./detail.js";
export type { Finding } from "./finding.js";
export { type Forgotten, forget } from "./forget.js";
export { type Holder, holderOf } from "./holder.js";
export { compare, type ListedResource, listed, rowOf } from "./listed.js";
export { move } from "./move.js";
export { inOwnRun } from "./own-run.js";
export { type PastState, pastStates } from "./past.js";
export { fqnOf, type Naming, pathIn, scopesIn } from "./recorded-name.js";
export { recoverNow } from "./recover.js";
export { type Restored, restore } from "./restore.js";
export { unlock } from "./unlock.js";
export { masked, revealed } from "./values.js";
export { type Verified, verify } from "./verify.js";
