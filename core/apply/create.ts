/** Creates a resource: for the first time, again after an interruption, or in place of one that is gone. */

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
import { type Attempt, isPartial, type Operation, partlyDone, tryToRecord } from "../run/index.js";
import type { Change } from "../state/index.js";
import { adopt, adoptUnclaimed, isAdopting } from "./adopt.js";
import { changedPaths, mustReplace, replaceOnOf } from "./decide/decide.js";
import { context, newRecord } from "./queue.js";
import { replace, update, updateFound } from "./update.js";

/** The part of an attempt that differs between creates. */
type CreateOptions = Partial<Pick<Attempt, "action" | "revert" | "recovering" | "found">>;

/** @param record that the intent leaves. Default: that of a first create */
export function create(
  operation: Operation<"queued">,
  record: ResourceRecord = newRecord(operation),
  options?: CreateOptions,
): Promise<unknown> {
  return operation.app.run.performer.execute(
    operation.begin({ action: "create", ...options, phase: "create", record }),
  );
}

/**
 * Continues an earlier create that may have taken effect: from its resource if it exists, otherwise it creates again.
 */
export async function resumeCreate(
  operation: Operation<"queued">,
  before: ResourceRecord,
  action: "create" | "replace" = "create",
): Promise<unknown> {
  const { definition, scope, encoded } = operation;
  if (before.claim === "unmade" || operation.hasMadeNothing) return createUnmade(operation, before, action);
  const { read, update: updates } = handlersOf(definition, scope);
  const canUpdate = updates !== undefined;
  const changes = changedPaths(before.props, encoded);
  const isSame = changes.length === 0;
  const replaces = mustReplace({ changes, replaceOn: replaceOnOf(operation), canUpdate });
  const again = nextAttempt(operation, before, { isSame, claim: before.claim });
  const how = { revert: [{ op: "put", record: before }], recovering: true, action } as const;
  const props = read && (await decodeProps(operation, before.uid, encoded));
  const found = read && (await readInterrupted(operation, { props, record: before }));
  if (found && found.output === undefined) {
    const record: ResourceRecord = looksFirst(operation) ? { ...again, claim: "absent" } : again;
    return orAdopt(operation, before, () => create(operation, record, how));
  }
  if (found) {
    const { output, isOwn } = found;
    if (!isOwn) return adoptUnclaimed(operation, before);
    if (isSame && !canUpdate) return create(operation, again, { ...how, found: { output, isRight: true } });
    // A retry in the same run continues as the create, or the replace, that it began as.
    if (!replaces) return updateFound(operation, before, output, operation.tries === 1 ? "update" : action);
    const made = await encodeOutput(operation, before.uid, output, before.output);
    return replace(operation, { ...before, status: "ready", output: made }, { deleteFirst: false });
  }
  if (definition.idempotent) return isSame ? create(operation, again, how) : finishAsBegun(operation, before, replaces);
  return orAdopt(operation, before, () => {
    warnOfRepeat(operation, before, read !== undefined);
    return create(operation, again, how);
  });
}

/** Lets a create that has left no resource of its own find one to adopt. */
function orAdopt(
  operation: Operation<"queued">,
  before: ResourceRecord,
  anew: () => Promise<unknown>,
): Promise<unknown> {
  return isAdopting(operation) ? adopt(operation, anew, before) : anew();
}

/** Finishes with the props of its token, then updates or replaces to reach the declared ones. */
async function finishAsBegun(
  operation: Operation<"queued">,
  before: ResourceRecord,
  replaces: boolean,
): Promise<unknown> {
  const { run, ledger } = operation.app;
  const made = await run.performer.finishCreate(operation, before);
  await run.renew(before.key, ledger.contents);
  return replaces ? replace(operation, made, { deleteFirst: false }) : update(operation, made, false);
}

/**
 * Creates as if for the first time, because no attempt with its token has created a resource. A retry continues with
 * that token.
 */
