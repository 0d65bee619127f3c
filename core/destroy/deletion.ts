/** Decides the outcome of a delete whose handler threw, and records it. */
import { EngineError, type ResourceRef, timeOfDay } from "../base/index.js";
import {
  type Definition,
  type Encoded,
  type FailedDeletion,
  folderOf,
  idOf,
  outputLeft,
  type ResourceRecord,
  refIn,
  type Scope,
} from "../contract/index.js";
import {
  decodeProps,
  emitFailure,
  emitStopped,
  encodeOutput,
  goodProps,
  handlerFailed,
  handlersFor,
  readResource,
} from "../handler/index.js";
import { definitionOf } from "../resource/index.js";
import { type App, callAfterwards, type DeleteRequest, tryToRecord } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { onlyPart, restored } from "../state/index.js";
import { inUseHint } from "./dependents.js";

export interface ThrownDelete {
  /** With the record as its intent left it. */
  readonly deletion: Deletion;
  readonly output: unknown;
  readonly error: unknown;
  /** Encoded output of the rest that an earlier call in this run left. */
  readonly left: Encoded | undefined;
  /** True if the signal or the timeout fired before the handler threw: the delete may still take effect. */
  readonly isOpen: boolean;
}

/** Returns the error to reject with; undefined if `read` finds that the resource is gone. */
export async function failedDelete(thrown: ThrownDelete): Promise<unknown> {
  if (thrown.isOpen) return interrupted(thrown);
  const { deletion, error } = thrown;
  const { app, record, ref, scope } = deletion;
  if (await isGone(deletion)) return undefined;
  const plain = handlerFailed(app, "delete", ref.fqn, error);
  const failure = withHint(plain, isFirst(deletion) ? inUseHint(app, record) : "");
  const failed: FailedDeletion = { message: plain.message, time: timeOfDay(), attempts: record.attempt };
  emitFailure({ app, scope, ref, action: "delete", deleteFailed: failed }, failure);
  await tryToRecord(app, [restored(record, failed, (await leftBy(deletion, error)) ?? thrown.left)]);
  await tellPlugins(thrown, failure);
  return failure;
}

/** True for the delete of a replacement that deletes first. */
function isFirst({ record, reason }: Deletion): boolean {
  return reason === "replaced" && record.replaced !== true;
}

function withHint(failure: EngineError, hint: string): EngineError {
  if (hint === "") return failure;
  const { code, message, fqn } = failure;
  const end = /[.!?]$/.test(message) ? "" : ".";
  return new EngineError(code, `${message}${end} ${hint}`, { ...(fqn === undefined ? {} : { fqn }), cause: failure });
}

/** Handles an unknown outcome: the record stays `deleting`. */
async function interrupted(thrown: ThrownDelete): Promise<unknown> {
  const { deletion, error } = thrown;
  const { app, record, ref } = deletion;
  const { uid } = record;
  const left = (await leftBy(deletion, error)) ?? thrown.left;
  if (left !== undefined) await tryToRecord(app, [onlyPart(record, left)]);
  if (app.signal.aborted && app.run.isInterrupted) {
    emitStopped(app, ref, "delete");
    return app.signal.reason;
  }
  const failure = deleteFailed(deletion, error);
  await tryToRecord(app, [{ op: "patch", uid, set: { error: failure.message } }]);
  await tellPlugins(thrown, failure);
  return failure;
}

async function tellPlugins({ deletion, output }: ThrownDelete, error: unknown): Promise<void> {
  const { app, ref, scope, reason } = deletion;
  if (!app.calls.deleteFailed.used) return;
  await callAfterwards(deletion, () => app.calls.deleteFailed.call({ ...ref, scope, reason, output, error }));
}

/** True if `read` finds nothing. False also if the type has no `read`, or its `read` fails. */
export async function isGone(deletion: Deletion): Promise<boolean> {
  const { app, scope, definition, ref, record } = deletion;
  if (handlersFor(definition, record).read === undefined) return false;
  const options = app.run.optionsOf(record.key) ?? {};
  try {
    const props = await decodeProps(deletion, record.uid, goodProps(record));
    const what = { app, scope, definition, ref, options };
    return (await readResource(what, { props, record, isDeclared: false })) === undefined;
  } catch {
    return false;
  }
}

/**
 * Returns the output of the rest, as the handler reported it. Undefined also if that cannot be recorded: then the
 * recorded output stays.
 */
export async function leftBy(deletion: Deletion, error: unknown): Promise<Encoded | undefined> {
  const output = outputLeft(error);
  if (output === undefined) return undefined;
  const { uid, output: before }: ResourceRecord = deletion.record;
  try {
    return await encodeOutput(deletion, uid, output, before);
  } catch {
    return undefined;
  }
}

/** A record to delete, with the data that its deletion needs. */
export interface Deletion extends DeleteRequest {
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly definition: Definition;
}

/** Returns the reference of a record's resource. */
export function refOf(app: App, { key, kind }: ResourceRecord): ResourceRef {
  return refIn(scopeAt(app, folderOf(key)), kind, idOf(key));
}

/** Returns a promise only if the kind is not defined. @throws EngineError `KIND_UNKNOWN` */
export function prepare(request: DeleteRequest): Deletion | Promise<Deletion> {
  const { app, record, reason, isRetained = false, isAsked } = request;
  const { key, kind } = record;
  const scope = scopeAt(app, folderOf(key));
  const ref = refIn(scope, kind, idOf(key));
  const definition = definitionOf(kind);
  // Member by member: a copy that is extended gets a shape of its own.
  if (definition) return { app, record, reason, isRetained, isAsked, ref, scope, definition };
  return find({ ...request, ref, scope });
}

async function find(deletion: Omit<Deletion, "definition">): Promise<Deletion> {
  const { app, ref, scope } = deletion;
  const { kind, fqn } = ref;
  const definition = await findDefinition(app, kind, fqn);
  if (definition) return { ...deletion, definition };
  const message = `"${fqn}" cannot be deleted, because its kind "${kind}" is not defined. Define it, or import the module that defines it, before you call engine().`;
  const failure = new EngineError("KIND_UNKNOWN", message, { fqn });
  emitFailure({ app, scope, ref, action: "delete" }, failure);
  throw failure;
}

/** A plugin may return the definition, or just import the module that defines the kind. */
export async function findDefinition(app: App, kind: string, fqn: string): Promise<Definition | undefined> {
  return definitionOf(kind) ?? (await app.calls.resolveKind.call({ kind, fqn })) ?? definitionOf(kind);
}

/** A value that cannot be decoded prevents the delete: its handler would not know which resource to delete. */
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

/** Emits and returns a failure to delete, as an error that names the resource. */
export function deleteFailed({ app, scope, ref }: Deletion, error: unknown, hint = ""): EngineError {
  const failure = handlerFailed(app, "delete", ref.fqn, error, hint);
  emitFailure({ app, scope, ref, action: "delete" }, failure);
  return failure;
}
