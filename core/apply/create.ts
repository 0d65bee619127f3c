/** Creating a resource: for the first time, again after an interruption, or in place of one that is gone. */

import { uuid } from "../base/index.js";
import type { Encoded, ResourceRecord } from "../contract/index.js";
import {
  createAgain,
  decodeProps,
  encodeOutput,
  handlerFailed,
  handlersOf,
  interruption,
  manyPending,
  readInterrupted,
  whyPending,
} from "../handler/index.js";
import { type Execution, isPartial, partlyDone, type Task } from "../run/index.js";
import type { Change } from "../state/index.js";
import { adopt, isAdopting } from "./adopt.js";
import { mustReplace, replaceOnOf } from "./decide/decide.js";
import { changedPaths } from "./decide/diff.js";
import { newRecord } from "./new-record.js";
import { replace } from "./replace.js";
import { context } from "./task.js";
import { update, updateFound } from "./update.js";

/** How a create differs from a first one. */
interface How extends Pick<Execution, "revert" | "recovering" | "found"> {
  readonly action?: "create" | "replace";
}

const FIRST: How = { recovering: false };

/** @param record what the intent leaves. Default: that of a first create */
export function create(task: Task, record: ResourceRecord = newRecord(task), how: How = FIRST): Promise<unknown> {
  const { action = "create", revert, recovering, found } = how;
  return task.app.generation.performer.execute({ task, action, phase: "create", record, revert, recovering, found });
}

/** An earlier create may have taken effect: what is there goes on from there, else it is created again. */
export async function resumeCreate(
  task: Task,
  before: ResourceRecord,
  action: "create" | "replace" = "create",
): Promise<unknown> {
  const { app, definition, scope, encoded } = task;
  const { read, update: updates } = handlersOf(definition, scope);
  const canUpdate = updates !== undefined;
  const changes = changedPaths(before.props, encoded);
  const isSame = changes.length === 0;
  const replaces = mustReplace({ changes, replaceOn: replaceOnOf(task), canUpdate });
  const again = nextAttempt(task, before, isSame);
  const how = { revert: [{ op: "put", record: before }], recovering: true, action } as const;
  const props = read && (await decodeProps(task, before.uid, encoded));
  const found = read && (await readInterrupted({ ...task, props, record: before }));
  if (found) {
    const { output } = found;
    if (output === undefined) {
      const anew = (): Promise<unknown> => create(task, again, how);
      return isAdopting(task) ? adopt(task, anew, before) : anew();
    }
    if (isSame && !canUpdate) return create(task, again, { ...how, found: { output, isRight: true } });
    // A retry in the same run goes on as the create, or the replace, that it began as.
    if (!replaces) return updateFound(task, before, output, task.tries === undefined ? "update" : action);
    const made = await encodeOutput(task, before.uid, output, before.output);
    return replace(task, { ...before, status: "ready", output: made }, { deleteFirst: false });
  }
  if (definition.idempotent && isSame) return create(task, again, how);
  if (!definition.idempotent) {
    const whose = `"${task.ref.kind}" ${read ? "cannot tell" : "has no read to tell"}`;
    const doubt = `${whose} whether the first one took effect.`;
    const several = (count: number): string =>
      `${manyPending(before.error, count)} and are repeated; ${whose} which of them took effect.`;
    const anew = (): Promise<unknown> => {
      warnOfRepeat(task, before, doubt, several);
      return create(task, again, how);
    };
    return isAdopting(task) ? adopt(task, anew, before) : anew();
  }
  const made = await app.generation.performer.finishCreate(task, before);
  await app.generation.renew(before.key, app.ledger.contents);
  if (made instanceof Error) {
    warnOfRepeat(task, before, `it could not be finished with the props that it was begun with (${made.message}).`);
    return create(task, again, how);
  }
  return replaces ? replace(task, made, { deleteFirst: false }) : update(task, made, false);
}

function warnOfRepeat(
  { app, ref: { fqn }, tries }: Task,
  { error }: ResourceRecord,
  doubt: string,
  several?: (count: number) => string,
): void {
  if (tries !== undefined) return; // The program has asked for it.
  const one = `The create of "${fqn}" ${whyPending(error)} and is repeated; ${doubt}`;
  if (!several) return app.events.warn("REPEATED_CREATE", one, fqn);
  app.generation.warnings.add(app.events, { code: "REPEATED_CREATE", fqn, one, several });
}

/** The thing is gone although it is recorded: it is made again under the same uid. */
export function recreate(task: Task, gone: ResourceRecord): Promise<unknown> {
  const { output: _output, refs: _refs, deletion: _deletion, deleteFailed: _deleteFailed, ...rest } = gone;
  return create(task, nextAttempt(task, rest, false), { revert: [{ op: "put", record: gone }], recovering: false });
}

function nextAttempt(task: Task, before: ResourceRecord, samePropsAgain: boolean): ResourceRecord {
  const { error: _error, lastGood: _lastGood, parent: _parent, refs: _refs, dropped: _dropped, ...kept } = before;
  return {
    ...kept,
    status: "creating",
    props: task.encoded,
    token: samePropsAgain ? before.token : uuid(),
    attempt: samePropsAgain ? before.attempt + 1 : 1,
    ready: task.positioned.ready,
    since: task.app.generation.since,
    ...context(task, before),
  };
}

/**
 * Finishes a create that was interrupted, where its type says that to repeat it is harmless. The token stands for the props that
 * it was first sent with: with others it would make another thing, and nobody would know of the first. So that one is finished as
 * it was begun; gives the error where that fails, for what it failed at before may have been its props.
 */
export async function finishCreate(task: Task, before: ResourceRecord): Promise<ResourceRecord | Error> {
  const { app, scope, definition, ref } = task;
  let output: Encoded;
  try {
    const made = await createAgain({ app, scope, definition, ref, record: before });
    output = await encodeOutput(task, before.uid, made);
  } catch (error) {
    const reason = interruption(app, error);
    if (reason) throw reason;
    return handlerFailed(app, "create", ref.fqn, error);
  }
  const { uid } = before;
  const set = { status: "ready", output, attempt: 0 } as const;
  const settled: Change = { op: "patch", uid, set, unset: ["error", "since"] };
  const isLeft = isPartial(app, task.key, handlersOf(definition, scope));
  if (isLeft) app.generation.partial.set(task.key, uid);
  await app.record([isLeft ? partlyDone(before, output) : settled]);
  return app.ledger.contents.records.get(uid) ?? before;
}
