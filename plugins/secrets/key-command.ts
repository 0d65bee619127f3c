/** Commands that print a key. */
import { EngineError, hasCode, messageOf, withResolvers } from "../../core/base/index.js";
import type { KeyCommand } from "../../core/contract/index.js";
import { childEnvironment } from "../internal/child-environment.js";
import { endGroup, ownGroup } from "../internal/process-group.js";
import { startable } from "../internal/startable.js";

/** Who has to be asked by it, by a finger on a reader, say, is waited for. */
const TIMEOUT = 120_000;
/** Milliseconds for what a command has printed to arrive once it has ended: what it has started may hold its output open for ever. */
const LAST_WORDS = 500;
/** Milliseconds to end by itself once it was told to. */
const GRACE = 1_000;
const MOST_CHARACTERS = 64 * 1024;

/** It asks on the terminal of this process, and says there what goes wrong; what it prints is the key. */
const options = () => ({ stdio: STDIO, env: childEnvironment() });
const STDIO: ["inherit", "pipe", "inherit"] = ["inherit", "pipe", "inherit"];

interface Printing {
  readonly text: Promise<string>;
  /** Set once it is there. */
  made?: string;
}

/** Each is run once, however many scopes it is for. */
const printings = new WeakMap<KeyCommand, Printing>();

/**
 * @param timeout milliseconds
 * @throws EngineError `KEY_COMMAND_FAILED`
 */
export function printedBy(command: KeyCommand, timeout = TIMEOUT): Promise<string> {
  const known = printings.get(command);
  if (known) return known.text;
  const printing: Printing = { text: print(command, timeout) };
  printings.set(command, printing);
  printing.text.then(
    (made) => {
      printing.made = made;
    },
    // Whoever was not there may be the next time.
    () => printings.delete(command),
  );
  return printing.text;
}

/** As {@link printedBy}, for a process that is about to end. */
export function printedNow(command: KeyCommand): string {
  const known = printings.get(command)?.made;
  if (known !== undefined) return known;
  const { spawnSync } = programs();
  const { file, args, ...how } = callOf(command);
  const { status, signal, error, stdout } = spawnSync(file, args, { ...how, timeout: TIMEOUT, killSignal: "SIGKILL" });
  if (error) throw failed(hasCode(error, "ETIMEDOUT") ? late(TIMEOUT) : messageOf(error), error);
  return printed(status, signal, stdout.toString());
}

async function print(command: KeyCommand, timeout: number): Promise<string> {
  const { spawn } = programs();
  const { file, args, ...how } = callOf(command);
  // In a group of its own a command has no terminal to ask on.
  const isAlone = !process.getBuiltinModule("node:tty").isatty(0);
  const child = spawn(file, args, { ...how, ...(isAlone ? ownGroup({ outlives: false }) : {}) });
  const { promise, resolve, reject } = withResolvers<[status: number | null, signal: NodeJS.Signals | null]>();
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < MOST_CHARACTERS) text += chunk;
  });
  const timers = [setTimeout(() => reject(failed(late(timeout))), timeout)];
  child.on("error", (error) => reject(failed(messageOf(error), error)));
  child.on("exit", (status, signal) => {
    const tell = (): void => resolve([status, signal]);
    child.on("close", tell);
    // After a pause of this process what has come is read before the next turn.
    timers.push(setTimeout(() => setImmediate(tell), LAST_WORDS));
  });
  try {
    const [status, signal] = await promise;
    return printed(status, signal, text);
  } catch (error) {
    if (isAlone && child.pid !== undefined) await endGroup(child.pid, GRACE);
    else child.kill("SIGKILL");
    throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    child.stdout.destroy();
  }
}

/** Loaded here: most programs never start one. */
const programs = () => process.getBuiltinModule("node:child_process");

function callOf({ command }: KeyCommand) {
  const how = options();
  if (typeof command === "string") return { file: command, args: [], ...how, shell: true };
  return { ...startable(command, { ...how, cwd: process.cwd() }), ...how, shell: false };
}

function printed(status: number | null, signal: NodeJS.Signals | null, text: string): string {
  if (signal !== null) throw failed(`it was ended by ${signal}`);
  if (status !== 0) throw failed(`it ended with ${status}`);
  if (text.trim() === "") throw failed("it printed nothing");
  return text;
}

function late(timeout: number): string {
  return `it took longer than ${timeout / 1000} s`;
}

/** Neither the command nor what it printed: both may hold a secret. */
function failed(why: string, cause?: unknown): EngineError {
  const message = `The command for the key of secrets (ENGINE_KEY_COMMAND, or { key: { command } }) gave no key: ${why}. Run it by itself to see what it says.`;
  return new EngineError("KEY_COMMAND_FAILED", message, { cause });
}
