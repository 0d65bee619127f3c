import { anything, EngineError, flag, isListOf, isText, type Rule, required, typeName } from "../../core/base/index.js";
import type { CommandLine, HandlerBase } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { checkCommand, plainEnvironment, textOf } from "../processes/plain-environment.js";
import { OutputTail } from "../processes/run/output-tail.js";
import { runChild } from "../processes/run/run-child.js";
import type { Secret } from "../secrets/secret.js";
import { durable } from "./durable.js";
import { digestFiles } from "./input-files.js";
import { locate } from "./paths.js";
import { command, environment, path, propsSchema } from "./props-schema.js";

/** Props of {@link Command}. */
export interface CommandProps {
  /** Command to run on create, and on update unless there is an `update`. */
  readonly command: CommandLine;
  /** Command to run instead of `command` when something changed. */
  readonly update?: CommandLine;
  /** Command to run when the resource is deleted. Default: nothing runs. */
  readonly delete?: CommandLine;
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Variables added to the environment of the process. Secrets are passed on decrypted, and recorded encrypted. */
  readonly env?: Readonly<Record<string, string | Secret>>;
  /** Any value; a change of it runs the command again. */
  readonly inputs?: unknown;
  /**
   * Files, folders with their contents, and patterns with `*`, `**` and `?`, relative to `cwd`. A change of their
   * names or contents runs the command again.
   */
  readonly files?: readonly string[];
  /** `cwd` and `files` may be outside the root folder. Default: false. */
  readonly outside?: boolean;
}

/** Output of the last command. */
export interface CommandOutput {
  /** 0, because any other code fails; -1 if the first run was interrupted. */
  readonly exitCode: number;
  /** The last 64 KiB of the output at most, in whole lines, with secrets redacted. */
  readonly stdout: string;
  /** The last 64 KiB of the error output at most, in whole lines, with secrets redacted. */
  readonly stderr: string;
  /** SHA-256 over the names and contents of `files` before the command ran, in hexadecimal. */
  readonly filesSha256?: string;
}

const isPattern = (name: unknown): boolean => isText(name) && !/[{}]/.test(String(name));

const patterns: Rule = {
  allowed: "a list of paths and patterns without braces (a separate pattern for each alternative)",
  accepts: (value) => isListOf(value, isPattern),
  describe: (value) =>
    Array.isArray(value) ? `one with ${JSON.stringify(value.find((name) => !isPattern(name)))}` : typeName(value),
};

/** Output of an interrupted first run: it is unknown how far it went, so the command is run again, or undone. */
const INTERRUPTED: CommandOutput = { exitCode: -1, stdout: "", stderr: "" };

/** Key of the note that the first run of a resource is about to begin. */
const BEGUN = "begun";

/** Props that are only used later: a change of them runs nothing. */
const FOR_LATER: ReadonlySet<string> = new Set(["update", "delete", "outside"]);

/**
 * A command that runs once, and again when its text, environment, `inputs` or `files` change.
 *
 * A command that ends with an exit code other than 0 fails with its last lines, and the next up runs it again. An
 * interrupted command is run again, too, so it must tolerate that; if it is no longer declared, its `delete` runs.
 * Interrupting the engine ends the command with all processes that it started.
 *
 * @throws EngineError `COMMAND_FAILED`, `OUTSIDE_ROOT`, `INVALID_PROPS`
 *
 * @example
 * ```ts
 * await Command("bundle", { command: ["npx", "esbuild", "src/main.ts", "--outdir=public"], files: ["src/**"] });
 * await Command("database", { command: "createdb shop", delete: "dropdb --if-exists shop" });
 * ```
 */
