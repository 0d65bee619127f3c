/** The log of a command for people: the end of its output, at most twice the limit. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isAbsence, makeOwnFolder, type PlatformName, whenFreeNow } from "../../../core/base/index.js";

/** Bytes of one file. Earlier output is in a second file, and output before that is deleted. */
const LOG_LIMIT = 8 * 1024 * 1024;

/** Opens a new file, readable only for its owner, in place of an earlier one. Output to the earlier file is lost. */
export function newLog(path: string, platform: PlatformName = process.platform): number {
  makeOwnFolder(dirname(path));
  if (platform === "win32") removeOpen(path);
  else rmSync(path, { force: true });
  return openSync(path, "ax", 0o600);
}

/** Renames a file before it is deleted: Windows keeps its name in use while a process has it open. */
function removeOpen(path: string): void {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    whenFreeNow(() => renameSync(path, aside));
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  rmSync(aside, { force: true });
}

/** Returns the file with the earlier part of a log. */
function earlierPart(path: string): string {
  return `${path}.1`;
}

/** Writes synchronously, so that a command with much output waits for the disk. An error ends only the log. */
export class RunLog {
  readonly #path: string;
  readonly #limit: number;
  #file: number | undefined;
  #size = 0;
  #isAtStart = true;
  /** Error that makes the log incomplete. */
  failure: unknown;

  constructor(path: string, limit = LOG_LIMIT) {
    this.#path = path;
    this.#limit = limit;
    this.#try(() => {
      this.#file = newLog(path);
      rmSync(earlierPart(path), { force: true });
    });
  }

  write(text: string): void {
    if (text === "") return;
    this.#try(() => {
      if (this.#size > this.#limit) this.#rollOver();
      const bytes = Buffer.from(text);
      for (let at = 0; this.#file !== undefined && at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#size += bytes.length;
      this.#isAtStart = text.endsWith("\n");
    });
  }

  /** Writes a separate line. */
  line(text: string): void {
    this.write(`${this.#isAtStart ? "" : "\n"}${text}\n`);
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#try(() => closeSync(file));
  }

  #rollOver(): void {
    this.close();
    whenFreeNow(() => renameSync(this.#path, earlierPart(this.#path)));
    this.#file = newLog(this.#path);
    this.#size = 0;
  }

  #try(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      work();
    } catch (error) {
      this.failure = error;
      this.close();
    }
  }
}
