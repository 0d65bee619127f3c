/** What commands print. While a program runs for one of them, what it prints itself goes to stderr. */

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

/** From now on standard output is for {@link print} alone. */
export function keepStdout(): void {
  isAside = true;
  const aside = (...args: Parameters<Write>): boolean => process.stderr.write(...args);
  process.stdout.write = aside as Write;
}

/** One line on standard output, whatever is in it. */
export function print(line: string): void {
  printText(plainLine(line));
}

/** A text on standard output, as it is. */
export function printText(text: string): void {
  const current = process.stdout.write;
  if (isAside) process.stdout.write = original;
  try {
    writeLine("stdout", text);
  } finally {
    if (isAside) process.stdout.write = current;
  }
}

/** Many lines at once: each by itself would take its time. */
export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) printText(lines.map(plainLine).join("\n"));
}

/** Lines on standard error: what is for people, and no result. */
export function say(line: string): void {
  tell(line);
}

export function printJson(value: unknown): void {
  printText(plainJson(value));
}

/** Ends the process once all that was printed is out. */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  // A reader that has gone takes nothing any more.
  if (stream.destroyed || !stream.writable) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => resolve();
    if (stream === process.stdout) original.call(stream, "", "utf8", done);
    else stream.write("", "utf8", done);
  });
}

/**
 * For its owner alone: what is recorded is nobody else's business.
 *
 * @throws EngineError `INVALID_ARGUMENT`, also where a link leads out of the folder that the command runs in
 */
export async function writeOut(path: string, text: string): Promise<void> {
  if (leadsOut(process.cwd(), path)) {
    const message = `"${path}" leads out of the folder by a symbolic link, and nothing was written. Name the file itself.`;
    throw new EngineError("INVALID_ARGUMENT", message);
  }
  try {
    const file = await open(path, "w", 0o600);
    try {
      // A pipe or a device is nobody's alone.
      const isOwn = (await file.stat()).isFile();
      if (isOwn) await file.chmod(0o600);
      await file.writeFile(text);
      // Not file.sync(): Yarn's Plug'n'Play has handles of its own, which know no such thing.
      if (isOwn) await promisify(fsync)(file.fd);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}
