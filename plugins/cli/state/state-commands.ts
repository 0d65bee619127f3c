/** The commands about what is recorded. What they do is loaded when one is called. */
import type { Command } from "commander";
import { addFlags, FLAGS, OWN } from "../flags.js";
import { sentenceOf } from "../run-command.js";

const WRITES: ReadonlySet<string> = new Set(["unlock", "move", "forget", "push", "restore", "migrate", "seal"]);
const UNVERIFIED = ["--unverified", "also one without a seal, of a state that is sealed"] as const;

export function addState(program: Command): void {
  const state = program
    .command("state")
    .summary("look at what is recorded, mend it, move it")
    .description("Looks at what is recorded of a stage, mends it, moves it. No resource is touched by any of this.");
  const add = (syntax: string, summary: string): Command => {
    const command = state.command(syntax).summary(summary).description(sentenceOf(summary));
    addFlags(command, [OWN.entry, OWN.app, OWN.envFile, OWN.json]);
    if (WRITES.has(command.name())) command.option("-y, --yes", "do not ask");
    return addFlags(command, FLAGS.state);
  };
  const run = async (command: Command, work: import("./in-state.js").StateWork): Promise<void> => {
    const { inState } = await import("./in-state.js");
    await inState(command, work);
  };

  add("list [globs...]", "list the resources that are recorded, or those whose names match").action(
    (globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./list.js")).list(context, globs)),
  );
  add("show <name>", "show all that is recorded of a resource, a scope, or the stage")
    .option("--show-secrets", "with what secrets hold, in clear")
    .action((name: string, _given, command: Command) =>
      run(command, async (context) => (await import("./show.js")).show(context, name)),
    );
  add("tree", "show scopes and resources as they are nested").action((_given, command: Command) =>
    run(command, async (context) => (await import("./tree.js")).tree(context)),
  );
  add("history", "list the copies of the state that can be restored").action((_given, command: Command) =>
    run(command, async (context) => (await import("./history.js")).history(context)),
  );
  add("verify", "read every byte of the state, and tell all that is not as it was written").action(
    (_given, command: Command) => run(command, async (context) => (await import("./verify.js")).verify(context)),
  );
  add("unlock", "end the session of a run that is gone, or that nobody wants to wait for")
    .option("-f, --force", "also of a process that runs on this machine")
    .action((_given, command: Command) =>
      run(command, async (context) => (await import("./unlock.js")).unlock(context)),
    );
  add("move <from> <to>", "give a resource, or a scope with all that is in it, another name")
    .option("-f, --force", "also what is pending")
    .action((from: string, to: string, _given, command: Command) =>
      run(command, async (context) => (await import("./move.js")).move(context, from, to)),
    );
  add("forget <globs...>", "forget resources, and leave the things themselves as they are")
    .option("-f, --force", "also protected ones")
    .action((globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./forget.js")).forget(context, globs)),
    );
  add("pull", "print the state as a text that can be pushed")
    .option("-o, --out <file>", "write it to a file that only you can read")
    .action((_given, command: Command) => run(command, async (context) => (await import("./pull.js")).pull(context)));
  add("push <file>", "make the state what a text says that was pulled")
    .option("-f, --force", "also one that is older than the state")
    .option(...UNVERIFIED)
    .action((file: string, _given, command: Command) =>
      run(command, async (context) => (await import("./push.js")).push(context, file)),
    );
  add("restore <seq>", "make the state what it was: see history")
    .option(...UNVERIFIED)
    .action((seq: string, _given, command: Command) =>
      run(command, async (context) => (await import("./restore.js")).restore(context, seq)),
    );
  add("seal", "seal a state that was never sealed, as it is, with the password or key of its stage").action(
    (_given, command: Command) => run(command, async (context) => (await import("./seal.js")).seal(context)),
  );
  add("migrate", "move the state to another store, and let the old one say where it went")
    .requiredOption(
      "--to <store>",
      "s3://bucket/prefix, redis://host:port, rediss://host:port, or a folder: where nothing of this stage is",
    )
    .action((_given, command: Command) =>
      run(command, async (context) => (await import("./migrate.js")).migrate(context)),
    );
  add("recover", "record now what earlier runs could not: the recovery files beside the project").action(
    (_given, command: Command) => run(command, async (context) => (await import("./recover.js")).recover(context)),
  );
  add("processes [globs...]", "list what the engine has started on this machine and keeps, and stop it")
    .option("--all", "of all apps and stages of this root folder")
    .option("--stop", "stop those that are listed, with all that they have started")
    .option("-y, --yes", "do not ask")
    .action((globs: string[], _given, command: Command) =>
      run(command, async (context) => (await import("./processes.js")).processes(context, globs)),
    );
}
