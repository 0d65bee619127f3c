/** The state of a stage in another store from now on, for programs. */

import type { EngineOptions, StateStore, StateStoreOption } from "../contract/index.js";
import { type Migrated, type Migration, migrate } from "../state/index.js";
import type { EngineApp } from "./app-parts.js";
import { chooseStore, sessionSettings, storeOf } from "./open-state.js";

/** Which state is moved, and where to. */
export interface MigrationOptions
  extends Pick<
    EngineOptions,
    "stage" | "stateStore" | "password" | "key" | "profile" | "rootDir" | "lockTimeout" | "env" | "signal" | "plugins"
  > {
  /** The other store, which must have nothing of this stage. */
  readonly to: StateStoreOption;
  /** Called after every few keys: each counts when it is copied, and when it is compared. */
  readonly progress?: (done: number, all: number) => void;
}

/** The work of `engine.migrate`. */
export async function migrateOf(
  make: (options: EngineOptions) => EngineApp,
  { to, progress, ...options }: MigrationOptions,
): Promise<Migrated> {
  const app = make({ ...options, argv: [] });
  try {
    const { store, isOwn } = await chooseStore(app);
    try {
      return await migrateTo(app, store, to, { progress });
    } finally {
      if (isOwn) await store.close?.();
    }
  } catch (error) {
    throw app.safe(error);
  } finally {
    await app.release();
  }
}

/** Moves the stage of an app, which is not open, from one store to another. */
export async function migrateTo(
  app: EngineApp,
  from: StateStore,
  to: StateStoreOption,
  more: Omit<Migration, "to">,
): Promise<Migrated> {
  const { store, isOwn } = await storeOf(app, to);
  try {
    const settings = sessionSettings(app, from);
    // The app is not open, and does not follow its signal.
    const { signal = settings.signal } = app.options;
    return await migrate({ ...settings, signal }, { to: store, ...more });
  } finally {
    if (isOwn) await store.close?.();
  }
}
