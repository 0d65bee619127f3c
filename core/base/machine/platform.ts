/**
 * The process that a run is in, as far as the run cannot compute it: time, chance, timers, files, the process itself. In
 * production these are Node's own. A simulation puts others in their place, so that it can repeat a run to the byte.
 */
import { readFileSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Bytes, HostProcess, ProcessFate, ProcessIdentity, ProcessName } from "../vocabulary.js";
import { fateOf, identityOfThis, nameOfThis } from "./process-identity.js";
import { nodeCrypto, randomUuid } from "./random.js";
import { replaceFile, whenFree } from "./whole-file.js";

/** Ends a timer; does nothing once that has come to its end. */
export type Cancel = () => void;

/** Texts in files of this machine. Each rejects or throws as `node:fs` does. */
export interface LocalFiles {
  /** Names of what is in a folder. */
  list(folder: string): Promise<string[]>;
  read(path: string): Promise<string>;
  /** As `read`, at once. */
  readNow(path: string): string;
  rename(from: string, to: string): Promise<void>;
  /** Does nothing where there is no file. */
  remove(path: string): Promise<void>;
  /** For nobody else to read; rejects where there is one. */
  writeNew(path: string, text: string): Promise<void>;
  /** Whole or not at all, for nobody else to read; makes the folder. Synchronous: the process may be about to end. */
  writeNow(path: string, text: string): void;
}

/** How dear a derivation is: as `node:crypto` has it. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly maxmem: number;
}

export interface Platform {
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonicNow(): number;
  /** The time of day as ISO 8601, in UTC; for people alone. */
  timeOfDay(): string;
  /** Calls `fn` once, so many milliseconds later. */
  after(milliseconds: number, fn: () => void): Cancel;
  /** Calls `fn` again and again; does not keep the process alive. */
  every(milliseconds: number, fn: () => void): Cancel;
  /** Calls `fn` in the next turn of the event loop. */
  nextTurn(fn: () => void): Cancel;
  /** RFC 9562, version 4, lower case. */
  uuid(): string;
  /** In [0, 1); for delays, never for secrets. */
  random(): number;
  randomBytes(size: number): Bytes;
  scrypt(password: string, salt: Bytes, length: number, cost: ScryptCost): Promise<Bytes>;
  /** For a process that is about to end. */
  scryptNow(password: string, salt: Bytes, length: number, cost: ScryptCost): Bytes;
  processName(): ProcessName;
  identity(): ProcessIdentity;
  /** What this machine can say of a process by itself. */
  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate;
  readonly files: LocalFiles;
  readonly process: HostProcess;
  /** What belongs to the process, by name: see {@link perProcess}. */
  readonly belongings: Map<string, unknown>;
}

/** In milliseconds. */
export const MINUTE = 60_000;

/** In milliseconds. */
export const HOUR = 60 * MINUTE;

/** Time as the state knows it: how long something takes, never what time it is. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** @throws the signal's reason as soon as it is aborted */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

let lastTime = Number.NaN;
let lastText = "";

/** Each asks Node when it is called: who replaces a global timer, as fake clocks of tests do, is heard. */
const node: Platform = {
  // Not `performance.now()`: Node loads a dozen modules when that is first asked for, which every start of every program would pay for.
  monotonicNow() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  timeOfDay() {
    const now = Date.now();
    // Events come by the thousand, and many in one millisecond.
    if (now !== lastTime) {
      lastTime = now;
      lastText = new Date(now).toISOString();
    }
    return lastText;
  },
  after(milliseconds, fn) {
    const timer = setTimeout(fn, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, fn) {
    const timer = setInterval(fn, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
  nextTurn(fn) {
    const immediate = setImmediate(fn);
    return () => clearImmediate(immediate);
  },
  uuid: randomUuid,
  random: () => Math.random(),
  randomBytes: (size) => nodeCrypto().randomBytes(size),
  scrypt: (password, salt, length, cost) =>
    new Promise((resolve, reject) => {
      nodeCrypto().scrypt(password, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)));
    }),
  scryptNow: (password, salt, length, cost) => nodeCrypto().scryptSync(password, salt, length, cost),
  processName: nameOfThis,
  identity: identityOfThis,
  fate: (of, here) => fateOf(of, here),
  files: {
    list: (folder) => readdir(folder),
    read: (path) => readFile(path, "utf8"),
    readNow: (path) => readFileSync(path, "utf8"),
    rename: (from, to) => whenFree(() => rename(from, to)),
    remove: (path) => rm(path, { force: true }),
    writeNew: (path, text) => writeFile(path, text, { flag: "wx", mode: 0o600 }),
    writeNow: (path, text) => replaceFile(path, text),
  },
  process,
  belongings: processWide("belongings@1", () => new Map<string, unknown>()),
};

// Of all copies of the package in the process.
const installed = processWide<{ platform: Platform }>("platform@1", () => ({ platform: node }));

/** What the code that runs now runs on. */
export function platform(): Platform {
  return installed.platform;
}

/** From now on all code runs on this; undefined: on Node. */
export function setPlatform(platform: Platform = node): void {
  installed.platform = platform;
}

export const monotonic: Clock = {
  now: monotonicNow,
  async sleep(milliseconds, signal) {
    await sleep(milliseconds, signal);
    signal.throwIfAborted();
  },
};

/** Milliseconds since an arbitrary moment; never goes back. */
export function monotonicNow(): number {
  return platform().monotonicNow();
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = platform().after(milliseconds, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** The time of day, for people: nothing is decided by it. As ISO 8601. */
export function timeOfDay(): string {
  return platform().timeOfDay();
}

/** A value of which each process has one, shared by all copies of this package in it. The name carries the version of its shape. */
export function perProcess<T>(name: string, make: () => T): () => T {
  let owner: Platform | undefined;
  let own: T;
  const find = ({ belongings }: Platform): T => {
    const existing = belongings.get(name);
    if (existing !== undefined) return existing as T;
    const made = make();
    belongings.set(name, made);
    return made;
  };
  // Asked for with every declaration: the map is looked at once, but where processes take turns.
  return () => {
    const { platform } = installed;
    if (platform !== owner) {
      owner = platform;
      own = find(platform);
    }
    return own;
  };
}

/** A new random UUID: RFC 9562, version 4, lower case. */
export function uuid(): string {
  return platform().uuid();
}

export function processName(): ProcessName {
  return platform().processName();
}

export function identity(): ProcessIdentity {
  return platform().identity();
}

/** What this machine can say of a process by itself; "unknown" where it runs elsewhere or the system does not tell. */
export function fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
  return platform().fate(of, here);
}

/**
 * A value that all copies of this package in one process share: a project whose tree holds several copies still has
 * one current scope and one set of resource kinds. The name carries the version of the value's shape.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`scope-engine/${name}`);
  const existing: unknown = Reflect.get(globalThis, key);
  if (existing !== undefined) return existing as T;
  const made = make();
  Reflect.set(globalThis, key, made);
  return made;
}
