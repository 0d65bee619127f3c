/** Watches the files of a session for differences from those that the last run loaded. */

import { statSync } from "node:fs";
import type { FSWatcher } from "chokidar";
import type { Source } from "./messages.js";

/** Milliseconds between two reads of the stamps. A file is complete if both reads agree. */
const QUIET = 50;

/** Milliseconds between two reads without events: some disks report no changes. */
const SLOW = 1000;

export class WatchedFiles {
  readonly #watcher: FSWatcher;
  readonly #slow: NodeJS.Timeout;
  readonly #watched = new Set<string>();
  #sources: readonly Source[] = [];
  #soonest: NodeJS.Timeout | undefined;
  #last = "";
  #resolve: ((files: readonly string[]) => void) | undefined;

  private constructor(watcher: FSWatcher) {
    this.#watcher = watcher;
    this.#slow = setInterval(() => this.#look(), SLOW);
    watcher.on("all", () => this.#soon());
    // A file that cannot be watched is still polled.
    watcher.on("error", () => {});
  }

  static async open(): Promise<WatchedFiles> {
    const { watch } = await import("chokidar");
    return new WatchedFiles(watch([], { ignoreInitial: true }));
  }

  /** The files of the last call of {@link follow}. */
  get sources(): readonly Source[] {
    return this.#sources;
  }

  /** Watches these files. A file has changed if it differs from its stamp. */
  follow(sources: readonly Source[]): void {
    this.#sources = sources;
    this.#last = "";
    for (const { path } of sources) {
      if (this.#watched.has(path)) continue;
      this.#watched.add(path);
      this.#watcher.add(path);
    }
    this.#soon();
  }

  /** Resolves with the files that have changed, once nothing more changes. One call at a time. */
  changed(): Promise<readonly string[]> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#soon();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#soonest);
    clearInterval(this.#slow);
    this.#resolve = undefined;
    await this.#watcher.close();
  }

  #soon(): void {
    clearTimeout(this.#soonest);
    this.#soonest = setTimeout(() => this.#look(), QUIET);
  }

  #look(): void {
    const now = this.#sources.map(({ path, stamp }) => ({ path, stamp: stampOf(path), before: stamp }));
    const changed = now.filter(({ stamp, before }) => stamp !== before);
    if (changed.length === 0 || !this.#resolve) return;
    const state = JSON.stringify(changed);
    if (state !== this.#last) {
      this.#last = state;
      return this.#soon();
    }
    this.#resolve(changed.map(({ path }) => path));
    this.#resolve = undefined;
  }
}

/** Stamp of a missing file. */
export const NOTHING = "none";

/** Returns a text that changes whenever the file is written, replaced, created or removed. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : NOTHING;
}
