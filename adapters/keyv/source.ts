/** Checks and opens the source that state is kept in. */
import { Keyv } from "keyv";
import { messageOf } from "../../core/base/index.js";
import { isKeyvLike, type KeyvLike } from "../../core/contract/index.js";
import { invalid } from "../kit/options.js";
import type { KeyvStoreOptions } from "./open.js";

export interface OpenedKeyv {
  readonly keyv: Keyv;
  /** The storage of the values; the same object for all clients that share them. */
  readonly storage: object;
  readonly location: string;
  /** Ends the connections. */
  disconnect(): Promise<void>;
}

const NAMESPACE = "scope-engine";

/** Name of an adapter that is not an instance of a class. */
const UNNAMED = "an adapter";

/** @throws EngineError `INVALID_OPTION` */
export function madeBy(make: () => KeyvLike): KeyvLike {
  try {
    return make();
  } catch (error) {
    throw invalid(`The function given to keyvStore() failed: ${messageOf(error)}`);
  }
}

/** @throws EngineError `INVALID_OPTION` */
export function openSource(source: KeyvLike, { namespace, location }: KeyvStoreOptions): OpenedKeyv {
  if (isKeyv(source)) {
    if (namespace !== undefined)
      throw invalid(
        'The option "namespace" is only for a storage adapter or a Map. A Keyv has its own namespace: new Keyv({ namespace }).',
      );
    checkKeyv(source);
    const storage: object = source.store;
    checkAdapter(storage);
    checkNamespace(storage, source.namespace);
    return {
      keyv: source,
      storage,
      location: location ?? locationOf(storage, source.namespace),
      disconnect: async () => source.disconnect(),
    };
  }
  if (!isKeyvLike(source))
    throw invalid(
      "keyvStore() needs a Keyv instance, a Map, or a Keyv storage adapter (with get, set, delete and clear).",
    );
  checkAdapter(source);
  const within = namespace ?? NAMESPACE;
  // A Keyv does this with its adapter, too. So the place of a value does not depend on a namespace that another Keyv
  // set before.
  if (!(source instanceof Map)) Reflect.set(source, "namespace", within);
  return {
    keyv: keyvOver(source, within),
    storage: source,
    location: location ?? locationOf(source, within),
    async disconnect() {
      const end: unknown = Reflect.get(source, "disconnect");
      if (typeof end === "function") await Reflect.apply(end, source, []);
    },
  };
}

/** Recognizes a Keyv by its members, because the project may have another copy of Keyv than this package. */
function isKeyv(source: KeyvLike): source is Keyv {
  if (source instanceof Keyv) return true;
  const options = memberOf(source, "opts");
  return isKeyvLike(source) && isKeyvLike(memberOf(options, "store"));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function checkKeyv(keyv: Keyv): void {
  if (keyv.throwOnErrors !== true) {
    throw invalid(
      "This Keyv hides the errors of its storage, so a value that cannot be read would count as absent. Create it with new Keyv({ …, throwOnErrors: true }).",
    );
  }
  if (keyv.ttl !== undefined) {
    throw invalid(
      `The values of this Keyv expire after ${keyv.ttl} ms, and the state would expire with them. Use a Keyv without ttl.`,
    );
  }
}

/** Some adapters have the same option as Keyv: `@keyv/redis`, `@keyv/valkey`. */
function checkAdapter(adapter: object): void {
  if (memberOf(adapter, "throwOnErrors") === false) {
    const name = className(adapter);
    const create = name === UNNAMED ? "the adapter with" : `it with new ${name}(…,`;
    throw invalid(
      `${name} hides its errors, so a value that cannot be read would count as absent. Create ${create} { throwOnErrors: true }${name === UNNAMED ? "" : ")"}.`,
    );
  }
}

/** An adapter with connections adds its own namespace to the key of Keyv: with another one the state is not found. */
function checkNamespace(storage: object, namespace: string | undefined): void {
  const own = memberOf(storage, "namespace");
  if (storage instanceof Map || own === undefined || own === namespace) return;
  throw invalid(
    `The namespace of this Keyv is ${quoted(namespace)}, but the namespace of its adapter is ${quoted(own)}, which another Keyv has probably set. The state would be in the wrong place. Give each Keyv its own adapter.`,
  );
}

/**
 * Makes a Keyv with the adapter's methods instead of the adapter. With the adapter, it would add a listener for errors
 * and never remove it. It also rejects an adapter that has an iterator but no URL in its options.
 */
function keyvOver(adapter: KeyvLike, namespace: string): Keyv {
  const store: KeyvLike = {
    get: (key) => adapter.get(key),
    set: (key, value, ttl) => adapter.set(key, value, ttl),
    delete: (key) => adapter.delete(key),
    clear: () => adapter.clear(),
  };
  return new Keyv({ store, namespace, throwOnErrors: true });
}

/** Returns a name that is the same for all clients of one place, whatever their option `location` is. */
export function placeOf(storage: object, namespace: string | undefined): string {
  return `${className(storage)} ${namespace}`;
}

function locationOf(storage: object, namespace: string | undefined): string {
  const location = memberOf(storage, "location");
  const place = typeof location === "string" ? location : className(storage);
  return namespace === undefined ? place : `${place}, namespace "${namespace}"`;
}

function className(value: object): string {
  const name = value.constructor?.name ?? "";
  return name === "" || name === "Object" ? UNNAMED : name;
}

function quoted(namespace: unknown): string {
  return namespace === undefined ? "not set" : `"${namespace}"`;
}
