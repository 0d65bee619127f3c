/** The commands about what is recorded. What they do is loaded when one is called. */
import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { sentenceOf } from "../run-command.js";

export function addState(program: Command): void {
  const state = program
    .command("state")
    .summary("look at what is recorded, mend it, move it")
    .description("Looks at what is recorded of a stage, mends it, moves it. No resource is touched by any of this.");
  const add = (syntax: string, summary: string): Command => {
    return addFlags(state.command(syntax).summary(summary).description(sentenceOf(summary)));
  };
  const run = async (command: Command, work: import("./in-state.js").StateWork): Promise<void> => {
    const { inState } = await import("./in-state.js");
    await inState(command, work);
  };
  const runAnywhere = async (command: Command, work: import("./in-state.js").StateWork): Promise<void> => {
    const { inAnyState } = await import("./in-state.js");
    await inAnyState(command, work);
  };

  add("list [globs...]", "list the resources that are recorded, or those whose names match").action(
    (globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./list.js")).list(context, globs)),
  );
  add("show <name>", "show all that is recorded of a resource, a scope, or the stage").action(
    (name: string, _given, command: Command) =>
      run(command, async (context) => (await import("./list.js")).show(context, name)),
  );
  add("tree", "show scopes and resources as they are nested").action((_given, command: Command) =>
    run(command, async (context) => (await import("./list.js")).tree(context)),
  );
  add("history", "list the copies of the state that can be restored").action((_given, command: Command) =>
    run(command, async (context) => (await import("./history.js")).history(context)),
  );
  add("stages", "list all stages of all apps in the store: last run, lock, how much is recorded").action(
    (_given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./stages.js")).stages(context)),
  );
  add("verify", "read every byte of the state, and tell all that is not as it was written").action(
    (_given, command: Command) => run(command, async (context) => (await import("./verify.js")).verify(context)),
  );
  add("unlock", "end the session of a run that is gone, or that nobody wants to wait for").action(
    (_given, command: Command) => run(command, async (context) => (await import("./sessions.js")).unlock(context)),
  );
  add("move <from> <to>", "give a resource, or a scope with all that is in it, another name").action(
    (from: string, to: string, _given, command: Command) =>
      run(command, async (context) => (await import("./records.js")).move(context, from, to)),
  );
  add("forget <globs...>", "forget resources, and leave the things themselves as they are").action(
    (globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./records.js")).forget(context, globs)),
  );
  add("keep <name>", "keep a resource that is still there after a delete that did not end").action(
    (name: string, _given, command: Command) =>
      run(command, async (context) => (await import("./records.js")).keep(context, name)),
  );
  add("pull", "print the state as a text that can be pushed").action((_given, command: Command) =>
    run(command, async (context) => (await import("./copies.js")).pull(context)),
  );
  add("push <file>", "make the state what a text says that was pulled").action(
    (file: string, _given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./copies.js")).push(context, file)),
  );
  add("restore <seq>", "make the state what it was: see history").action((seq: string, _given, command: Command) =>
    run(command, async (context) => (await import("./copies.js")).restore(context, seq)),
  );
  add("purge", "remove the past of a stage that records nothing any more").action((_given, command: Command) =>
    run(command, async (context) => (await import("./records.js")).purge(context)),
  );
  add("seal", "seal a state that was never sealed, as it is, with the password or key of its stage").action(
    (_given, command: Command) => run(command, async (context) => (await import("./sessions.js")).seal(context)),
  );
  add("migrate", "move the state to another store, and let the old one say where it went").action(
    (_given, command: Command) => run(command, async (context) => (await import("./migrate.js")).migrate(context)),
  );
  add("recover", "record now what earlier runs could not: the recovery files beside the project").action(
    (_given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./sessions.js")).recover(context)),
  );
  add("processes [globs...]", "list what the engine has started on this machine and keeps, and stop it").action(
    (globs: string[], _given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./processes.js")).processes(context, globs)),
  );
}
