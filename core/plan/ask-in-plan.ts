/** What plugins have against deletes that a plan foresees. */

import type { ResourceRecord } from "../contract/index.js";
import { type Deletion, prepare, readable } from "../destroy/index.js";
import { decodeOutput } from "../handler/index.js";
import { type App, askBeforeDelete, retainedOf } from "../run/index.js";

/** Asks about one. */
export async function askInPlan(deletion: Deletion): Promise<void> {
  const { app, record, ref, scope, reason } = deletion;
  const output = await readable(deletion, () => decodeOutput(deletion, record));
  await askBeforeDelete(app, { ...ref, scope, reason, output });
}

/** Asks about the old copy that a replace deletes first, and its children: they go before it. */
export async function askAboutOld(app: App, family: readonly ResourceRecord[]): Promise<void> {
  if (!app.calls.beforeDelete.used) return;
  const retained = retainedOf(app, family);
  for (const record of [...family].reverse()) {
    if (!retained.has(record.uid)) await askInPlan(await prepare({ app, record, reason: "replaced" }));
  }
}
