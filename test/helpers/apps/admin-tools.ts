/** The tools of `stageAdmin()` in one call each, with keys that are cheap to derive. */

import type { EngineOptions, StateStoreOption } from "../../../core/contract/index.js";
import { makeDetachedApp } from "../../../core/engine/index.js";
import type { Migrated, Migration } from "../../../plugins/admin/operations/index.js";
import { adminOf, type RotationOptions, type StageAdmin } from "../../../plugins/admin/operations/index.js";
import { adminParts } from "../../../plugins/admin/parts.js";
import { envOptions } from "../../../plugins/env-options/index.js";
import { secrets } from "../../../plugins/secrets/index.js";

/** Options that find the stage, and arguments of the tool. */
export type ToolOptions<Own> = EngineOptions & Own & { readonly cost?: number };

export const rotatePassword = (app: string, options: ToolOptions<RotationOptions>): Promise<boolean> =>
  inAdmin(app, options, (admin, own) => admin.rotate(own));

export const rekey = (app: string, options: ToolOptions<RotationOptions>): Promise<number> =>
  inAdmin(app, options, (admin, own) => admin.rekey(own));

export const sealState = (
  app: string,
  { approve, ...options }: ToolOptions<NonNullable<Parameters<StageAdmin["seal"]>[0]>>,
): Promise<boolean> => inAdmin(app, options, (admin) => admin.seal({ approve }));

export const migrate = (
  app: string,
  { to, progress, approve, ...options }: ToolOptions<Omit<Migration, "to"> & { readonly to: StateStoreOption }>,
): Promise<Migrated> => inAdmin(app, options, (admin) => admin.migrate(to, { progress, approve }));

async function inAdmin<T>(
  name: string,
  { newPassword, newKey, scope, scopePassword, scopeKey, cost, ...options }: ToolOptions<RotationOptions>,
  work: (admin: StageAdmin, own: RotationOptions) => Promise<T>,
): Promise<T> {
  const app = makeDetachedApp({ plugins: [envOptions(), secrets({ cost })] }, name, { ...options, argv: [] });
  const admin = adminOf(app, { ...adminParts, isOwn: true });
  try {
    return await work(admin, { newPassword, newKey, scope, scopePassword, scopeKey, cost });
  } finally {
    await admin.close();
  }
}
