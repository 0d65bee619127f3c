import type { Environment } from "../base/index.js";

/**
 * A store for the state of apps: string values under string keys. These are all the methods that the engine calls. The
 * stores of this package are also storage adapters of Keyv; `asKeyvAdapter()` of `scope-engine/adapters/keyv` turns any
 * other store into one.
 *
 * A store that cannot answer rejects; it never answers "absent". Keys are `/`-separated and already encoded by the
 * engine to letters, digits, `.`, `_`, `-` and `%`. Each segment is at most 200 bytes long.
 */
export interface StateStore {
  /** Short name for messages, e.g. "fs" or "s3". */
  readonly name: string;
  /** Place of the state, for messages, e.g. a folder or a bucket. Must not hold credentials. */
  readonly location?: string;
  /** True if only this machine sees the state. */
  readonly local?: boolean;
  /**
   * True if a write that arrives after its sender has given up changes nothing, so a deleted key stays deleted. Then
   * reading a state takes one request less.
   */
  readonly ignoresLateWrites?: boolean;
  /** Statements that make the place of the state, for an administrator, e.g. SQL. `engine state init` prints them. */
  readonly setup?: string;

  get(key: string): Promise<string | undefined>;
  /** Reads several values. Resolves with one answer for each key, in the order of the keys. */
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  /** Writes a value, replacing the whole previous value. */
  set(key: string, value: string): Promise<void>;
  /** Deletes keys. Resolves with true if one of them existed. */
  deleteMany(keys: string[]): Promise<boolean>;

  /**
   * Writes a value if the key is absent: atomic against every other client, durable when it resolves. Resolves with
   * false if the key exists. A store that cannot tell whether its write took effect rejects.
   */
  create(key: string, value: string, options?: WriteOptions): Promise<boolean>;
  /**
   * Lists the keys that begin with `prefix`: every key that was created before the call and not deleted since. Keys
   * that are created or deleted during the call may be listed or not, so a list alone never proves that a key is
   * absent. A key that several calls competed for may be listed, or missing, for a moment longer; `get` is reliable.
   *
   * A folder, that is, keys that differ only in their last segment, is listed as it was at one moment of the call, up
   * to a few dozen keys. A list never misses a key while it still shows one that was deleted after that key was
   * created. The ledger relies on this to notice, by its few checkpoints, that it was overtaken.
   */
  list(prefix: string): AsyncIterable<string>;
  /**
   * Resolves soon after any client has called `deleteMany` with a key, even an absent one, so that a waiting run need
   * not wait for its next look. It may resolve without a reason, or never. It ends with the signal, and never rejects.
   */
  whenDeleted?(key: string, signal: AbortSignal): Promise<void>;
  /**
   * Releases connections and file handles. The store is not used afterwards, but may be closed again. Pending requests
   * take effect or reject.
   */
  close?(): Promise<void>;
}

/** Durability of a write. */
export interface WriteOptions {
  /**
   * False if the write must survive the process, but not a power loss. Default: true. Stores that make no difference
   * ignore it.
   */
  readonly sync?: boolean;
}

/** A capability of stores whose values can grow in place. */
export interface Growing {
  /**
   * Appends `chunk` to the value of `key`, then answers whether the writer may rely on it. The answer is true only if
   * `key` still existed and `fence`, looked up after the write, did not exist. Never creates a key. A store may answer
   * synchronously; it never throws, but rejects.
   */
  append(key: string, chunk: string, fence: string, options?: WriteOptions): boolean | Promise<boolean>;
}

const NEEDED = ["get", "getMany", "set", "deleteMany", "create", "list"] as const;

/** Returns the required methods that this value lacks. Additional methods are ignored: the engine never calls them. */
export function missingMethods(value: object): string[] {
  return NEEDED.filter((name) => typeof Reflect.get(value, name) !== "function");
}

export function isGrowing(store: StateStore): store is StateStore & Growing {
  return "append" in store && typeof store.append === "function";
}

/** Context of a store factory: the run that the store is made for. */
export interface StoreContext {
  readonly appName: string;
  readonly stage: string;
  /** Absolute path of the project's root folder. */
  readonly rootDir: string;
  readonly profile: string | undefined;
  /** URL given by the option `stateStore`, `--state` or `ENGINE_STATE`. It may hold a password. */
  readonly url?: string | undefined;
  /** Keyv, or its storage adapter, given as the option `stateStore`. */
  readonly keyv?: KeyvLike | undefined;
  /** Environment variables of the run. Default: the environment of the process. */
  readonly env?: Environment;
  /**
   * Emits a `warning` event about a guarantee that the store cannot give in its configuration. The code is in
   * UPPER_SNAKE case.
   */
  warn(code: string, message: string): void;
}

/** Makes a store once the app and stage of the run are known. */
export interface StoreFactory<Store extends StateStore = StateStore> {
  (context: StoreContext): Store;
  /**
   * URL schemes, e.g. `["s3"]`, of a factory that was made without arguments. For these, `--state` and `ENGINE_STATE`
   * override the factory.
   */
  readonly schemes?: readonly string[];
}

/** A Keyv, a storage adapter of Keyv, or a `Map`: the methods that Keyv uses to read and write. */
export interface KeyvLike {
  get(key: string): unknown;
  set(key: string, value: string, ttl?: number): unknown;
  delete(key: string): unknown;
  clear(): unknown;
}

export function isKeyvLike(value: unknown): value is KeyvLike {
  const methods = ["get", "set", "delete", "clear"];
  return (
    typeof value === "object" &&
    value !== null &&
    methods.every((name) => typeof Reflect.get(value, name) === "function")
  );
}

/** True for a Keyv; false for a store that merely lacks a method. */
export function isForeignKeyv(value: unknown): value is KeyvLike {
  return isKeyvLike(value) && !("create" in value || "list" in value);
}

/**
 * A store, a function that makes one, a URL (`s3://`, `redis://`, `rediss://`, `postgres://` or `file:`), or a Keyv,
 * which serves one run at a time. A Keyv or a Keyv adapter that hides its errors is refused: create it with
 * `throwOnErrors: true`.
 */
export type StateStoreOption = StateStore | StoreFactory | KeyvLike | string;
