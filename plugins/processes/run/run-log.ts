/** The log of a command: what it wrote last, for people to look at, and never more than twice the limit. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isAbsence, makeOwnFolder, type PlatformName, whenFreeNow } from "../../../core/base/index.js";

/** Bytes of one file. What came before that much is in a second one, and what came before that is gone. */
const LOG_LIMIT = 8 * 1024 * 1024;

/** A new file, readable for its owner alone, in place of an earlier one: who still writes to that one writes to nobody. */
export function newLog(path: string, platform: PlatformName = process.platform): number {
  makeOwnFolder(dirname(path));
  if (platform === "win32") removeOpen(path);
  else rmSync(path, { force: true });
  return openSync(path, "ax", 0o600);
}

/** Windows keeps the name of a file until nobody has it open any more: so that goes first. */
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

/** The file that a log continues from. */
function earlierPart(path: string): string {
  return `${path}.1`;
}

/** Synchronous, so that a command that floods waits for the disk; an error ends the log, and nothing else. */
export class RunLog {
  readonly #path: string;
  readonly #limit: number;
  #file: number | undefined;
  #size = 0;
  #isAtStart = true;
  /** Why it is not, or not all, there. */
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

  /** A line of its own. */
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
