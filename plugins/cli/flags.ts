/** The engine's own flags as options of a command, and back: the program gets them as if it had been started with them. */
import { type Command, Option } from "commander";
import { parseArgv } from "../internal/argv.js";

export interface Flag {
  /** As commander writes it, e.g. "-s, --stage <name>". */
  readonly flags: string;
  readonly description: string;
  readonly repeats?: true;
}

const STRICT: Flag = {
  flags: "--strict-state",
  description: "fail where a sealed state is older than what this machine has seen of it",
};

const WHERE: readonly Flag[] = [
  { flags: "-s, --stage <name>", description: "stage to work on (default: ENGINE_STAGE, STAGE, your user name)" },
  { flags: "--root-dir <folder>", description: "root folder of the project (default: the current folder)" },
  { flags: "--profile <name>", description: "profile that resources and stores authorize their requests with" },
  {
    flags: "--password-file <file>",
    description: "file whose first line opens the secrets (default: ENGINE_PASSWORD)",
  },
  { flags: "--key-file <file>", description: "file with a key that opens the secrets (default: ENGINE_KEY)" },
  { flags: "--key-command <line>", description: "command that prints that key (default: ENGINE_KEY_COMMAND)" },
  STRICT,
  { flags: "--verbose", description: "print the stacks of what fails" },
];

const OUTPUT: readonly Flag[] = [
  { flags: "-q, --quiet", description: "print nothing but warnings and failures" },
  { flags: "--json", description: "print events as NDJSON, one object a line" },
];

const CHOICE: readonly Flag[] = [
  {
    flags: "--target <glob>",
    description: "act only on resources whose FQN matches, and what they need",
    repeats: true,
  },
  { flags: "--exclude <glob>", description: "leave alone resources whose FQN matches", repeats: true },
  { flags: "--target-dependents", description: "act on what refers to a targeted resource, too" },
  { flags: "--exclude-dependents", description: "leave alone what refers to an excluded resource, too" },
  { flags: "--refresh", description: "look at every recorded resource before comparing" },
  { flags: "--adopt", description: "take over what exists already and is not recorded" },
  { flags: "-f, --force", description: "update resources even if nothing changed" },
  { flags: "--local", description: "simulate resources locally where they can be" },
  { flags: "--tunnel", description: "give resources that support it a tunnel" },
  { flags: "--concurrency <n>", description: "how many handlers run at once (default: 64)" },
];

const TURN: readonly Flag[] = [
  { flags: "--lock-timeout <time>", description: "how long to wait for another run, e.g. 5m (default: 0)" },
];

const LOCK: readonly Flag[] = [
  ...TURN,
  { flags: "--lock <lazy|eager>", description: "take the turn with the first change, or before the program runs" },
];

const CHANGES: readonly Flag[] = [
  {
    flags: "--max-deletes <n|p%>",
    description: "the most resources that may be pruned; more is asked for, or refused",
  },
  {
    flags: "--erase-secrets",
    description: "after a lost password: treat recorded secrets as undefined (needs --force)",
  },
];

const FULL: Flag = { flags: "--full", description: "show values whole, however long they are" };

/** Which of the engine's flags a command takes. */
export const FLAGS = {
  where: WHERE,
  state: [...WHERE, ...TURN],
  up: [...WHERE, ...CHOICE, ...LOCK, ...CHANGES, ...OUTPUT],
  plan: [...WHERE, ...CHOICE, ...CHANGES, FULL, ...OUTPUT],
  destroy: [...WHERE, ...CHOICE.slice(0, 4), ...CHOICE.slice(6), ...LOCK, ...OUTPUT],
  read: [...WHERE, ...CHOICE.slice(7), ...OUTPUT],
  drift: [...WHERE, ...CHOICE.slice(-1)],
} as const;

/** What a command is told for itself, and no program gets. */
export const OWN = {
  envFile: { flags: "--env-file <file>", description: "file with variables (default: .env, where there is one)" },
  entry: { flags: "--entry <file>", description: "the program (default: engine.run.ts in the current folder)" },
  app: {
    flags: "--app <name>",
    description: "another app of the same store; without a program, one whose state is in files",
  },
  json: { flags: "--json", description: "print one JSON object" },
} as const satisfies Readonly<Record<string, Flag>>;

export function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const { flags: syntax, description, repeats } of flags) {
    const option = new Option(syntax, description);
    if (repeats) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    command.addOption(option);
  }
  return command;
}

/** What was given for a flag that takes a value; undefined where it was not given. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * What was given of them, as arguments of a program.
 *
 * @throws EngineError `INVALID_ARGUMENT`
 */
export function argvOf(command: Command, flags: readonly Flag[]): readonly string[] {
  const given: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const argv = flags.flatMap(({ flags: syntax }) => {
    const option = new Option(syntax);
    const value = given[option.attributeName()];
    const name = option.long ?? "";
    if (value === true) return [name];
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.map((one) => `${name}=${one}`);
  });
  // Before anything is run.
  parseArgv(argv);
  return argv;
}
