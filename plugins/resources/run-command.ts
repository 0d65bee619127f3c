/** One command, run to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { EngineError, messageOf } from "../../core/errors.js";
import { typeName } from "../../core/option-rules.js";
import { OutputTail } from "./output-tail.js";

export interface CommandCall {
  /** A string is for the shell; a list is a program and its arguments, and no shell is involved. */
  readonly command: string | readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes of either stream that are kept, from the end. */
const KEPT = 64 * 1024;
/** Lines that an error shows. */
const SHOWN = 20;
/** Milliseconds that an interrupted command has to end by itself. */
const GRACE = 5_000;
/** Milliseconds to wait, once the command has ended, for what it left in the background to close its output. */
const DRAIN = 2_000;

/** @throws EngineError `INVALID_PROPS`, `COMMAND_FAILED`; when interrupted, the signal's reason, once the command has ended */
export async function runCommand(call: CommandCall): Promise<CommandEnd> {
  const { signal } = call;
  signal.throwIfAborted();
  checkCommand(call);
  checkEnv(call);
  const stdout = new OutputTail(KEPT);
  const stderr = new OutputTail(KEPT);
  const both = new OutputTail(KEPT);
  const child = start(call);
  child.stdout?.on("data", (chunk: Buffer) => addTo([stdout, both], chunk));
  child.stderr?.on("data", (chunk: Buffer) => addTo([stderr, both], chunk));
  const stop = (): void => stopGroup(child);
  signal.addEventListener("abort", stop, { once: true });
  const how = await ended(child)
    .catch(async (error: unknown) => {
      throw failed(call, await notStarted(call, error), [], error);
    })
    .finally(() => signal.removeEventListener("abort", stop));
  signal.throwIfAborted();
  if (how === 0) return { exitCode: how, stdout: stdout.text, stderr: stderr.text };
  const end = typeof how === "number" ? `ended with exit code ${how}` : `was ended by ${how}`;
  throw failed(call, end, both.lines(SHOWN));
}

function checkCommand({ command }: CommandCall): void {
  const given: unknown = command;
  const isList = Array.isArray(given) && given.length > 0 && given.every((part) => typeof part === "string");
  if (isList || typeof given === "string") return;
  throw new EngineError(
    "INVALID_PROPS",
    `A command must be a string, or a list of a program and its arguments, not ${typeName(given)}.`,
  );
}

/** Node would refuse it too, and quote the beginning of the value: who knows only the whole does not mask a part. */
function checkEnv({ env }: CommandCall): void {
  const [name] = Object.entries(env).find(([, value]) => value.includes("\0")) ?? [];
  if (name === undefined) return;
  const message = `The environment variable "${name}" of the command holds a NUL character, which no process can be given.`;
  throw new EngineError("INVALID_PROPS", message);
}

function addTo(tails: readonly OutputTail[], chunk: Buffer): void {
  for (const tail of tails) tail.add(chunk);
}

function start({ command, cwd, env }: CommandCall): ChildProcess {
  const [file, ...args] = typeof command === "string" ? [command] : command;
  return spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    shell: typeof command === "string",
    // A group of its own, so that it can be ended with all that it has started.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
}

/** The exit code, or the signal that ended it. Rejects where it could not be started. */
function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => {
      const release = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN);
      child.once("close", () => clearTimeout(release));
    });
    child.once("close", (code, signal) => resolve(code ?? signal ?? "an unknown signal"));
  });
}

function stopGroup(child: ChildProcess): void {
  kill(child, "SIGTERM");
  const last = setTimeout(() => kill(child, "SIGKILL"), GRACE);
  child.once("close", () => clearTimeout(last));
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
}

function failed({ command }: CommandCall, how: string, last: readonly string[], cause?: unknown): EngineError {
  const text = typeof command === "string" ? command : command.join(" ");
  const said = last.length > 0 ? ` Its last lines:\n${last.map((line) => `  ${line}`).join("\n")}` : "";
  return new EngineError("COMMAND_FAILED", `The command "${text}" ${how}.${said}`, { cause });
}

/** The system blames the program for a folder that is missing. */
async function notStarted({ cwd }: CommandCall, error: unknown): Promise<string> {
  const isThere = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const why = isThere ? messageOf(error) : "there is no such folder";
  return `could not be started in "${cwd}": ${why}`;
}
