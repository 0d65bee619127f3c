/** What every command about a recorded state begins with: the stage's program, its store, and where to work in it. */
import type { Command } from "commander";
import type { App } from "../../../core/app.js";
import { chooseStore, sessionSettings } from "../../../core/open-state.js";
import { type AmendSettings, placeOf } from "../../../core/state/amend.js";
import { type Loaded, load } from "../../../core/state/load.js";
import type { StateStore } from "../../../core/state/store.js";
import type { Naming } from "../../../core/tools/recorded-name.js";
import { argvOf, FLAGS } from "../flags.js";
import { openStage } from "../open-stage.js";
import type { Given } from "../run-command.js";

export interface InState {
  readonly app: App;
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
  return openStage({ entry, app, envFile, argv: argvOf(command, FLAGS.state) }, async (opened) => {
    const { store, isOwn } = await chooseStore(opened);
    try {
      return (await work({ app: opened, store, settings: sessionSettings(opened, store), given })) ?? 0;
    } finally {
      if (isOwn) await store.close?.();
    }
  });
}

/** What is recorded by now; takes no lock. */
export async function look({ settings }: InState): Promise<{ readonly loaded: Loaded; readonly naming: Naming }> {
  const loaded = await load(placeOf(settings));
  const { app, stage } = settings;
  return { loaded, naming: { app, stage, contents: loaded.contents } };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
