/** What is wrong with a stage as its store has it. */
export type { Finding } from "./finding.js";
export { type Copy, proveCopy } from "./prove-copy.js";
export { type CopySeal, type SealStatus, sealOfCopy, sealStatusOf, weaker } from "./seal-status.js";
export { type InspectContents, type Verified, verify } from "./verify.js";
