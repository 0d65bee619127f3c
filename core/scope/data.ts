/** Values stored by scopes and resources, recorded in the journal like every other change. */

import { EngineError, messageOf, type OngoingWork } from "../base/index.js";
import { canonical, type ValueLocation } from "../codec/index.js";
import { dataOwner, type Encoded, isInHandler, isScopeOwner, type Scope } from "../contract/index.js";
import { type App, appOf, isTooLate, tooLate } from "../run/index.js";

/** The owner of data: a scope or a resource. */
export interface DataHome {
  readonly app: App;
  readonly scope: Scope;
  readonly fqn: string;
  readonly owner: string;
}

export function homeOf(scope: Scope): DataHome {
  const app = appOf(scope);
  return { app, scope, fqn: scope.chain.join("/"), owner: dataOwner(scope) };
}

export async function getData<T>(home: DataHome, key: string): Promise<T | undefined> {
  const { app, owner } = home;
  checkKey(key);
  await app.ready();
  const before = workOf(home).before(workKey(home, key));
  if (before !== undefined) await before;
  const value = app.ledger.readData(owner, key);
  return value === undefined ? undefined : (app.codec.decode(value, locationOf(home, key)) as T);
}

/** Stores a value. A value that is stored already is not written again. */
export async function setData(home: DataHome, key: string, value: unknown): Promise<void> {
  const { app, owner } = home;
  checkKey(key);
  // A call without effect needs no password.
  if (!isWritable(app, owner, key)) return app.ready();
  // Before the first await, because the program may change the value.
  const encoding = encode(home, key, value);
  const before = workOf(home).before(workKey(home, key));
  if (before !== undefined || encoding instanceof Promise) {
    return workOf(home).take(workKey(home, key), async () => {
      await Promise.all([before, app.ready()]);
      await put(home, key, await encoding);
    });
  }
  await app.ready();
  await put(home, key, encoding);
}

export async function deleteData(home: DataHome, key: string): Promise<void> {
  checkKey(key);
  const before = workOf(home).before(workKey(home, key));
  if (before !== undefined) return workOf(home).take(workKey(home, key), () => before.then(() => remove(home, key)));
  await home.app.ready();
  await remove(home, key);
}

function put(home: DataHome, key: string, value: Encoded): Promise<void> | undefined {
  const { app, owner } = home;
  if (!isWritable(app, owner, key)) return undefined;
  const before = app.ledger.readData(owner, key);
  if (before !== undefined && canonical(before) === canonical(value)) return undefined;
  return app.record([{ op: "data", owner, key, value }]);
}

function remove({ app, owner }: DataHome, key: string): Promise<void> | undefined {
  if (!isWritable(app, owner, key) || app.ledger.readData(owner, key) === undefined) return undefined;
  return app.record([{ op: "data", owner, key }]);
}

/** Keeps the order of calls, although a value that is encrypted may have to wait for its key. */
function workOf({ app }: DataHome): OngoingWork {
  return app.run.ongoing;
}

function workKey({ owner }: DataHome, key: string): string {
  return JSON.stringify([owner, key]);
}

function checkKey(key: unknown): void {
  if (typeof key === "string" && key !== "") return;
  throw new EngineError(
    "INVALID_CALL",
    `A data key must be a non-empty string, not ${JSON.stringify(key) ?? typeof key}.`,
  );
}

function locationOf({ scope, fqn, owner }: DataHome, key: string): ValueLocation {
  return { scope, fqn, owner, slot: "data", key };
}

/** Synchronous, because encoding has to begin at once. */
function encode(home: DataHome, key: string, value: unknown): Encoded | Promise<Encoded> {
  const { app, owner } = home;
  const before = (): readonly (Encoded | undefined)[] => [app.ledger.readData(owner, key)];
  try {
    const encoded = app.codec.encode(value, { ...locationOf(home, key), before });
    if (!(encoded instanceof Promise)) return encoded;
    const named = encoded.catch((error: unknown) => Promise.reject(unstorable(app, key, error)));
    // Awaited a little later.
    named.catch(() => {});
    return named;
  } catch (error) {
    throw unstorable(app, key, error);
  }
}

function unstorable(app: App, key: string, cause: unknown): EngineError {
  const code = cause instanceof EngineError ? cause.code : "UNSERIALIZABLE";
  return app.safe(new EngineError(code, `The value of "${key}": ${messageOf(cause)}`, { cause }));
}

/**
 * Returns false if a change has no effect: data that the program sets while its stage is destroyed would outlive it.
 */
function isWritable(app: App, owner: string, key: string): boolean {
  const { phase } = app.options;
  if (phase === "read") {
    throw new EngineError(
      "READ_ONLY",
      `The data "${key}" cannot be set or deleted in the phase "read", which changes nothing. Run "engine up", or check the phase first.`,
    );
  }
  const isWritten = phase !== "destroy" || !isScopeOwner(owner) || isInHandler(app.root);
  if (isTooLate(app, isWritten ? "record" : "live")) throw tooLate(app.root, `Setting or deleting "${key}"`);
  return isWritten;
}
