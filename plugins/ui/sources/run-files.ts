/** The runs of a file, or of all files of a folder, with the output of `--json`. */
import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { ignore } from "../../../core/base/index.js";
import type { RunRow } from "../api/index.js";
import { FollowedFile } from "./followed-file.js";
import { newestFirst, type RunEvents, type RunSource } from "./kept-run.js";

/** Extensions of files in a folder that may contain such output. */
const ENDINGS: readonly string[] = [".ndjson", ".jsonl", ".json", ".log"];
/** Only the newest files are read. */
const MOST_FILES = 500;
/** Milliseconds; not waited for if the system reports changes. */
const POLL = 250;

export interface RunFiles extends RunSource {
  /** Number of lines that are not events. */
  readonly malformed: number;
}

/**
 * Resolves once all present lines are read; later lines are read as they arrive.
 *
 * @throws the system's error for a path that cannot be read
 */
export async function runFiles(path: string): Promise<RunFiles> {
  const files = new FollowedRuns(path, (await stat(path)).isDirectory());
  await files.begin();
  return files;
}

class FollowedRuns implements RunFiles {
  readonly #path: string;
  readonly #isFolder: boolean;
  readonly #files = new Map<string, FollowedFile>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFollowing = false;
  #isAgain = false;
  #isClosed = false;

  constructor(path: string, isFolder: boolean) {
    this.#path = path;
    this.#isFolder = isFolder;
  }

  get malformed(): number {
    return [...this.#files.values()].reduce((sum, { malformed }) => sum + malformed, 0);
  }

  async begin(): Promise<void> {
    await this.#follow();
    const soon = (): void => void this.#soon();
    try {
      this.#watcher = watch(this.#path, { persistent: false }, soon).on("error", ignore);
    } catch {
      // Some systems have too few file watches, or none: then the timer below is enough.
    }
    this.#timer = setInterval(soon, POLL).unref();
  }

  rows(): readonly RunRow[] {
    return newestFirst(this.#runs.map((run) => run.row()));
  }

  run(id: string): RunEvents | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  answer(): boolean {
    return false;
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  get #runs() {
    return [...this.#files.values()].flatMap(({ runs }) => runs);
  }

  /** Reads one change at a time; a change during a read is read afterwards. */
  async #soon(): Promise<void> {
    this.#isAgain = true;
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#isAgain && !this.#isClosed) {
      this.#isAgain = false;
      // A file that cannot be read now may be readable the next time.
      await this.#follow().catch(ignore);
    }
    this.#isFollowing = false;
  }

  async #follow(): Promise<void> {
    for (const path of this.#isFolder ? await newestIn(this.#path) : [this.#path]) {
      const file = this.#files.get(path) ?? new FollowedFile(path);
      this.#files.set(path, file);
      await file.follow();
    }
  }
}

async function newestIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => ENDINGS.includes(extname(name)));
  if (names.length <= MOST_FILES) return names.map((name) => join(folder, name));
  const times = names.map(async (name) => {
    const path = join(folder, name);
    return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
  });
  const found = (await Promise.all(times)).sort((one, other) => other.at - one.at);
  return found.slice(0, MOST_FILES).map(({ path }) => path);
}
