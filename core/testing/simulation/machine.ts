/** A computer of the simulation: its boots, the processes on it, and its files. */
import type { LocalFiles } from "../../platform.js";
import type { ProcessFate, ProcessIdentity } from "../../process/identity.js";

/** What a machine knows of a process. */
export interface Resident {
  readonly identity: ProcessIdentity;
  readonly standing: "gone" | "runs" | "stopped";
}

export class Machine {
  readonly name: string;
  readonly files = new Map<string, string>();
  readonly #residents = new Map<number, Resident>();
  #boots = 1;
  #pids = 100;

  constructor(name: string) {
    this.name = name;
  }

  /** The identity of a new process. */
  admit(resident: (identity: ProcessIdentity) => Resident): void {
    const pid = ++this.#pids;
    const identity = {
      user: "somebody",
      host: this.name,
      pid,
      started: String(pid),
      machine: this.name,
      boot: `${this.name} boot ${this.#boots}`,
      pidNamespace: "pid:[1]",
    };
    this.#residents.set(pid, resident(identity));
  }

  /** From now on its processes are those of another boot. */
  restart(): void {
    this.#boots++;
    this.#residents.clear();
  }

  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
    if (of.boot !== here.boot || of.machine !== here.machine) return "unknown";
    return this.#residents.get(of.pid)?.standing ?? "gone";
  }

  get localFiles(): Omit<LocalFiles, "list" | "read" | "rename" | "remove" | "writeNew"> & SyncFiles {
    const { files } = this;
    return {
      list: (folder) => {
        const names = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
        return names.map((path) => path.slice(folder.length + 1)).filter((name) => !name.includes("/"));
      },
      read: (path) => {
        const text = files.get(path);
        if (text === undefined) throw absent(path);
        return text;
      },
      rename: (from, to) => {
        const text = files.get(from);
        if (text === undefined) throw absent(from);
        files.delete(from);
        files.set(to, text);
      },
      remove: (path) => void files.delete(path),
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
