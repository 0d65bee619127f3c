/** A record that is to go, and what its deletion needs. */

import { EngineError, type ResourceRef } from "../base/index.js";
import { type Definition, folderOf, idOf, type ResourceRecord, refIn, type Scope } from "../contract/index.js";
import { emitFailure, handlerFailed } from "../handler/index.js";
import { definitionOf } from "../resource/index.js";
import type { App, DeleteRequest } from "../run/index.js";
import { scopeAt } from "../scope/index.js";

export interface Deletion extends DeleteRequest {
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly definition: Definition;
}

/** Which resource a record stands for. */
export function refOf(app: App, { key, kind }: ResourceRecord): ResourceRef {
  return refIn(scopeAt(app, folderOf(key)), kind, idOf(key));
}

/** Not a promise where the kind is defined. @throws EngineError `KIND_UNKNOWN` */
export function prepare(request: DeleteRequest): Deletion | Promise<Deletion> {
  const { app, record } = request;
  const { key, kind } = record;
  const scope = scopeAt(app, folderOf(key));
  const ref = refIn(scope, kind, idOf(key));
  const known = definitionOf(kind);
  const found = { ...request, ref, scope };
  return known ? { ...found, definition: known } : find(found);
}

async function find(deletion: Omit<Deletion, "definition">): Promise<Deletion> {
  const { app, ref, scope } = deletion;
  const { kind, fqn } = ref;
  const definition = await findDefinition(app, kind, fqn);
  if (definition) return { ...deletion, definition };
  const message = `"${fqn}" cannot be deleted: its kind "${kind}" is not known. Define it, or import the module that defines it, before engine() is called.`;
  const failure = new EngineError("KIND_UNKNOWN", message, { fqn });
  emitFailure({ app, scope, ref, action: "delete" }, failure);
  throw failure;
}

/** A plugin may hand over the definition, or just import the module that defines the kind. */
export async function findDefinition(app: App, kind: string, fqn: string): Promise<Definition | undefined> {
  return definitionOf(kind) ?? (await app.calls.resolveKind.call({ kind, fqn })) ?? definitionOf(kind);
}

/** A value that cannot be read keeps the resource from being deleted: its handler would not know what to delete. */
export function readable(deletion: Deletion, read: () => unknown): unknown {
  const refuse = (error: unknown): never => {
    throw deleteFailed(deletion, error);
  };
  try {
    const value = read();
    return value instanceof Promise ? value.catch(refuse) : value;
  } catch (error) {
    return refuse(error);
  }
}

/** What a deletion failed at, as an error that names the resource; emitted. */
export function deleteFailed({ app, scope, ref }: Deletion, error: unknown, hint = ""): EngineError {
  const failure = handlerFailed(app, "delete", ref.fqn, error, hint);
  emitFailure({ app, scope, ref, action: "delete" }, failure);
  return failure;
}
