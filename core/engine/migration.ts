/** The state of a stage in another store from now on. */

import { EngineError } from "../base/index.js";
import type { StateStore, StateStoreOption } from "../contract/index.js";
import { type Migrated, type Migration, migrate } from "../state/index.js";
import type { EngineApp } from "./app-parts.js";
import { sessionSettings, storeOf } from "./open-state.js";

/** Moves the stage of an app, which is not open, from one store to another. */
export async function migrateTo(
  app: EngineApp,
  from: StateStore,
  to: StateStoreOption,
  more: Omit<Migration, "to">,
): Promise<Migrated> {
  // Without it a plugin would choose one, which nobody has asked for.
  if (to === undefined)
    throw new EngineError("INVALID_OPTION", "migrate() needs the store that the state is moved to.");
  const { store, isOwn } = await storeOf(app, to);
  try {
    const settings = sessionSettings(app, from);
    // Its reason stands in the message in the words of whoever aborted it.
    const { signal = settings.signal } = app.options;
    return await migrate({ ...settings, signal }, { to: store, ...more });
  } finally {
    if (isOwn) await store.close?.();
  }
}
