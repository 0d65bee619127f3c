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
  keptTokenHint,
  looksFirst,
  manyPending,
  readInterrupted,
  stopReason,
  whyPending,
  withRetries,
} from "../handler/index.js";
import { type Execution, isPartial, partlyDone, type Task, tryToRecord } from "../run/index.js";
import type { Change } from "../state/index.js";
import { adopt, adoptUnclaimed, isAdopting } from "./adopt.js";
import { changedPaths, mustReplace, replaceOnOf } from "./decide/decide.js";
import { context, newRecord } from "./task.js";
import { replace, update, updateFound } from "./update.js";

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
  const { definition, scope, encoded } = task;
  if (before.claim === "unmade" || task.hasMadeNothing) return createUnmade(task, before, action);
  const { read, update: updates } = handlersOf(definition, scope);
  const canUpdate = updates !== undefined;
  const changes = changedPaths(before.props, encoded);
  const isSame = changes.length === 0;
  const replaces = mustReplace({ changes, replaceOn: replaceOnOf(task), canUpdate });
  const again = nextAttempt(task, before, { isSame, claim: before.claim });
  const how = { revert: [{ op: "put", record: before }], recovering: true, action } as const;
  const props = read && (await decodeProps(task, before.uid, encoded));
  const found = read && (await readInterrupted({ ...task, props, record: before }));
  if (found && found.output === undefined) {
    const record: ResourceRecord = looksFirst(task) ? { ...again, claim: "absent" } : again;
    return orAdopt(task, before, () => create(task, record, how));
  }
  if (found) {
    const { output, isOwn } = found;
    if (!isOwn) return adoptUnclaimed(task, before);
    if (isSame && !canUpdate) return create(task, again, { ...how, found: { output, isRight: true } });
    // A retry in the same run goes on as the create, or the replace, that it began as.
    if (!replaces) return updateFound(task, before, output, task.tries === undefined ? "update" : action);
    const made = await encodeOutput(task, before.uid, output, before.output);
    return replace(task, { ...before, status: "ready", output: made }, { deleteFirst: false });
  }
  if (definition.idempotent) return isSame ? create(task, again, how) : finishAsBegun(task, before, replaces);
  return orAdopt(task, before, () => {
    warnOfRepeat(task, before, read !== undefined);
    return create(task, again, how);
  });
}

/** A create that has left nothing of its own may find something to adopt. */
function orAdopt(task: Task, before: ResourceRecord, anew: () => Promise<unknown>): Promise<unknown> {
  return isAdopting(task) ? adopt(task, anew, before) : anew();
}

/** With the props of its token, then on to those that are declared now. */
async function finishAsBegun(task: Task, before: ResourceRecord, replaces: boolean): Promise<unknown> {
  const { generation, ledger } = task.app;
  const made = await generation.performer.finishCreate(task, before);
  await generation.renew(before.key, ledger.contents);
  return replaces ? replace(task, made, { deleteFirst: false }) : update(task, made, false);
}

/** No attempt under its token has made anything: it is created as if for the first time. A retry goes on with that token. */
function createUnmade(task: Task, before: ResourceRecord, action: "create" | "replace"): Promise<unknown> {
  const isRetry = task.hasMadeNothing === true;
  const again = nextAttempt(task, before, { isSame: isRetry, claim: isRetry ? before.claim : undefined });
  const how: How = { revert: [{ op: "put", record: before }], recovering: false, action };
  return orAdopt(task, before, () => create(task, again, how));
}

/**
 * Warns of the first repeat in a run.
 *
 * @param canRead its `read` was asked, and could not tell
 */
function warnOfRepeat({ app, ref: { fqn, kind }, tries }: Task, { error }: ResourceRecord, canRead: boolean): void {
  if (tries !== undefined && tries > 2) return;
  const whose = `"${kind}" ${canRead ? "cannot tell" : "has no read to tell"}`;
  const why = tries === undefined ? whyPending(error) : "failed";
  app.generation.warnings.add(app.events, {
    code: "REPEATED_CREATE",
    fqn,
    one: `The create of "${fqn}" ${why} and is repeated; ${whose} whether the first one took effect.`,
    several: (count) => `${manyPending(error, count)} and are repeated; ${whose} which of them took effect.`,
  });
}

/** The thing is gone although it is recorded: it is made again under the same uid. */
export function recreate(task: Task, gone: ResourceRecord): Promise<unknown> {
  const { output: _output, refs: _refs, deletion: _deletion, deleteFailed: _deleteFailed, ...rest } = gone;
  const record = nextAttempt(task, rest, { isSame: false });
  return create(task, record, { revert: [{ op: "put", record: gone }], recovering: false });
}

/** @param attempt `isSame`: the props are those of the token. `claim`: what is known of the real resource */
function nextAttempt(
  task: Task,
  before: ResourceRecord,
  attempt: Pick<ResourceRecord, "claim"> & { readonly isSame: boolean },
): ResourceRecord {
  const { error: _error, lastGood: _lastGood, parent: _parent, refs: _refs, dropped: _dropped, ...kept } = before;
  const { isSame, claim } = attempt;
  return {
    ...kept,
    status: "creating",
    props: task.encoded,
    token: isSame ? before.token : uuid(),
    attempt: isSame ? before.attempt + 1 : 1,
    ready: task.positioned.ready,
    claim,
    since: task.app.generation.since,
    ...context(task, before),
  };
}

/**
 * Finishes a create that was interrupted, where its type says that to repeat it is harmless. The token stands for the props that
 * it was first sent with: with others it would make another real resource, and nothing would record the first. So that one is
 * finished as it was begun. The token ends when the result is recorded.
 *
 * @throws EngineError what the create fails with after all its retries: its token is kept
 */
export async function finishCreate(task: Task, before: ResourceRecord): Promise<ResourceRecord> {
  const { app, definition, scope } = task;
  const { uid } = before;
  const output = await finished(task, before);
  const set = { status: "ready", output, attempt: 0, claim: "own" } as const;
  const settled: Change = { op: "patch", uid, set, unset: ["error", "since"] };
  const isLeft = isPartial(app, task.key, handlersOf(definition, scope));
  if (isLeft) app.generation.partial.set(task.key, uid);
  await app.record([isLeft ? partlyDone(before, output) : settled]);
  return app.ledger.contents.records.get(uid) ?? before;
}

async function finished(task: Task, before: ResourceRecord): Promise<Encoded> {
  const { app, scope, definition, ref, options } = task;
  const reasonOf = (error: unknown) => stopReason(app, error) ?? interruption(app, error);
  const call = async (): Promise<Encoded> => {
    const record = app.ledger.contents.records.get(before.uid) ?? before;
    const made = await createAgain({ app, scope, definition, ref, record }, options.timeout);
    return encodeOutput(task, before.uid, made);
  };
  try {
    const between = () => app.generation.renew(before.key, app.ledger.contents);
    const isLast = (error: unknown) => reasonOf(error) !== undefined;
    return await withRetries({ app, ref, action: "create", options, call, between, isLast });
  } catch (error) {
    const reason = reasonOf(error);
    if (reason) throw reason;
    const failure = handlerFailed(app, "create", ref.fqn, error, keptTokenHint(ref.fqn, before, options));
    await tryToRecord(app, [{ op: "patch", uid: before.uid, set: { error: failure.message } }]);
    throw failure;
  }
}
