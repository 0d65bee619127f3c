/**
 * The parts of a process that a run cannot compute: time, randomness, timers, files, the process itself. In production
 * these are Node's own. A simulation replaces them, so that it can repeat a run byte for byte.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Bytes, HostProcess, ProcessFate, ProcessIdentity, ProcessName } from "../vocabulary.js";
import { fateOf, identityOfThis, nameOfThis } from "./process-identity.js";
import { nodeCrypto, randomUuid } from "./random.js";
import { replaceFile, whenFree } from "./whole-file.js";

/** Stops a timer; does nothing after the timer has ended. */
export type Cancel = () => void;

/** Text files on this machine. Each function rejects or throws as `node:fs` does. */
export interface LocalFiles {
  /**
   * Lists the names in a folder after the call; none if it does not exist. Always lets timers and sockets have their
   * turn, because a run with a store in memory waits for nothing else.
   */
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<string>;
  /** Reads a file synchronously. Returns undefined if it does not exist, which takes less time than an error. */
  readNow(path: string): string | undefined;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Writes a file that only its owner can read; rejects if it exists. */
  writeNew(path: string, text: string): Promise<void>;
  /**
   * Writes a file atomically, readable only by its owner, and creates its folder. Synchronous, because the process may
   * be about to end.
   */
  writeNow(path: string, text: string): void;
}

/** Cost of a key derivation, as in `node:crypto`. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly maxmem: number;
}

export interface Platform {
  /** Milliseconds since an arbitrary moment; never decreases. */
  monotonicNow(): number;
  /** Time of day in ISO 8601 format, UTC; only for people. */
  timeOfDay(): string;
  /** Calls `fn` once, after the given time. */
  after(milliseconds: number, fn: () => void): Cancel;
  /** Calls `fn` repeatedly; does not keep the process alive. */
  every(milliseconds: number, fn: () => void): Cancel;
  /** Calls `fn` in the next turn of the event loop. */
  nextTurn(fn: () => void): Cancel;
  /** Random UUID: RFC 9562, version 4, lower case. */
  uuid(): string;
  /** Random number in [0, 1); for delays, never for secrets. */
  random(): number;
  randomBytes(size: number): Bytes;
  scrypt(password: string, salt: Bytes, length: number, cost: ScryptCost): Promise<Bytes>;
  /** The same, for a process that is about to end. */
  scryptNow(password: string, salt: Bytes, length: number, cost: ScryptCost): Bytes;
  processName(): ProcessName;
  identity(): ProcessIdentity;
  /** Returns the state of a process, as far as this machine alone can tell. */
  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate;
  readonly files: LocalFiles;
  readonly process: HostProcess;
  /** Values of the process by name: see {@link perProcess}. */
  readonly belongings: Map<string, unknown>;
}

/** In milliseconds. */
export const MINUTE = 60_000;

/** In milliseconds. */
export const HOUR = 60 * MINUTE;

/** Clock of the state: it measures durations, never the time of day. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  now(): number;
  /** Waits. @throws the signal's reason as soon as it is aborted */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Listings that have not begun, by folder: the runs of one turn of the event loop share one. */
const listings = new Map<string, Promise<readonly string[]>>();

async function listNext(folder: string): Promise<readonly string[]> {
  await new Promise(setImmediate);
  listings.delete(folder);
  // Most runs look for a folder that does not exist, for which an error would take ten times as long.
  return statSync(folder, { throwIfNoEntry: false }) ? readdir(folder) : [];
}

let lastTime = Number.NaN;
let lastText = "";

/**
 * Looks up Node's functions at each call, so that replaced global timers, e.g. the fake clocks of tests, take effect.
 */
const node: Platform = {
  // Not `performance.now()`: its first use makes Node load a dozen modules, which would slow every start of a program.
  monotonicNow() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  timeOfDay() {
    const now = Date.now();
    // A run emits thousands of events, many in the same millisecond.
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
    list(folder) {
      const next = listings.get(folder) ?? listNext(folder);
      listings.set(folder, next);
      return next;
    },
    read: (path) => readFile(path, "utf8"),
    readNow: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    rename: (from, to) => whenFree(() => rename(from, to)),
    remove: (path) => rm(path, { force: true }),
    writeNew: (path, text) => writeFile(path, text, { flag: "wx", mode: 0o600 }),
    writeNow: (path, text) => replaceFile(path, text),
  },
  process,
  belongings: processWide("belongings@1", () => new Map<string, unknown>()),
};

// Shared by all copies of the package in the process.
const installed = processWide<{ platform: Platform }>("platform@1", () => ({ platform: node }));

/** Returns the platform of the running code. */
export function platform(): Platform {
  return installed.platform;
}

/** Sets the platform of all code; undefined restores Node's. */
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

/** Returns the milliseconds since an arbitrary moment; never decreases. */
export function monotonicNow(): number {
  return installed.platform.monotonicNow();
}

/** Resolves after the given time, or at once when the signal is aborted. */
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

/** Returns the time of day in ISO 8601 format, for people; the engine decides nothing by it. */
export function timeOfDay(): string {
  return installed.platform.timeOfDay();
}

/**
 * Makes a getter of a value that exists once per process, shared by all copies of this package in it. The name contains
 * the version of the value's shape.
 */
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
  // Called for every declaration: the map is read only once, unless platforms alternate.
  return () => {
    const { platform } = installed;
    if (platform !== owner) {
      owner = platform;
      own = find(platform);
    }
    return own;
  };
}

/** Returns a new random UUID: RFC 9562, version 4, lower case. */
export function uuid(): string {
  return installed.platform.uuid();
}

export function processName(): ProcessName {
  return platform().processName();
}

export function identity(): ProcessIdentity {
  return platform().identity();
}

/**
 * Returns the state of a process, as far as this machine alone can tell; "unknown" if it runs elsewhere or the system
 * does not tell.
 */
export function fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
  return platform().fate(of, here);
}

/**
 * Returns a value that all copies of this package in one process share. So a project with several copies in its tree
 * has one current scope and one set of resource kinds. The name contains the version of the value's shape.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`scope-engine/${name}`);
  const existing: unknown = Reflect.get(globalThis, key);
  if (existing !== undefined) return existing as T;
  const made = make();
  Reflect.set(globalThis, key, made);
  return made;
}
