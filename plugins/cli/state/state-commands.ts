/** Defines the commands about the state. Their implementation is loaded when one is called. */
import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { sentenceOf } from "../run-command.js";

export function addState(program: Command): void {
  const state = program
    .command("state")
    .summary("inspect, repair or move the state of a stage")
    .description("Inspect, repair or move the state of a stage. These commands do not change the real resources.");
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

  add("init", "prepare the store, such as the table in PostgreSQL, before the first run").action(
    (_given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./prepare-store.js")).prepareStore(context)),
  );
  add("list [globs...]", "list all recorded resources, or those whose names match").action(
    (globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./list.js")).list(context, globs)),
  );
  add("show <name>", "show the record of a resource, of a scope, or of the stage").action(
    (name: string, _given, command: Command) =>
      run(command, async (context) => (await import("./list.js")).show(context, name)),
  );
  add("tree", "show scopes and resources as a tree").action((_given, command: Command) =>
    run(command, async (context) => (await import("./list.js")).tree(context)),
  );
  add("history", "list the copies of the state that can be restored").action((_given, command: Command) =>
    run(command, async (context) => (await import("./history.js")).history(context)),
  );
  add("stages", "list all stages of all apps in the store, with last run, lock and number of resources").action(
    (_given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./stages.js")).stages(context)),
  );
  add("verify", "read the whole state and report damage").action((_given, command: Command) =>
    run(command, async (context) => (await import("./verify.js")).verify(context)),
  );
  add("unlock", "unlock a stage whose run has crashed or is not worth waiting for").action((_given, command: Command) =>
    run(command, async (context) => (await import("./sessions.js")).unlock(context)),
  );
  add("move [names...]", "rename a resource or a scope (FROM TO), or move records to another stage or app").action(
    (names: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./move.js")).move(context, names)),
  );
  add("forget <globs...>", "remove resources from the state; the real resources stay").action(
    (globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./records.js")).forget(context, globs)),
  );
  add("keep <name>", "keep a resource that still exists after an interrupted or failed delete").action(
    (name: string, _given, command: Command) =>
      run(command, async (context) => (await import("./records.js")).keep(context, name)),
  );
  add("pull", 'print the state as text, for "engine state push"').action((_given, command: Command) =>
    run(command, async (context) => (await import("./copies.js")).pull(context)),
  );
  add("push <file>", 'replace the state with a text from "engine state pull"').action(
    (file: string, _given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./copies.js")).push(context, file)),
  );
  add("restore <seq>", 'restore a copy of the state that "engine state history" lists').action(
    (seq: string, _given, command: Command) =>
      run(command, async (context) => (await import("./copies.js")).restore(context, seq)),
  );
  add("purge", "remove the journal of a stage that has no resources any more").action((_given, command: Command) =>
    run(command, async (context) => (await import("./records.js")).purge(context)),
  );
  add("seal", "seal an unsealed state with the password or key of its stage").action((_given, command: Command) =>
    run(command, async (context) => (await import("./sessions.js")).seal(context)),
  );
  add("migrate", "move the state to another store; the old store keeps a note of the move").action(
    (_given, command: Command) => run(command, async (context) => (await import("./migrate.js")).migrate(context)),
  );
  add("recover", "record the recovery files that earlier runs left in the project").action((_given, command: Command) =>
    runAnywhere(command, async (context) => (await import("./sessions.js")).recover(context)),
  );
  add("processes [globs...]", "list or stop the processes that the engine keeps running on this machine").action(
    (globs: string[], _given, command: Command) =>
      runAnywhere(command, async (context) => (await import("./processes.js")).processes(context, globs)),
  );
}
