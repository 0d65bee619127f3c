/** One record and the thing that it stands for, gone. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import type { DeletionContext } from "../hook-contexts.js";
import type { Definition } from "../resource/definition.js";
import { definitionOf } from "../resource/registry.js";
import { scopeAt } from "../scope/child.js";
import type { Scope } from "../scope/scope.js";
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import type { ResourceRef } from "../vocabulary.js";
import { callHandler, handlersOf, isRetaining } from "./call.js";
import { handlerFailed } from "./failure.js";
import { familyOf } from "./family.js";
import { settleCreate } from "./settle-create.js";
import { decoded, goodProps } from "./task.js";

export type DeleteReason = DeletionContext["reason"];

/** A record that is to go, with what its deletion needs. */
export interface Doomed {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
}

/** What became of it: `unresolved` where nobody can tell whether there is anything to delete. */
export type DeleteEnd = "deleted" | "unresolved";

export interface Deletion extends Doomed {
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly definition: Definition;
}

/**
 * Deletes one resource: intent, handler, result. Its children must be gone.
 *
 * @throws EngineError `HANDLER_FAILED`, `KIND_UNKNOWN`, or what a hook refused with
 */
export async function deleteOne(doomed: Doomed): Promise<DeleteEnd> {
  const { app, reason } = doomed;
  const started = performance.now();
  const deletion = await prepare(doomed);
  const { ref, scope } = deletion;
  try {
    const record = deletion.record.status === "creating" ? await settleCreate(deletion) : deletion.record;
    if (record === "unresolved") return "unresolved";
    if (record) await act({ ...deletion, record });
    const context = { ...ref, scope, reason, output: undefined };
    if (app.calls.afterDelete.used) await app.calls.afterDelete.call(context);
  } catch (error) {
    throw await fail(deletion, error);
  }
  app.generation.count("deleted");
  app.generation.placement.forget(doomed.record.uid);
  app.events.emit("resource:deleted", { ...ref, duration: performance.now() - started });
  return "deleted";
}

async function prepare({ app, record, reason }: Doomed): Promise<Deletion> {
  const at = record.key.lastIndexOf("/");
  const id = record.key.slice(at + 1);
  const scope = scopeAt(app, at < 0 ? "" : record.key.slice(0, at));
  const fqn = scope.fqn(id);
  const { kind } = record;
  const definition = definitionOf(kind) ?? (await app.calls.resolveKind.call({ kind, fqn }));
  const ref: ResourceRef = scope.quiet ? { kind, id, fqn, quiet: true } : { kind, id, fqn };
  if (definition) return { app, record, reason, ref, scope, definition };
  const message = `"${fqn}" cannot be deleted: its kind "${kind}" is not defined in this program. Import the module that defines it.`;
  const failure = new EngineError("KIND_UNKNOWN", message, { fqn });
  app.generation.count("failed");
  app.events.emit("resource:failed", { ...ref, action: "delete", code: failure.code, message });
  throw failure;
}

async function act(deletion: Deletion): Promise<void> {
  const { app, record, ref, scope, definition, reason } = deletion;
  const output = decoded(app, record.output);
  if (app.calls.beforeDelete.used) await app.calls.beforeDelete.call({ ...ref, scope, reason, output });
  app.throwIfInterrupted();
  app.events.emit("resource:started", { ...ref, action: "delete" });
  const gone: Change[] = [{ op: "drop", uid: record.uid }, ...unlink(app, record)];
  if (!handlersOf(definition, scope).delete) {
    await app.record(gone);
    return;
  }
  const recovering = record.status === "deleting";
  const intent = { status: "deleting", attempt: recovering ? record.attempt + 1 : 1 } as const;
  await app.ledger.commit([{ op: "patch", uid: record.uid, set: intent }], "now");
  if (app.signal.aborted) await app.record([{ op: "put", record }]);
  const props = decoded(app, goodProps(record));
  const present = { ...record, ...intent };
  const end = await callHandler({
    ...deletion,
    record: present,
    phase: "delete",
    props,
    previous: props,
    output,
    changes: [],
    recovering,
    adopt: false,
  });
  const children = isRetaining(end) ? familyOf(app.ledger.contents.records.values(), [record.uid]) : [];
  await app.record([...gone, ...children.map(({ uid }): Change => ({ op: "drop", uid }))]);
}

/** The copy that replaced it is no replacement any more. */
function unlink(app: App, record: ResourceRecord): Change[] {
  const successor = record.replaced ? app.ledger.contents.at(record.key) : undefined;
  return successor?.replaces === record.uid ? [{ op: "patch", uid: successor.uid, unset: ["replaces"] }] : [];
}

async function fail({ app, record, ref }: Deletion, error: unknown): Promise<EngineError> {
  const failure = handlerFailed("delete", ref.fqn, error);
  const { code, message } = failure;
  app.generation.count("failed");
  app.events.emit("resource:failed", { ...ref, action: "delete", code, message });
  if (!app.signal.aborted && app.ledger.contents.records.has(record.uid)) {
    await app.record([{ op: "patch", uid: record.uid, set: { error: message } }]);
  }
  return failure;
}
