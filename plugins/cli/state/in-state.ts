/** What every command about a recorded state begins with: the stage's program, its store, and where to work in it. */
import type { Command } from "commander";
import type { Naming } from "../../../core/admin/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { chooseStore, type EngineApp, sessionSettings } from "../../../core/engine/index.js";
import { type AmendSettings, type Loaded, load, placeOf } from "../../../core/state/index.js";
import { programFlags, textOf } from "../flags.js";
import { openStage } from "../open-stage.js";
import type { Given } from "../run-command.js";

export interface InState {
  readonly app: EngineApp;
  readonly store: StateStore;
  readonly settings: AmendSettings;
  readonly given: Given;
}

/** Resolves with the exit code; 0 where it gives none. */
export type StateWork = (context: InState) => Promise<number | void>;

/** Finds the stage that was asked for, does the work, and ends the process. */
export function inState(command: Command, work: StateWork): Promise<never> {
  const given: Given = command.optsWithGlobals();
  const [entry, app, envFile] = [given.entry, given.app, given.envFile].map(textOf);
  return openStage({ entry, app, envFile, flags: programFlags(command) }, async (opened) => {
    return withStore(opened, async (found) => (await work({ ...found, given })) ?? 0);
  });
}

/** Where the state of an app is, as long as the work takes. */
export async function withStore<T>(app: EngineApp, work: (found: Omit<InState, "given">) => Promise<T>): Promise<T> {
  const { store, isOwn } = await chooseStore(app);
  try {
    return await work({ app, store, settings: sessionSettings(app, store) });
  } finally {
    if (isOwn) await store.close?.();
  }
}

/** What is recorded by now; takes no lock. */
export async function look({
  settings,
}: Pick<InState, "settings">): Promise<{ readonly loaded: Loaded; readonly naming: Naming }> {
  const loaded = await load(placeOf(settings));
  const { app, stage } = settings;
  return { loaded, naming: { app, stage, contents: loaded.contents } };
}
