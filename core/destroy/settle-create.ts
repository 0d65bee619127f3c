/**
 * Settles interrupted creates of resources that are no longer wanted: finds out if there is a real resource to delete.
 */

import { below } from "../base/index.js";
import {
  type DefinedHandlers,
  forgetCommand,
  isOfUnknownOrigin,
  isPending,
  type ResourceRecord,
} from "../contract/index.js";
import {
  createAgain,
  decodeProps,
  encodeOutput,
  goodProps,
  handlersFor,
  type Interrupted,
  interruption,
  keptTokenHint,
  manyPending,
  readInterrupted,
  unclaimed,
  whyPending,
} from "../handler/index.js";
import { descendantsOf } from "../order/index.js";
import { type App, isPartial, partlyDone, tryToRecord } from "../run/index.js";
import type { Change } from "../state/index.js";
import { type Deletion, deleteFailed, prepare } from "./deletion.js";

export interface SettledCreates {
  /** Uids of the records that cannot be deleted now. */
  readonly stuck: ReadonlySet<string>;
  /** Records of interrupted creates that may have taken effect. */
  readonly unresolved: readonly ResourceRecord[];
  readonly errors: readonly unknown[];
}

/**
 * Finds the outcome of each interrupted create. An existing resource continues as a settled record; without one, the
 * record is removed.
 */
export async function settleCreates(app: App, records: readonly ResourceRecord[]): Promise<SettledCreates> {
  const stuck = new Set<string>();
  const unresolved: ResourceRecord[] = [];
  const errors: unknown[] = [];
  const settleOne = async (record: ResourceRecord): Promise<void> => {
    try {
      if (await settle(await prepare({ app, record, reason: "orphan" }))) return;
      unresolved.push(record);
    } catch (error) {
      errors.push(error);
    }
    stuck.add(record.uid);
  };
  await Promise.all(records.map(settleOne));
  return { stuck, unresolved, errors };
}

/** Returns false if it is unknown whether the create took effect. */
async function settle(deletion: Deletion): Promise<boolean> {
  const { app, record, definition } = deletion;
  if (isOfUnknownOrigin(record)) {
    warnUnclaimed(deletion);
    return false;
  }
  if (record.claim === "unmade") {
    await app.record([{ op: "drop", uid: record.uid }]);
    return true;
  }
  const handlers = handlersFor(definition, record);
  try {
    const found = handlers.read && (await readCreate(deletion));
    if (found && !found.isOwn) {
      warnUnclaimed(deletion);
      return false;
    }
    if (!found && !definition.idempotent) {
      warn(deletion);
      return false;
    }
    const made = found ?? (await app.run.performer.repeatCreate(() => createdAgain(deletion)));
    // In a plan it is deleted, whether or not its create would have made it.
    if (!made) return true;
    const { output } = made;
    if (found && output === undefined) await app.record([{ op: "drop", uid: record.uid }]);
    else {
      const encoded = await encodeOutput(deletion, record.uid, output, record.output);
      const { uid } = record;
      const set = { status: "ready", output: encoded, attempt: 0, claim: "own" } as const;
      const settled: Change = { op: "patch", uid, set, unset: ["error", "since"] };
      const isWhole = !isPartial(app, homeOf(record), handlers) && !hasPendingParts(app, uid, handlers);
      // The found resource may have changed since: if it cannot be deleted, the next declaration updates it.
      const isRight = !found || handlers.update === undefined;
      await app.record([isWhole && isRight ? settled : partlyDone(record, encoded)]);
    }
    return true;
  } catch (error) {
    throw await fail(deletion, error);
  }
}

/**
 * True if a child is pending. If that one cannot be deleted, the parent stays `updating`, so that the next declaration
 * finishes its children.
 */
function hasPendingParts({ ledger }: App, uid: string, { update }: Pick<DefinedHandlers, "update">): boolean {
  return update !== undefined && descendantsOf(ledger.contents, [uid]).some(isPending);
}

/** Calls the create again, including the declarations of its handler. */
async function createdAgain(deletion: Deletion): Promise<unknown> {
  const { app, record } = deletion;
  const { key } = record;
  const { settling } = app.run;
  const home = homeOf(record);
  settling.add(key);
  try {
    // It may have been settled before, and its children were declared then.
    await app.run.renew(home, app.ledger.contents);
    return await createAgain(deletion);
  } finally {
    // Even if the create has failed: its children must not be read before they are created.
    if (app.run.hasChildren(home)) await app.run.waits.settled(below(key));
    settling.delete(key);
  }
}

/**
 * Returns the home of its children: its key, or the uid of an old copy, whose children differ from those of its
 * replacement.
 */
function homeOf({ key, uid, replaced }: ResourceRecord): string {
  return replaced ? uid : key;
}

async function readCreate(deletion: Deletion): Promise<Interrupted | undefined> {
  const props = await decodeProps(deletion, deletion.record.uid, goodProps(deletion.record));
  const { app, scope, definition, ref, record } = deletion;
  return readInterrupted({ app, scope, definition, ref, options: {} }, { props, record, isDeclared: false });
}

async function fail(deletion: Deletion, error: unknown): Promise<unknown> {
  const { app, record } = deletion;
  const reason = interruption(app, error);
  if (reason) return reason;
  const { definition } = deletion;
  const isRepeated = definition.idempotent && handlersFor(definition, record).read === undefined;
  const failure = deleteFailed(deletion, error, isRepeated ? keptTokenHint(deletion.ref.fqn, record) : "");
  await tryToRecord(app, [{ op: "patch", uid: record.uid, set: { error: failure.message } }]);
  return failure;
}

function warnUnclaimed({ app, ref: { fqn }, record }: Deletion): void {
  app.run.performer.keep(record, "it is not known whether the engine owns it");
  app.run.warnings.add(app.events, {
    code: "UNRESOLVED",
    fqn,
    one: `${unclaimed(fqn, record).message} Until then, its record stays, and the real resource is not deleted.`,
    several: (count) =>
      `It is not known whether the engine owns ${count} resources: their last action was interrupted or failed, and the real resources may have existed before. None of them is deleted, and their records stay. Look at each one. If your program is to manage it, declare it with { adopt: true }. If not, run "engine state forget" with its name.`,
  });
}

function warn({ app, ref: { fqn }, record, definition }: Deletion): void {
  app.run.performer.keep(record, "its interrupted create may have taken effect");
  const { kind, error } = record;
  const canRead = handlersFor(definition, record).read !== undefined;
  const whose = canRead ? `the read handler of "${kind}" cannot tell` : `"${kind}" has no read handler that could tell`;
  app.run.warnings.add(app.events, {
    code: "UNRESOLVED",
    fqn,
    one: `The create of "${fqn}" ${whyPending(error)}, and ${whose} whether it took effect. Its record stays. Declare it again, so that the next run can finish the create. Or look for the real resource yourself, delete it if it exists, and remove the record with ${forgetCommand(fqn, record)}.`,
    several: (count) =>
      `${manyPending(error, count)}, and ${whose} which of them took effect. Their records stay. Declare them again, so that the next run can finish the creates. Or look for each real resource yourself, delete it if it exists, and remove its record with "engine state forget".`,
  });
}
