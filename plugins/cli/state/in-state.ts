/** Finds the stage and its admin for the commands about the state. */
import type { Command } from "commander";
import type { App } from "../../../core/run/index.js";
import type { StageAdmin } from "../../admin/operations/index.js";
import { programFlags, textOf } from "../flags.js";
import { nothingThere, openStage, stageExists } from "../open-stage.js";
import type { Given } from "../run-command.js";
import { withAdmin } from "./with-admin.js";

export interface InState {
  readonly app: App;
  readonly admin: StageAdmin;
  readonly given: Given;
}

/** Work of a command. Resolves with the exit code; 0 if it returns none. */
export type StateWork = (context: InState) => Promise<number | void>;

/** Finds the requested stage, which must exist, does the work, and ends the process. */
export function inState(command: Command, work: StateWork): Promise<never> {
  return inAnyState(command, async (context) => {
    const { admin, given } = context;
    return (await stageExists(admin, given)) ? work(context) : nothingThere(admin, given);
  });
}

/** Like {@link inState}, but also for a stage that has no state. */
export function inAnyState(command: Command, work: StateWork): Promise<never> {
  const given: Given = command.optsWithGlobals();
  const [entry, app, envFile] = [given.entry, given.app, given.envFile].map(textOf);
  return openStage({ entry, app, envFile, flags: programFlags(command) }, async (opened) => {
    return withAdmin(opened, async (admin) => (await work({ app: opened, admin, given })) ?? 0);
  });
}