function createUnmade(
  operation: Operation<"queued">,
  before: ResourceRecord,
  action: "create" | "replace",
): Promise<unknown> {
  const isRetry = operation.hasMadeNothing;
  const again = nextAttempt(operation, before, { isSame: isRetry, claim: isRetry ? before.claim : undefined });
  const how: CreateOptions = { revert: [{ op: "put", record: before }], action };
  return orAdopt(operation, before, () => create(operation, again, how));
}

/**
 * Warns of the first repeat in a run.
 *
 * @param canRead true if its `read` was called and could not tell
 */
function warnOfRepeat(
  { app, ref: { fqn, kind }, tries }: Operation<"queued">,
  { error }: ResourceRecord,
  canRead: boolean,
): void {
  if (tries > 2) return;
  const whose = canRead ? `The read handler of "${kind}" cannot tell` : `"${kind}" has no read handler that could tell`;
  const why = tries === 1 ? whyPending(error) : "failed";
  app.run.warnings.add(app.events, {
    code: "REPEATED_CREATE",
    fqn,
    one: `The create of "${fqn}" ${why}. ${whose} whether that create took effect, so the engine repeats it. After the run, check whether a duplicate exists. If so, delete the one that is not in the state ("engine state show ${fqn}" prints the recorded one).`,
    several: (count) =>
      `${manyPending(error, count)}. ${whose} which of them took effect, so the engine repeats them. After the run, check whether duplicates exist. If so, delete those that are not in the state ("engine state show <name>" prints the recorded one).`,
  });
}

/** Creates a recorded resource that is gone again, under the same uid. */
export function recreate(operation: Operation<"queued">, gone: ResourceRecord): Promise<unknown> {
  const { output: _output, refs: _refs, deletion: _deletion, deleteFailed: _deleteFailed, ...rest } = gone;
  const record = nextAttempt(operation, rest, { isSame: false });
  return create(operation, record, { revert: [{ op: "put", record: gone }] });
}

/** @param attempt `isSame`: the props are those of the token. `claim`: what is known of the real resource */
function nextAttempt(
  operation: Operation<"queued">,
  before: ResourceRecord,
  attempt: Pick<ResourceRecord, "claim"> & { readonly isSame: boolean },
): ResourceRecord {
  const { error: _error, lastGood: _lastGood, parent: _parent, refs: _refs, dropped: _dropped, ...kept } = before;
  const { isSame, claim } = attempt;
  return {
    ...kept,
    status: "creating",
    props: operation.encoded,
    token: isSame ? before.token : uuid(),
    attempt: isSame ? before.attempt + 1 : 1,
    ready: operation.positioned.ready,
    claim,
    since: operation.app.run.since,
    ...context(operation, before),
  };
}

/**
 * Finishes an interrupted create of an idempotent type. The token stands for the props that it was first sent with:
 * other props would create another real resource, and no record would name the first. So that one is finished as it was
 * begun. The token ends when the result is recorded.
 *
 * @throws EngineError the create's error after all its retries: its token is kept
 */
export async function finishCreate(operation: Operation<"queued">, before: ResourceRecord): Promise<ResourceRecord> {
  const { app, definition, scope } = operation;
  const { uid } = before;
  const output = await finished(operation, before);
  const set = { status: "ready", output, attempt: 0, claim: "own" } as const;
  const settled: Change = { op: "patch", uid, set, unset: ["error", "since"] };
  const isLeft = isPartial(app, operation.key, handlersOf(definition, scope));
  if (isLeft) app.run.partial.set(operation.key, uid);
  await app.record([isLeft ? partlyDone(before, output) : settled]);
  return app.ledger.contents.records.get(uid) ?? before;
}

async function finished(operation: Operation<"queued">, before: ResourceRecord): Promise<Encoded> {
  const { app, scope, definition, ref, options } = operation;
  const reasonOf = (error: unknown) => stopReason(app, error) ?? interruption(app, error);
  const call = async (): Promise<Encoded> => {
    const record = app.ledger.contents.records.get(before.uid) ?? before;
    const made = await createAgain({ app, scope, definition, ref, record }, options.timeout);
    return encodeOutput(operation, before.uid, made);
  };
  try {
    const between = () => app.run.renew(before.key, app.ledger.contents);
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