export const Command = Resource<CommandOutput, CommandProps>("os:Command", {
  schema: propsSchema<CommandProps>({
    command: required(command),
    update: command,
    delete: command,
    cwd: path,
    env: environment,
    inputs: anything,
    files: patterns,
    outside: flag,
  }),
  verify: true,
  // With a note of the resource: a command that never began has nothing to undo.
  recognizesOwn: true,
  async create(context) {
    if (context.props.delete === undefined) return run(context, context.props, context.props.command);
    await context.set(BEGUN, true);
    await durable(context);
    const output = await run(context, context.props, context.props.command);
    await context.delete(BEGUN);
    return output;
  },
  async read(context) {
    const { output, recovering, previous } = context;
    if (!output)
      return recovering && previous.delete !== undefined && (await hasBegun(context)) ? INTERRUPTED : undefined;
    const { filesSha256, ...ended } = output;
    // Without a digest the update sees that the files have changed since the last run.
    return (await digestOf(context, context.props)).filesSha256 === filesSha256 ? output : ended;
  },
  async update(context) {
    const { props, output, recovering } = context;
    if (isInterrupted(output)) return run(context, props, props.command);
    if (!recovering && (await isForLater(context, props, output))) return output;
    return run(context, props, props.update ?? props.command);
  },
  outputs: () => ({ exitCode: 0 }),
  async plan(context) {
    const { props, output } = context;
    return { outputs: output && (await isForLater(context, props, output)) ? output : { exitCode: 0 } };
  },
  async delete(context) {
    if (context.props.delete !== undefined) await execute(context, context.props, context.props.delete);
  },
  describeDelete({ props: { delete: command, cwd } }) {
    if (command === undefined) return undefined;
    return `runs ${textOf(command)}${cwd === undefined ? "" : ` in ${cwd}`}`;
  },
});

/** True if only props changed that a later command uses. */
async function isForLater(context: HandlerBase, props: CommandProps, output: CommandOutput): Promise<boolean> {
  const { changes } = context;
  if (
    isInterrupted(output) ||
    changes.length === 0 ||
    !changes.every((path) => FOR_LATER.has(path.split("/")[1] ?? ""))
  )
    return false;
  return (await digestOf(context, props)).filesSha256 === output.filesSha256;
}

function isInterrupted({ exitCode }: CommandOutput): boolean {
  return exitCode === INTERRUPTED.exitCode;
}

async function hasBegun(context: HandlerBase): Promise<boolean> {
  return (await context.get(BEGUN)) === true;
}

async function run(context: HandlerBase, props: CommandProps, command: CommandLine): Promise<CommandOutput> {
  // Before the run, so that the next up notices changes during the run.
  const digest = await digestOf(context, props);
  return { ...(await execute(context, props, command)), ...digest };
}

async function execute(context: HandlerBase, props: CommandProps, command: CommandLine): Promise<CommandEnd> {
  const env = plainEnvironment(props.env ?? {}, "INVALID_PROPS");
  const end = await runCommand({ command, cwd: await folderOf(context, props), env, signal: context.signal });
  return { ...end, stdout: context.redact(end.stdout), stderr: context.redact(end.stderr) };
}

async function digestOf(context: HandlerBase, props: CommandProps): Promise<Pick<CommandOutput, "filesSha256">> {
  const { files, outside = false } = props;
  if (!files) return {};
  return { filesSha256: await digestFiles(context, { names: files, cwd: await folderOf(context, props), outside }) };
}

async function folderOf(context: HandlerBase, { cwd = ".", outside }: CommandProps): Promise<string> {
  return (await locate(context, cwd, { outside, follow: true })).absolute;
}

/** A command that runs to its end. */
interface CommandCall {
  readonly command: CommandLine;
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface CommandEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes that are kept from the end of each stream. */
const KEPT = 64 * 1024;

/** Lines that an error shows. */
const SHOWN = 20;

/**
 * @throws EngineError `INVALID_PROPS`, `COMMAND_FAILED`; when interrupted, the signal's reason, once the command has
 * ended
 */
async function runCommand({ command, ...call }: CommandCall): Promise<CommandEnd> {
  checkCommand(command, "INVALID_PROPS");
  const tails = { stdout: new OutputTail(KEPT), stderr: new OutputTail(KEPT) };
  const both = new OutputTail(KEPT);
  const { exitCode, signal } = await runChild({
    ...call,
    command,
    onOutput(from, chunk) {
      tails[from].add(chunk);
      both.add(chunk);
    },
  });
  if (exitCode === 0) return { exitCode, stdout: tails.stdout.text, stderr: tails.stderr.text };
  const end = signal === undefined ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  throw new EngineError("COMMAND_FAILED", `The command "${textOf(command)}" ${end}.${saidLast(both)}`);
}

function saidLast(output: OutputTail): string {
  const last = output.lines(SHOWN);
  if (last.length > 0) return ` The last lines of its output:\n${last.map((line) => `  ${line}`).join("\n")}`;
  return output.isCut ? ` The last line of its output is longer than ${KEPT / 1024} KiB and is not shown.` : "";
}
