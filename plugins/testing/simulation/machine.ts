/** A computer of the simulation: its boots, its processes and its files. */
import type { LocalFiles, ProcessFate, ProcessIdentity } from "../../../core/base/index.js";

/** Returns the state of a process of a machine. */
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

  /** Returns the identity of a new process. */
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

  /** Starts another boot. */
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
      readNow: (path) => files.get(path),
      writeNew: (path, text) => void files.set(path, text),
      writeNow: (path, text) => void files.set(path, text),
    };
  }
}

/** Synchronous functions; a process still waits for the answer. */
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

/** Traits of a simulated store: its speed, its abilities, and its possible faults. */
export interface StoreTraits {
  readonly name: string;
  /** Milliseconds each way, from the least to the most. */
  readonly latency: readonly [least: number, most: number];
  /** True if values can grow in place. */
  readonly grows: boolean;
  /** True: the process does the work itself, so that the work dies with it, possibly half done. */
  readonly isLocal: boolean;
  /** Keys on one page of a list. */
  readonly page: number;
}

/** Files on the machine's own disk. */
export const filesTraits: StoreTraits = {
  name: "files",
  latency: [0.01, 0.3],
  grows: true,
  isLocal: true,
  page: 10_000,
};

/** A nearby Redis server. */
export const redisTraits: StoreTraits = { name: "redis", latency: [0.1, 2], grows: true, isLocal: false, page: 10_000 };

/** An S3 bucket. */
export const bucketTraits: StoreTraits = { name: "bucket", latency: [5, 60], grows: false, isLocal: false, page: 50 };

/** Probabilities of the faults of a request. */
export interface StoreFaults {
  /** The request is lost: it fails without an effect. */
  readonly lostRequest: number;
  /** The answer is lost: the request fails after its effect. */
  readonly lostReply: number;
  /** The request is done twice, the second time later; the second answer is returned. */
  readonly repeated: number;
}

export const NO_FAULTS: StoreFaults = { lostRequest: 0, lostReply: 0, repeated: 0 };
