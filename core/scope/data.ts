/** Values stored by scopes and resources, journaled like every other change. */
import type { App } from "../app.js";
import { EngineError, messageOf } from "../errors.js";
import { canonical } from "../state/codec.js";
import type { Encoded } from "../state/record.js";
import { isInHandler } from "./current.js";
import { tooLate } from "./too-late.js";

export async function getData<T>(app: App, owner: string, key: string): Promise<T | undefined> {
  checkKey(key);
  await app.ready();
  const value = app.ledger.readData(owner, key);
  return value === undefined ? undefined : (app.codec.decode(value) as T);
}

/** A value that is stored already is not written again. */
export async function setData(app: App, owner: string, key: string, value: unknown): Promise<void> {
  checkKey(key);
  // Before anything is awaited: the program may go on to change the value.
  const encoded = encode(app, key, value);
  await app.ready();
  if (!isWritable(app, owner, key)) return;
  const before = app.ledger.readData(owner, key);
  if (before !== undefined && canonical(before) === canonical(encoded)) return;
  await app.record([{ op: "data", owner, key, value: encoded }]);
}

export async function deleteData(app: App, owner: string, key: string): Promise<void> {
  checkKey(key);
  await app.ready();
  if (!isWritable(app, owner, key)) return;
  if (app.ledger.readData(owner, key) !== undefined) await app.record([{ op: "data", owner, key }]);
}

function checkKey(key: unknown): void {
  if (typeof key === "string" && key !== "") return;
  throw new EngineError(
    "INVALID_CALL",
    `A data key must be a non-empty string, not ${JSON.stringify(key) ?? typeof key}.`,
  );
}

function encode(app: App, key: string, value: unknown): Encoded {
  try {
    return app.codec.encode(value);
  } catch (error) {
    throw unstorable(key, error);
  }
}

function unstorable(key: string, cause: unknown): EngineError {
  const code = cause instanceof EngineError ? cause.code : "UNSERIALIZABLE";
  return new EngineError(code, `The value of "${key}": ${messageOf(cause)}`, { cause });
}

/** False where a change has no effect: what the program sets while its stage is destroyed would outlive it. */
function isWritable(app: App, owner: string, key: string): boolean {
  const { phase } = app.options;
  if (phase === "read") {
    throw new EngineError("READ_ONLY", `"${key}" cannot be set or deleted in the read phase, which changes nothing.`);
  }
  const isWritten = phase !== "destroy" || !isScope(owner) || isInHandler(app.root);
  if (!app.isLive || (isWritten && app.generation.isOver)) throw tooLate(app.root, `Setting or deleting "${key}"`);
  return isWritten;
}

/** Owners of data are scopes, by their path behind a slash, and resources, by their uid. */
function isScope(owner: string): boolean {
  return owner.startsWith("/");
}
