/** What tools do with a stage: {@link StageAdmin}, and the types of what it gives. */
export { type AdminParts, adminOf } from "./admin-of.js";
export type { Detail, ResourceDetail, ScopeDetail } from "./detail.js";
export { type Graph, type GraphEdge, type GraphGroup, type GraphNode, nodeNames } from "./graph.js";
export type { EndedRun, HistoryCopy } from "./history.js";
export { compare, type ListedResource, type TreeNode } from "./listed.js";
export type { Moved, MoveOptions } from "./move.js";
export type { Recovered, SealingOptions } from "./own-run.js";
export { selectorOf } from "./recorded-name.js";
export type {
  ForgetOptions,
  Forgotten,
  ForgottenName,
  KeepOptions,
  Kept,
  Purged,
  PurgeOptions,
} from "./records/index.js";
export type { Restored, Restoring } from "./restore.js";
export type { RotationOptions, RunWith } from "./rotation.js";
export type { PushTextOptions, ShowOptions, StageAdmin, StageList } from "./stage-admin.js";
export type { ListStagesOptions, StageMove, StageSummary } from "./stages.js";
export type { Holder, UnlockOptions } from "./unlock.js";
export type { Finding, SealStatus, Verified } from "./verify/index.js";
export type {
  DifferenceOptions,
  FindOptions,
  FoundText,
  PartOptions,
  RecordedValue,
  ResourceDifference,
  StageDifference,
  StageView,
  ValueLimits,
  ValuePart,
} from "./view/index.js";
