/** Output of commands. While a command runs the program, the program's own output goes to stderr. */

import { fsync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { EngineError } from "../../core/base/index.js";
import { writeLine } from "../internal/terminal/standard-streams.js";
import { tell } from "../internal/terminal/tell.js";
import { leadsOut } from "../internal/text/leads-out.js";
import { plainJson, plainLine } from "../internal/text/plain-text.js";
import { unusableFile } from "./load-failure.js";

type Write = typeof process.stdout.write;

const original: Write = process.stdout.write;

let isAside = false;

/** Reserves standard output for {@link print}; all other output goes to stderr. */
export function keepStdout(): void {
  isAside = true;
  const aside = (...args: Parameters<Write>): boolean => process.stderr.write(...args);
  process.stdout.write = aside as Write;
}

/** Prints one line to standard output; control characters are escaped. */
export function print(line: string): void {
  printText(plainLine(line));
}

/** Prints a text to standard output without changes. */
export function printText(text: string): void {
  const current = process.stdout.write;
  if (isAside) process.stdout.write = original;
  try {
    writeLine("stdout", text);
  } finally {
    if (isAside) process.stdout.write = current;
  }
}

/** Prints many lines at once, which is faster than one by one. */
export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) printText(lines.map(plainLine).join("\n"));
}

/** Prints a line for people to standard error; it is not part of the result. */
export function say(line: string): void {
  tell(line);
}

export function printJson(value: unknown): void {
  printText(plainJson(value));
}

/** Ends the process when all output is written. */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  // The reader is gone, so nothing can be flushed.
  if (stream.destroyed || !stream.writable) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => resolve();
    if (stream === process.stdout) original.call(stream, "", "utf8", done);
    else stream.write("", "utf8", done);
  });
}

/**
 * Writes a file that only its owner can read, because state is confidential.
 *
 * @throws EngineError `INVALID_ARGUMENT`, also if a link leads out of the folder that the command runs in
 */
export async function writeOut(path: string, text: string): Promise<void> {
  if (leadsOut(process.cwd(), path)) {
    const message = `"${path}" leads out of the folder through a symbolic link, so nothing was written. Name the file itself.`;
    throw new EngineError("INVALID_ARGUMENT", message);
  }
  try {
    const file = await open(path, "w", 0o600);
    try {
      // A pipe or a device is shared, so its mode is not changed.
      const isOwn = (await file.stat()).isFile();
      if (isOwn) await file.chmod(0o600);
      await file.writeFile(text);
      // Not file.sync(): the handles of Yarn's Plug'n'Play do not have it.
      if (isOwn) await promisify(fsync)(file.fd);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}
