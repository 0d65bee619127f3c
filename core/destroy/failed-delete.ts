/** Decides what became of a delete whose handler threw, and records it. */

import { EngineError, timeOfDay } from "../base/index.js";
import { type Encoded, type FailedDeletion, outputLeft, type ResourceRecord } from "../contract/index.js";
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
import { callAfterwards, tryToRecord } from "../run/index.js";
import { onlyPart, restored } from "../state/index.js";
import { type Deletion, deleteFailed } from "./deletion.js";
import { inUseHint } from "./dependents.js";

export interface ThrownDelete {
  /** With the record as its intent left it. */
  readonly deletion: Deletion;
  readonly output: unknown;
  readonly error: unknown;
  /** What an earlier call in this run left, encoded. */
  readonly left: Encoded | undefined;
  /** True if the signal or the timeout fired before the handler threw: the delete may still take effect. */
  readonly isOpen: boolean;
}

/** The error to reject with; undefined if `read` finds that the resource is gone. */
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

/** The outcome is unknown: the record stays `deleting`. */
async function interrupted(thrown: ThrownDelete): Promise<unknown> {
  const { deletion, error } = thrown;
  const { app, record, ref } = deletion;
  const { uid } = record;
  const left = (await leftBy(deletion, error)) ?? thrown.left;
  if (left !== undefined) await tryToRecord(app, [onlyPart(record, left)]);
  if (app.signal.aborted && app.generation.isInterrupted) {
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
  const options = app.generation.optionsOf(record.key) ?? {};
  try {
    const props = await decodeProps(deletion, record.uid, goodProps(record));
    const look = { app, scope, definition, ref, props, options, record, recovering: false, isDeclared: false };
    return (await readResource(look)) === undefined;
  } catch {
    return false;
  }
}

/** What the handler says that it left. Undefined also if that cannot be recorded: then the recorded output stays. */
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
