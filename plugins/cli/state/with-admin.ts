/** Runs work with the admin of an app that is not open. */

import type { App } from "../../../core/run/index.js";
import { adminOf, type StageAdmin } from "../../admin/operations/index.js";
import { adminParts } from "../../admin/parts.js";

/** Closes the admin after the work. */
export async function withAdmin<T>(app: App, work: (admin: StageAdmin) => Promise<T>): Promise<T> {
  const admin = adminOf(app, adminParts);
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}
