/** Adopts resources that exist already but are not recorded. */

import type { ResourceRecord } from "../contract/index.js";
import {
  canLook,
  decodeProps,
  encodeOutput,
  handlersOf,
  readResource,
  unclaimed,
  wantsAdoption,
} from "../handler/index.js";
import type { Operation } from "../run/index.js";
import { type Change, retainedNames } from "../state/index.js";
import { context, newRecord } from "./queue.js";
import { updateAdopted } from "./update.js";

/** True if a create has to look first for an existing resource. */
export function isAdopting(operation: Operation<"compared">): boolean {
  return wantsAdoption(operation) && canLook(operation);
}

/**
 * Adopts the resource that `read` finds. Its props are unknown, so a type with update brings it to the declared ones.
 *
 * @param otherwise called if `read` finds nothing
 * @param pending a create that failed or was interrupted and left no resource of its own; or an update, if nothing is
 * found by the recorded output
 */
export async function adopt(
  operation: Operation<"queued">,
  otherwise: () => Promise<unknown>,
  pending?: ResourceRecord,
): Promise<unknown> {
  const found = await findExisting(operation, pending);
  if (found === undefined) return otherwise();
  const { record: fresh, output } = found;
  const { uid } = fresh;
  const { positioned, encoded: props } = operation;
  const encoded = await encodeOutput(operation, uid, output);
  const settled = { status: "ready", attempt: 0, error: undefined, lastGood: undefined, output: encoded } as const;
  const record: ResourceRecord = { ...fresh, ...context(operation), ...settled, props, ready: positioned.ready };
  const revert: Change[] = [pending ? { op: "put", record: pending } : { op: "drop", uid }];
  if (handlersOf(operation.definition, operation.scope).update) return updateAdopted(operation, record, output, revert);
  const { run } = operation.app;
  return run.performer.execute(
    operation.begin({
      action: "adopt",
      phase: "create",
      record: { ...record, status: "updating", claim: "adopting", attempt: 1, since: run.since },
      revert,
      found: { output, isRight: true },
    }),
  );
}

/**
 * Handles an existing resource that may not be the engine's own: it is adopted if the program says so.
 *
 * @param isKnown false if its props are not known yet
 * @throws EngineError `UNRESOLVED`
 */
export async function adoptUnclaimed(
  operation: Operation<"queued">,
  pending: ResourceRecord,
  isKnown = true,
): Promise<unknown> {
  const refuse = (): never => {
    throw unclaimed(operation.ref.fqn, pending, operation.options);
  };
  return isAdopting(operation) && isKnown ? adopt(operation, async () => refuse(), pending) : refuse();
}

interface Existing {
  /** The record that it gets, with the name that it was found by. */
  readonly record: ResourceRecord;
  readonly output: unknown;
}

/**
 * Finds the existing resource with the name, or the props, of one that is not recorded; retained resources of this id
 * first.
 */
async function findExisting(
  operation: Operation<"queued">,
  pending: ResourceRecord | undefined,
): Promise<Existing | undefined> {
  const { app, key, ref } = operation;
  // It was not found by its recorded output.
  const own = pending?.done ? { ...pending, output: undefined } : (pending ?? newRecord(operation));
  const props = await decodeProps(operation, own.uid, operation.encoded);
  const kept = pending
    ? []
    : retainedNames(app.ledger.contents).filter((one) => one.key === key && one.kind === ref.kind);
  const candidates = [...kept.map(({ name }): ResourceRecord => ({ ...own, physicalName: name })), own];
  for (const record of candidates) {
    const output = await readResource(operation, { props, record, mayBeMade: pending !== undefined });
    if (output !== undefined) return { record, output };
  }
  return undefined;
}
