/** `engine state` for programs: {@link stageAdmin}, and {@link stagesOf} for all stages of a store. */

import { EngineError } from "../../core/base/index.js";
import type { EngineOptions, StateStoreOption } from "../../core/contract/index.js";
import { makeDetachedApp } from "../../core/engine/index.js";
import { envOptions } from "../env-options/index.js";
import { secrets } from "../secrets/index.js";
import { stateStore } from "../state-store/index.js";
import { adminOf, type ListStagesOptions, type StageAdmin, type StageSummary } from "./operations/index.js";
import { adminParts } from "./parts.js";

export type { DeletionCause, FailedDeletion, RecordStatus } from "../../core/contract/index.js";
export type {
  Detail,
  DifferenceOptions,
  EndedRun,
  Finding,
  FindOptions,
  ForgetOptions,
  Forgotten,
  ForgottenName,
  FoundText,
  Graph,
  GraphEdge,
  GraphGroup,
  GraphNode,
  HistoryCopy,
  Holder,
  KeepOptions,
  Kept,
  LastChanges,
  ListedResource,
  ListStagesOptions,
  Migrated,
  Migration,
  Moved,
  MovedRecord,
  MovedTo,
  MoveOptions,
  MoveToOptions,
  PartOptions,
  Purged,
  PurgeOptions,
  PushTextOptions,
  RecordedValue,
  Recovered,
  ResourceDetail,
  ResourceDifference,
  Restored,
  Restoring,
  RotationOptions,
  ScopeDetail,
  SealingOptions,
  SealStatus,
  ShowOptions,
  StageAdmin,
  StageDifference,
  StageList,
  StageMove,
  StageSummary,
  StageView,
  TreeNode,
  UnlockOptions,
  ValueLimits,
  ValuePart,
  Verified,
} from "./operations/index.js";

/** The app, its stage, and options of `engine()` with the same names and defaults. */
export interface StageAdminOptions
  extends Pick<
    EngineOptions,
    "stage" | "password" | "key" | "profile" | "rootDir" | "lockTimeout" | "env" | "signal" | "strictState" | "plugins"
  > {
  /** Name of the app. */
  readonly app: string;
}

/**
 * Returns the operations on the state of a stage: see {@link StageAdmin}. Nothing is read before you call its first
 * method. It makes no app live, and you need not import any resource type.
 *
 * @param store as the option `stateStore`; a store that a function makes is closed with the admin
 * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`
 *
 * @example
 * ```ts
 * await using admin = stageAdmin(fsStore(), { app: "shop", stage: "prod" });
 * for (const { fqn, status } of (await admin.list()).resources) console.log(fqn, status);
 * ```
 */
export function stageAdmin(store: StateStoreOption, given: StageAdminOptions): StageAdmin {
  if (store === undefined)
    throw new EngineError("INVALID_OPTION", "stageAdmin() needs a store. Pass the one that holds the state.");
  if (given?.app === undefined)
    throw new EngineError("INVALID_OPTION", "stageAdmin() needs the name of the app. Pass { app }.");
  const { app, ...options } = given;
  const own = { ...options, stateStore: store, argv: [], telemetry: false, quiet: true } as const;
  return adminOf(makeDetachedApp({ plugins: [envOptions(), secrets(), stateStore()] }, app, own), {
    ...adminParts,
    isOwn: true,
  });
}

/** Options of {@link stagesOf}: how a store is found, and which of its stages are listed. */
export type StagesOptions = Pick<StageAdminOptions, "profile" | "rootDir" | "env"> & ListStagesOptions;

/**
 * Lists all stages of all apps in a store, by name: as {@link StageAdmin.stages}, without an app. A function that makes
 * a store gets `*` as app and stage.
 *
 * @throws EngineError `STORE_FAILED` if the store cannot be listed
 *
 * @example
 * ```ts
 * for (const { app, stage, resources, lastRun } of await stagesOf(s3Store({ bucket: "acme-state" }))) {
 *   console.log(`${app}/${stage}`, resources, lastRun?.outcome);
 * }
 * ```
 */
export async function stagesOf(
  store: StateStoreOption,
  { all, ...options }: StagesOptions = {},
): Promise<readonly StageSummary[]> {
  const admin = stageAdmin(store, { ...options, app: "*", stage: "*" });
  try {
    return await admin.stages({ all });
  } finally {
    await admin.close();
  }
}
