/** What a provider says while it works, in a file below the root folder: of this run, and of the ones before as far as there is room. */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAbsence, makeOwnFolder, type Redact } from "../../../core/base/index.js";

const FOLDER = join(".engine", "logs", "providers");
/** Bytes from which a new file is begun; the one before is kept. */
const LARGE = 10 * 2 ** 20;

/** Where it is below the root folder. */
export function logFile(provider: string): string {
  return join(FOLDER, `${provider.replaceAll("/", ".")}.log`);
}

export class ProviderLog {
  readonly #file: string;
  readonly #redact: Redact;
  #isOpen = false;

  constructor(rootDir: string, provider: string, redact: Redact) {
    this.#file = join(rootDir, logFile(provider));
    this.#redact = redact;
  }

  /** A line that cannot be written is no reason to fail: the run goes on without it. */
  add(level: string, text: string): void {
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(this.#file, `${new Date().toISOString()} ${level.padEnd(5)} ${this.#redact(text)}\n`, {
        mode: 0o600,
      });
    } catch {
      // The disk is full, or the folder is not ours.
    }
  }

  #open(): void {
    makeOwnFolder(dirname(this.#file));
    this.#isOpen = true;
    try {
      if (statSync(this.#file).size > LARGE) renameSync(this.#file, `${this.#file}.1`);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }
}
