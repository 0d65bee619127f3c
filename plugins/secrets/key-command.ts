/** Commands that print a key. */
import { EngineError, messageOf } from "../../core/base/index.js";
import type { KeyCommand } from "../../core/contract/index.js";
import { childEnvironment } from "../internal/child-environment.js";
import { startable } from "../internal/startable.js";

/** Who has to be asked by it, by a finger on a reader, say, is waited for. */
const TIMEOUT = 120_000;
const MOST_CHARACTERS = 64 * 1024;

/** It asks on the terminal of this process, and says there what goes wrong; what it prints is the key. */
const options = () => ({ stdio: STDIO, timeout: TIMEOUT, env: childEnvironment() });
const STDIO: ["inherit", "pipe", "inherit"] = ["inherit", "pipe", "inherit"];

interface Printing {
  readonly text: Promise<string>;
  /** Set once it is there. */
  made?: string;
}

/** Each is run once, however many scopes it is for. */
const printings = new WeakMap<KeyCommand, Printing>();

/** @throws EngineError `KEY_COMMAND_FAILED` */
export function printedBy(command: KeyCommand): Promise<string> {
  const known = printings.get(command);
  if (known) return known.text;
  const printing: Printing = { text: print(command) };
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
  const { status, signal, error, stdout } = spawnSync(file, args, how);
  if (error) throw failed(messageOf(error), error);
  return printed(status, signal, stdout.toString());
}

function print(command: KeyCommand): Promise<string> {
  const { spawn } = programs();
  const { file, args, ...how } = callOf(command);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, how);
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (text.length < MOST_CHARACTERS) text += chunk;
    });
    child.on("error", (error) => reject(failed(messageOf(error), error)));
    child.on("close", (status, signal) => {
      try {
        resolve(printed(status, signal, text));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Loaded here: most programs never start one. */
const programs = () => process.getBuiltinModule("node:child_process");

function callOf({ command }: KeyCommand) {
  const how = options();
  if (typeof command === "string") return { file: command, args: [], ...how, shell: true };
  return { ...startable(command, { ...how, cwd: process.cwd() }), ...how, shell: false };
}

function printed(status: number | null, signal: NodeJS.Signals | null, text: string): string {
  if (signal !== null) throw failed(`it was ended by ${signal}, or took longer than ${TIMEOUT / 1000} s`);
  if (status !== 0) throw failed(`it ended with ${status}`);
  if (text.trim() === "") throw failed("it printed nothing");
  return text;
}

/** Neither the command nor what it printed: both may hold a secret. */
function failed(why: string, cause?: unknown): EngineError {
  const message = `The command for the key of secrets (ENGINE_KEY_COMMAND, or { key: { command } }) gave no key: ${why}. Run it by itself to see what it says.`;
  return new EngineError("KEY_COMMAND_FAILED", message, { cause });
}
