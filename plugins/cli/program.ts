/** The commands of the `engine` program. */
import { Command } from "commander";
import { written } from "../internal/flags/table.js";
import { exitCodeOf } from "../internal/process/process-end.js";
import { describeError, ERROR } from "../internal/text/describe-error.js";
import { addAdd } from "./commands/add.js";
import { addCompletion } from "./commands/completion.js";
import { addDestroy } from "./commands/destroy.js";
import { addDrift } from "./commands/drift.js";
import { addExport } from "./commands/export.js";
import { addGraph } from "./commands/graph.js";
import { addAdopt, addImport } from "./commands/import.js";
import { addInit } from "./commands/init.js";
import { addPlan } from "./commands/plan.js";
import { addProviders } from "./commands/providers.js";
import { addDev, addRead, addUp, addWatch, addWatchedRun } from "./commands/runs.js";
import { addTelemetry } from "./commands/telemetry.js";
import { addUi } from "./commands/ui.js";
import { addFleet, addWorker } from "./fleet/fleet-commands.js";
import { say } from "./output.js";
import { addSecrets } from "./secrets/secrets-commands.js";
import { addState } from "./state/state-commands.js";

const ABOUT = `Manage the resources of a program: engine.run.ts in the current folder, or the file that you name.

  $ engine init        create a starter program
  $ engine plan        show what a run would do
  $ engine up          do it
  $ engine dev         do it locally, and again after each change of the program
  $ engine destroy     delete all resources`;

const EXIT_CODES = `
Exit codes: 0 success, 1 failure, 2 changes or drift (with --exit-code),
            3 the stage is locked by another run,
            4 no drift, but not every resource could be read (with --exit-code),
            130 and 143 interrupted.
Arguments after -- are passed to the program.`;

/** In the order of the help text. */
const COMMANDS = [
  addInit,
  addUp,
  addDev,
  addWatch,
  addPlan,
  addDestroy,
  addRead,
  addDrift,
  addFleet,
  addWorker,
  addGraph,
  addUi,
  addAdd,
  addImport,
  addAdopt,
  addProviders,
  addExport,
  addState,
  addSecrets,
  addTelemetry,
  addCompletion,
  addWatchedRun,
];

/**
 * @param version of the package
 * @param rest arguments for the project's program
 */
export function makeProgram(version: string, rest: readonly string[] = []): Command {
  const program = new Command("engine")
    .description(ABOUT)
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .addHelpText("after", EXIT_CODES)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, ERROR)) })
    .configureHelp({ sortSubcommands: false });
  for (const add of COMMANDS) add(program, rest);
  pointToHelp(program, "engine");
  return program;
}

/** Makes errors in the arguments of a command point to its help. */
function pointToHelp(command: Command, name: string): void {
  const entry = command.options.find((option) => option.attributeName() === "entry");
  const more = entry ? `; ${entry.long} names the program` : "";
  command.showHelpAfterError(`(${name} --help lists arguments and options${more})`);
  for (const one of command.commands) pointToHelp(one, `${name} ${one.name()}`);
}

export async function runProgram(argv: readonly string[], version: string): Promise<void> {
  try {
    const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
    await makeProgram(version, argv.slice(end + 1)).parseAsync(argv.slice(0, end), { from: "user" });
  } catch (error) {
    // A live app is ended by its own listener.
    if (process.listenerCount("uncaughtException") > 0) throw error;
    say(describeError(error, argv.includes(written("verbose"))));
    process.exitCode = exitCodeOf([error]);
  }
}
