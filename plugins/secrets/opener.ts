/**
 * The opener of a scope's secrets: a passphrase, a key, an age identity, or a command that prints a key or identity.
 */
import { isDeepStrictEqual } from "node:util";
import { EngineError, hasCode, messageOf, platform, withResolvers } from "../../core/base/index.js";
import type { KeyCommand } from "../../core/contract/index.js";
import { childEnvironment, startable } from "../internal/process/child-process.js";
import { endGroup, ownGroup } from "../internal/process/process-group.js";
import { KEY_BYTES, sha256 } from "./envelope.js";
import { redactor } from "./redactor.js";

export type Opener = { readonly password: string } | { readonly key: string } | { readonly key: KeyCommand };

/** The opener as it is used: the output of a command is a key or an age identity. */
export type Material =
  | { readonly kind: "password"; readonly text: string }
  | { readonly kind: "key"; readonly bytes: Buffer }
  | { readonly kind: "age"; readonly identity: string };

/** Returns undefined if both are missing. */
export function openerIn({
  password,
  key,
}: {
  readonly password?: string;
  readonly key?: string | KeyCommand;
}): Opener | undefined {
  if (password !== undefined) return { password };
  if (key === undefined) return undefined;
  return typeof key === "string" ? { key } : { key };
}

export function isSameOpener(one: Opener | undefined, other: Opener | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns the kind of an opener, for messages. */
export function nameOfOpener(opener: Opener): "password" | "key" {
  return "password" in opener ? "password" : "key";
}

/**
 * Registers the opener's text with the redactor, and refuses an invalid key.
 *
 * @throws EngineError `KEY_INVALID`
 */
export function checkOpener(opener: Opener): void {
  if (!isCommanded(opener)) given(opener);
}

/** @throws EngineError `KEY_INVALID`, `KEY_COMMAND_FAILED` */
export async function materialOf(opener: Opener): Promise<Material> {
  return isCommanded(opener) ? keyMaterial(await printedBy(opener.key), PRINTED) : given(opener);
}

/** Like {@link materialOf}, for a process that is about to end. */
export function materialNow(opener: Opener): Material {
  return isCommanded(opener) ? keyMaterial(printedNow(opener.key), PRINTED) : given(opener);
}

function isCommanded(opener: Opener): opener is { readonly key: KeyCommand } {
  return "key" in opener && typeof opener.key !== "string";
}

function given(opener: { readonly password: string } | { readonly key: string }): Material {
  if ("key" in opener) return keyMaterial(opener.key, "The key");
  redactor.know(opener.password);
  return { kind: "password", text: opener.password };
}

const PRINTED = "The output of the key command";

const PREFIX = "scope-engine-key-1-";

const CHECK_BYTES = 4;

const AGE = /^AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]+$/;

/** Makes a new key: 256 random bits and a checksum of four bytes that detects typing errors, in base64url. */
export function newKeyText(): string {
  const bytes = platform().randomBytes(KEY_BYTES);
  return PREFIX + Buffer.concat([bytes, checkOf(bytes)]).toString("base64url");
}

function checkOf(bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(PREFIX), bytes])).subarray(0, CHECK_BYTES);
}

/** @param text may be a file of `age-keygen`, with lines that begin with `#` */
function keyMaterial(text: string, what: string): Material {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const [line, ...others] = lines.filter((one) => one !== "" && !one.startsWith("#"));
  if (line === undefined || others.length > 0) {
    throw invalid(what, `has ${line === undefined ? "no line" : `${others.length + 1} lines`} that could be a key`);
  }
  redactor.know(line);
  if (AGE.test(line)) return { kind: "age", identity: line };
  if (!line.startsWith(PREFIX)) throw invalid(what, "is not a key");
  const bytes = Buffer.from(line.slice(PREFIX.length), "base64url");
  const key = bytes.subarray(0, KEY_BYTES);
  const isWhole = bytes.length === KEY_BYTES + CHECK_BYTES && bytes.toString("base64url") === line.slice(PREFIX.length);
  if (!isWhole || !checkOf(key).equals(bytes.subarray(KEY_BYTES))) {
    throw invalid(what, "is incomplete or mistyped");
  }
  return { kind: "key", bytes: key };
}

function invalid(what: string, why: string): EngineError {
  const message = `${what} ${why}. Pass a key that "engine secrets generate-key" prints (${PREFIX}…), or an age identity (AGE-SECRET-KEY-1…). Pass a passphrase as ENGINE_PASSWORD or { password }.`;
  return new EngineError("KEY_INVALID", message);
}

/** Long enough for a person to confirm, e.g. with a finger on a reader. */
const TIMEOUT = 120_000;

/** Milliseconds to wait for output after the command has ended: a process that it started may keep the output open. */
const LAST_WORDS = 500;

/** Milliseconds for the command to end after SIGTERM. */
const GRACE = 1_000;

const MOST_CHARACTERS = 64 * 1024;

/** The command asks and reports errors on the terminal of this process; its standard output is the key. */
const options = () => ({ stdio: STDIO, env: childEnvironment() });

const STDIO: ["inherit", "pipe", "inherit"] = ["inherit", "pipe", "inherit"];

interface Printing {
  readonly text: Promise<string>;
  /** Set once the output is complete. */
  made?: string;
}

/** Each command runs once, for all scopes that use it. */
const printings = new WeakMap<KeyCommand, Printing>();

/**
 * Runs the command and returns its output.
 *
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
    // The command may succeed the next time.
    () => printings.delete(command),
  );
  return printing.text;
}

/** Like {@link printedBy}, for a process that is about to end. */
function printedNow(command: KeyCommand): string {
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
  // In a process group of its own, a command has no terminal to ask on.
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
    // If this process was paused, it reads the pending output before the next turn.
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

/** Loaded lazily: most programs never run a command. */
const programs = () => process.getBuiltinModule("node:child_process");

function callOf({ command }: KeyCommand) {
  const how = options();
  if (typeof command === "string") return { file: command, args: [], ...how, shell: true };
  return { ...startable(command, { ...how, cwd: process.cwd() }), ...how, shell: false };
}

function printed(status: number | null, signal: NodeJS.Signals | null, text: string): string {
  if (signal !== null) throw failed(`it was ended by ${signal}`);
  if (status !== 0) throw failed(`it ended with exit code ${status}`);
  if (text.trim() === "") throw failed("it printed nothing");
  return text;
}

function late(timeout: number): string {
  return `it took longer than ${timeout / 1000} s`;
}

/** Names neither the command nor its output: both may contain a secret. */
function failed(why: string, cause?: unknown): EngineError {
  const message = `The key command (ENGINE_KEY_COMMAND, or { key: { command } }) did not print a key: ${why}. Run the command in a shell to see its output.`;
  return new EngineError("KEY_COMMAND_FAILED", message, { cause });
}
