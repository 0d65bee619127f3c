/** A computer of the simulation: its boots, the processes on it, and its files. */
import type { LocalFiles, ProcessFate, ProcessIdentity } from "../../../core/base/index.js";

/** What a machine knows of a process. */
type FateNow = () => "gone" | "runs" | "stopped";

export class Machine {
  readonly name: string;
  readonly files = new Map<string, string>();
  readonly #residents = new Map<number, FateNow>();
  #boots = 1;
  #pids = 100;

  constructor(name: string) {
    this.name = name;
  }

  /** The identity of a new process. */
  admit(fateNow: FateNow): ProcessIdentity {
    const pid = this.#nextPid();
    this.#residents.set(pid, fateNow);
    return {
      user: "somebody",
      host: this.name,
      pid,
      started: String(pid),
      machine: this.name,
      boot: this.#boot,
      pidNamespace: "pid:[1]",
    };
  }

  /** From now on its processes are those of another boot. */
  restart(): void {
    this.#boots++;
    this.#residents.clear();
  }

  get #boot(): string {
    return `${this.name} boot ${this.#boots}`;
  }

  #nextPid(): number {
    this.#pids += 1;
    return this.#pids;
  }

  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
    if (of.boot !== here.boot || of.machine !== here.machine) return "unknown";
    return this.#residents.get(of.pid)?.() ?? "gone";
  }

  get localFiles(): Omit<LocalFiles, "list" | "read" | "rename" | "remove" | "writeNew"> & SyncFiles {
    const { files } = this;
    const read = (path: string): string => {
      const text = files.get(path);
      if (text === undefined) throw absent(path);
      return text;
    };
    return {
      list: (folder) => {
        const names = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
        return names.map((path) => path.slice(folder.length + 1)).filter((name) => !name.includes("/"));
      },
      read,
      rename: (from, to) => {
        const text = files.get(from);
        if (text === undefined) throw absent(from);
        files.delete(from);
        files.set(to, text);
      },
      remove: (path) => void files.delete(path),
      readNow: read,
      writeNew: (path, text) => void files.set(path, text),
      writeNow: (path, text) => void files.set(path, text),
    };
  }
}

/** Done at once; a process waits for the answer all the same. */
export interface SyncFiles {
  list(folder: string): string[];
  read(path: string): string;
  rename(from: string, to: string): void;
  remove(path: string): void;
  writeNew(path: string, text: string): void;
}

function absent(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file, ${path}`), { code: "ENOENT" });
}

/** What simulated stores are like: how fast they answer, what they can do, and what may go wrong in them. */
export interface StoreTraits {
  readonly name: string;
  /** Milliseconds that each way takes, from the least to the most. */
  readonly latency: readonly [least: number, most: number];
  /** Values can grow in place. */
  readonly grows: boolean;
  /** True: the process does the work itself, so that it dies with it, and may leave half of it. */
  readonly isLocal: boolean;
  /** Keys of one page of a list. */
  readonly page: number;
}

/** As files on the machine's own disk. */
export const filesTraits: StoreTraits = {
  name: "files",
  latency: [0.01, 0.3],
  grows: true,
  isLocal: true,
  page: 10_000,
};

/** As a Redis server nearby. */
export const redisTraits: StoreTraits = { name: "redis", latency: [0.1, 2], grows: true, isLocal: false, page: 10_000 };

/** As a bucket of S3. */
export const bucketTraits: StoreTraits = { name: "bucket", latency: [5, 60], grows: false, isLocal: false, page: 50 };

/** How often requests go wrong, each as a probability. */
export interface StoreFaults {
  /** The request is lost: it fails, and has done nothing. */
  readonly lostRequest: number;
  /** The answer is lost: it fails, and has been done. */
  readonly lostReply: number;
  /** The request is done twice, the second time later; the answer is that of the second time. */
  readonly repeated: number;
}

export const NO_FAULTS: StoreFaults = { lostRequest: 0, lostReply: 0, repeated: 0 };
