/** Values stored by scopes and resources, journaled like every other change. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import { canonical } from "../state/codec.js";

export async function getData<T>(app: App, owner: string, key: string): Promise<T | undefined> {
  checkKey(key);
  await app.ready();
  const value = app.ledger.readData(owner, key);
  return value === undefined ? undefined : (app.codec.decode(value) as T);
}

/** A value that is stored already is not written again. */
export async function setData(app: App, owner: string, key: string, value: unknown): Promise<void> {
  checkKey(key);
  await app.ready();
  checkWritable(app, key);
  const encoded = app.codec.encode(value);
  const before = app.ledger.readData(owner, key);
  if (before !== undefined && canonical(before) === canonical(encoded)) return;
  await app.record([{ op: "data", owner, key, value: encoded }]);
}

export async function deleteData(app: App, owner: string, key: string): Promise<void> {
  checkKey(key);
  await app.ready();
  checkWritable(app, key);
  if (app.ledger.readData(owner, key) !== undefined) await app.record([{ op: "data", owner, key }]);
}

function checkKey(key: unknown): void {
  if (typeof key === "string" && key !== "") return;
  throw new EngineError("INVALID_CALL", `A data key must be a non-empty string, not ${JSON.stringify(key) ?? typeof key}.`);
}

function checkWritable(app: App, key: string): void {
  if (app.options.phase !== "read") return;
  throw new EngineError("READ_ONLY", `"${key}" cannot be set or deleted in the read phase, which changes nothing.`);
}
