/** What every command about a recorded state begins with: the stage that its program says, and what can be done with it. */
import type { Command } from "commander";
import { adminOf, type StageAdmin } from "../../../core/admin/index.js";
import type { EngineApp } from "../../../core/engine/index.js";
import { adminParts } from "../../admin/parts.js";
import { programFlags, textOf } from "../flags.js";
import { openStage } from "../open-stage.js";
import type { Given } from "../run-command.js";

export interface InState {
  readonly app: EngineApp;
  readonly admin: StageAdmin;
  readonly given: Given;
}

/** Resolves with the exit code; 0 where it gives none. */
export type StateWork = (context: InState) => Promise<number | void>;

/** Finds the stage that was asked for, does the work, and ends the process. */
export function inState(command: Command, work: StateWork): Promise<never> {
  const given: Given = command.optsWithGlobals();
  const [entry, app, envFile] = [given.entry, given.app, given.envFile].map(textOf);
  return openStage({ entry, app, envFile, flags: programFlags(command) }, async (opened) => {
    return withAdmin(opened, async (admin) => (await work({ app: opened, admin, given })) ?? 0);
  });
}

/** As long as the work takes. */
export async function withAdmin<T>(app: EngineApp, work: (admin: StageAdmin) => Promise<T>): Promise<T> {
  const admin = adminOf(app, adminParts);
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}
