/** The files that a session watches: which of them are not what the last run was made of. */

import { statSync } from "node:fs";
import type { FSWatcher } from "chokidar";
import type { Source } from "./messages.js";

/** Milliseconds between two looks: what is the same at both of them is taken for complete. */
const QUIET = 50;

/** Milliseconds between two looks where nothing was heard: some disks tell nothing, and none tells it before it is asked. */
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
    // One that cannot be watched is looked at all the same.
    watcher.on("error", () => {});
  }

  static async open(): Promise<WatchedFiles> {
    const { watch } = await import("chokidar");
    return new WatchedFiles(watch([], { ignoreInitial: true }));
  }

  /** As the last call of {@link follow} had them. */
  get sources(): readonly Source[] {
    return this.#sources;
  }

  /** From now on a file has changed when it is not as its stamp says. */
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

/** Of a file that is not there. */
export const NOTHING = "none";

/** Changes whenever the file is written, replaced, made or removed. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : NOTHING;
}
