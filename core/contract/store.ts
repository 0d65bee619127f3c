import type { Environment } from "../base/index.js";

/**
 * What keeps the state of apps: string values under string keys. It has what the engine calls and nothing else. The
 * stores of this package are storage adapters of Keyv, too; `asKeyvAdapter()` of `scope-engine/adapters/keyv` makes one
 * of any other store.
 *
 * A store that cannot answer rejects; it never answers "absent". Keys are `/`-separated, already encoded by the
 * engine to letters, digits, `.`, `_`, `-` and `%`, and each segment is at most 200 bytes long.
 */
export interface StateStore {
  /** Short name for messages, e.g. "fs" or "s3". */
  readonly name: string;
  /** Where the state is, for messages, e.g. a folder or a bucket; never holds credentials. */
  readonly location?: string;
  /** True when only this machine sees the state. */
  readonly local?: boolean;

  get(key: string): Promise<string | undefined>;
  /** As many answers as keys, in their order. */
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  /** Replaces the value whole. */
  set(key: string, value: string): Promise<void>;
  /** True when one of them was there. */
  deleteMany(keys: string[]): Promise<boolean>;

  /**
   * Puts a value if the key is absent: atomic against every other client, durable when it resolves.
   * False: the key exists. A store that cannot tell whether its write took effect rejects.
   */
  create(key: string, value: string, options?: WriteOptions): Promise<boolean>;
  /**
   * The keys that begin with `prefix`: every one that was made before the call and not deleted since. Keys that come or
   * go meanwhile may be there or not, so it never proves absence by itself. A key that calls raced for may be shown, or
   * missing, for a moment longer; `get` tells.
   *
   * A folder, that is, keys that differ in their last segment alone, is shown as it was at one moment of the call, as
   * long as it holds no more than a few dozen keys: a list never misses a key while it still shows one that was deleted
   * after that key was made. The ledger takes it by its checkpoints, of which there are a few, whether it was overtaken.
   */
  list(prefix: string): AsyncIterable<string>;
  /**
   * Releases connections and file handles; the store is not used afterwards, but may be closed again. What is under way
   * takes effect or rejects.
   */
  close?(): Promise<void>;
}

/** How safely a write must be kept. */
export interface WriteOptions {
  /**
   * False: the write must survive the process but need not survive a power loss. Default: true.
   * Stores that make no difference ignore it.
   */
  readonly sync?: boolean;
}

/** The power of a store whose values can grow in place. */
export interface Growing {
  /**
   * Adds `chunk` to the end of the value of `key`, then tells whether the writer may rely on it: true only when `key`
   * still existed and, looked up after the write, `fence` did not exist. Never makes a key. A store that is done at once
   * may answer without a promise; it never throws, but rejects.
   */
  append(key: string, chunk: string, fence: string, options?: WriteOptions): boolean | Promise<boolean>;
}

const NEEDED = ["get", "getMany", "set", "deleteMany", "create", "list"] as const;

/** The methods that every store needs and this value lacks. Further methods do no harm: the engine never calls them. */
export function missingMethods(value: object): string[] {
  return NEEDED.filter((name) => typeof Reflect.get(value, name) !== "function");
}

export function isGrowing(store: StateStore): store is StateStore & Growing {
  return "append" in store && typeof store.append === "function";
}

/** What a store factory is told about the run that it is made for. */
export interface StoreContext {
  readonly appName: string;
  readonly stage: string;
  /** Absolute path of the project's root folder. */
  readonly rootDir: string;
  readonly profile: string | undefined;
  /** What the option `stateStore`, `--state` or `ENGINE_STATE` says, if that is a URL. It may hold a password. */
  readonly url?: string | undefined;
  /** The Keyv, or its storage adapter, that the option `stateStore` is. */
  readonly keyv?: KeyvLike | undefined;
  /** The environment of the run. Default: that of the process. */
  readonly env?: Environment;
  /** Emits a `warning` event: what the store cannot promise as it is set up. The code is in UPPER_SNAKE case. */
  warn(code: string, message: string): void;
}

/** Makes a store when the run knows where it is. */
export interface StoreFactory<Store extends StateStore = StateStore> {
  (context: StoreContext): Store;
  /** Schemes of URLs, e.g. `["s3"]`. Of one that was made without arguments: `--state` and `ENGINE_STATE` take its place. */
  readonly schemes?: readonly string[];
}

/** A Keyv, a storage adapter of Keyv, or a `Map`: what Keyv reads and writes by. */
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

/** False for a store that lacks a method. */
export function isForeignKeyv(value: unknown): value is KeyvLike {
  return isKeyvLike(value) && !("create" in value || "list" in value);
}

/**
 * A store, a function that makes one, a URL (`s3://`, `redis://`, `rediss://` or `file:`), or a Keyv, which serves one run at a time. A Keyv or an
 * adapter of Keyv that hides its errors is refused: make it with `throwOnErrors: true`.
 */
export type StateStoreOption = StateStore | StoreFactory | KeyvLike | string;
