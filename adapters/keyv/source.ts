/** What may be handed over to keep state in, and what must be true of it. */
import { Keyv } from "keyv";
import { messageOf } from "../../core/base/index.js";
import { isKeyvLike, type KeyvLike } from "../../core/contract/index.js";
import { invalid } from "../kit/options.js";
import type { KeyvStoreOptions } from "./open.js";

export interface OpenedKeyv {
  readonly keyv: Keyv;
  /** What keeps the values; the same object for all that share them. */
  readonly storage: object;
  readonly location: string;
  /** Ends the connections. */
  disconnect(): Promise<void>;
}

const NAMESPACE = "scope-engine";

/** @throws EngineError `INVALID_OPTION` */
export function madeBy(make: () => KeyvLike): KeyvLike {
  try {
    return make();
  } catch (error) {
    throw invalid(`The function given to keyvStore() has made no Keyv and no adapter: ${messageOf(error)}`);
  }
}

/** @throws EngineError `INVALID_OPTION` */
export function openSource(source: KeyvLike, { namespace, location }: KeyvStoreOptions): OpenedKeyv {
  if (isKeyv(source)) {
    if (namespace !== undefined) throw invalid("A Keyv has a namespace of its own: set it there, not in the options.");
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
    throw invalid("keyvStore() needs a Keyv, a storage adapter of Keyv with get, set, delete and clear, or a Map.");
  checkAdapter(source);
  const within = namespace ?? NAMESPACE;
  // As a Keyv does with its adapter. So the place of a value does not depend on what another Keyv has set here before.
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

/** By its shape, for a project may well have another copy of Keyv than this package. */
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
      "This Keyv hides the errors of its storage: what cannot be read would count as absent. Make it with new Keyv({ …, throwOnErrors: true }).",
    );
  }
  if (keyv.ttl !== undefined) {
    throw invalid(
      `The values of this Keyv expire after ${keyv.ttl} ms, and the state with them. Give the state a Keyv without ttl.`,
    );
  }
}

/** Some adapters have the same option as Keyv: `@keyv/redis`, `@keyv/valkey`. */
function checkAdapter(adapter: object): void {
  if (memberOf(adapter, "throwOnErrors") === false) {
    const name = className(adapter);
    throw invalid(
      `${name} hides its errors: what cannot be read would count as absent. Make it with new ${name}(…, { throwOnErrors: true }).`,
    );
  }
}

/** An adapter with connections puts its own namespace before the key that Keyv gives it: with another one the state is not found. */
function checkNamespace(storage: object, namespace: string | undefined): void {
  const own = memberOf(storage, "namespace");
  if (storage instanceof Map || own === undefined || own === namespace) return;
  throw invalid(
    `This Keyv has the namespace "${namespace}", and another Keyv has given its adapter "${own}": the state would be read and written elsewhere. Give each Keyv an adapter of its own.`,
  );
}

/**
 * The Keyv is given the adapter's methods and not the adapter. It would listen to its errors and never stop, and it
 * cannot be made over one that has an iterator, and options without a URL.
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

/** The same for all clients of one place, whatever their option `location` says. */
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
  return name === "" || name === "Object" ? "an adapter" : name;
}
