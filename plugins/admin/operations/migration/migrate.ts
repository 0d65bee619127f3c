/** Moves a stage to another store: copies it, ends the old stage, then activates the new one. */
import { EngineError, messageOf, NOTHING_DONE } from "../../../../core/base/index.js";
import type { StateStore, StateStoreOption } from "../../../../core/contract/index.js";
import { sessionSettings, storeOf } from "../../../../core/engine/index.js";
import type { App } from "../../../../core/run/index.js";
import {
  acquireSession,
  arrivingIn,
  checkInUse,
  identityOf,
  type LedgerLocation,
  type Loaded,
  load,
  loadAsIs,
  locationOf,
  nameOf,
  type OneShotSettings,
  proven,
  type Retired,
  readSegment,
  retiredIn,
  type Session,
  sealed,
  toolSession,
  whyMoving,
  whyUnused,
} from "../../../../core/state/index.js";
import { type Arrived, copyStage, putInUse } from "./copy-stage.js";

/** Options of {@link StageAdmin.migrate}, with the target store. */
export interface Migration {
  readonly to: StateStore;
  /** Called before the move; cancels by throwing. Not called if there is nothing left to copy. */
  approve?(what: Migrated): Promise<void> | void;
  /** Called during the copy, and then during the comparison. */
  progress?(done: number, all: number): void;
}

/** Result of a migration, or its planned result. */
export interface Migrated {
  /** The source and target stores, without credentials. */
  readonly from: string;
  readonly to: string;
  /** Number of recorded resources. */
  readonly resources: number;
  /** True if an earlier call had already copied everything. */
  readonly wasCopied: boolean;
}

/** A session without effect needs no checkpoint. */
const NEVER = { entries: Number.POSITIVE_INFINITY, tail: Number.POSITIVE_INFINITY, small: 0 };

/**
 * At most one of the two stages is usable at any moment. The old one is usable up to its last entry. The new one is
 * usable once that entry is written and the session there is closed. After an interruption, another call continues.
 *
 * @throws EngineError `NOT_RECORDED` if nothing was ever written, `STATE_EXISTS` if the other store has a state of that
 * name, `STATE_RETIRED` if the stage was moved to a third store, `STATE_LOCKED`, `FENCED`, `STORE_NOT_ATOMIC`,
 * `STORE_FAILED`, `ABORTED`, and all that `approve` throws
 */
export async function migrate(settings: OneShotSettings, migration: Migration): Promise<Migrated> {
  const source = locationOf(settings);
  // The memory of this machine belongs to the source store only.
  const target = { ...source, store: migration.to, seal: source.seal && { ...source.seal, seen() {} } };
  const read = await loadAsIs(source);
  // Proves the state before trusting its record of an earlier move.
  const found = read.isPartial ? read : await proven(source, read);
  if (found.seal === "locked" && !found.isPartial) throw sealed(source);
  const what = { from: nameOf(source.store), to: nameOf(target.store), resources: found.contents.records.size };
  const retired = retiredIn(found.head);
  if (retired) {
    await finish(source, target, found, retired);
    return { ...what, wasCopied: true };
  }
  checkInUse(source, found.head);
  const moving = whyMoving(source, found.contents);
  if (moving) throw moving;
  await checkTarget(source, target, found);
  await migration.approve?.({ ...what, wasCopied: false });
  const dead = new Set<string>();
  const loaded = await acquireSession(source, found, dead);
  const session = toolSession(source, loaded, { command: "migrate", isBlind: true, limits: NEVER }, dead);
  let arrived: Arrived;
  try {
    const id = await session.write([]);
    const from = await load(source);
    const { owner, version, ttl, signal } = settings;
    const { progress } = migration;
    arrived = await copyStage({ source, target, from, by: { owner, version, ttl }, signal, progress });
    await session.retire(id, { to: what.to, session: arrived.session });
  } catch (error) {
    await closeFailed(session);
    throw error;
  }
  await activate(target, arrived);
  return { ...what, resources: arrived.at.count, wasCopied: false };
}

/** Completes the move of a retired stage: only the new one is left to activate. */
async function finish(source: LedgerLocation, target: LedgerLocation, found: Loaded, retired: Retired): Promise<void> {
  const { head } = await loadAsIs(target);
  if (head.lineage === found.head.lineage && !whyUnused(target, head)) return;
  // Both entries have the same number: each is the next after the copied ones.
  const key = target.keys.entry(found.head.seq);
  const arrived = readSegment(found.head.seq, (await target.store.get(key)) ?? "");
  if (arrived?.lines[0]?.entry.session !== retired.session) return checkInUse(source, found.head);
  await restoreFirst(source, target);
  await activate(target, { session: retired.session, at: await proven(target, await loadAsIs(target)) });
}

/** Writes the first entry again: a power loss may have undone its overwrite. */
async function restoreFirst({ store, keys }: LedgerLocation, target: LedgerLocation): Promise<void> {
  const key = keys.entry(1);
  const [first, other] = [await store.get(key), await target.store.get(key)];
  if (first !== undefined && first !== other) await target.store.set(key, first);
}

async function activate(target: LedgerLocation, arrived: Arrived): Promise<void> {
  try {
    await putInUse(target, arrived);
  } catch (error) {
    throw notActivated(target, error);
  }
}

function notActivated({ app, stage, store }: LedgerLocation, cause: unknown): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `The state of "${app}/${stage}" is fully copied to ${nameOf(store)}, but could not be activated there: ${messageOf(cause)}. Run the same "engine state migrate" again: only this step is left.`,
    { cause },
  );
}

/** Closes the session of a stage that stays where it is. */
async function closeFailed(session: Session): Promise<void> {
  try {
    if (session.id !== undefined) await session.write([], { outcome: "failed", summary: NOTHING_DONE });
  } catch {
    // The stage may be retired or taken over. The caller throws the original error.
    await session.abandon();
  }
}

/** @throws EngineError if the target has anything except the remains of an earlier copy of this stage */
async function checkTarget(source: LedgerLocation, target: LedgerLocation, { head }: Loaded): Promise<void> {
  const [name, from, to] = [`"${source.app}/${source.stage}"`, nameOf(source.store), nameOf(target.store)];
  if (head.lineage === undefined) {
    throw new EngineError(
      "NOT_RECORDED",
      `${from} has no state of ${name} to move. "engine state stages" lists the stages.`,
    );
  }
  const there = await loadAsIs(target);
  const arriving = arrivingIn(there.head);
  const isOwn = arriving?.lineage === head.lineage && arriving.store === identityOf(source.store);
  if (isOwn || (there.head.lineage === undefined && (await isEmpty(target)))) return;
  const exists = (why: string): EngineError => new EngineError("STATE_EXISTS", `${why} Nothing was moved.`);
  if (arriving)
    throw new EngineError(
      "STATE_EXISTS",
      `Nothing was moved: ${to} is already the target of another move, which brings a different state of ${name} from ${arriving.from}. Choose another target.`,
    );
  if (retiredIn(there.head)) {
    throw exists(
      `${to} still holds the old state of ${name}, which was moved to another store. Delete everything under "${target.keys.root}" there first.`,
    );
  }
  if (there.head.lineage === head.lineage)
    throw exists(`${to} already holds the state of ${name}, or a copy of it. Choose another target.`);
  throw exists(
    `${to} already holds data of ${name}. Choose another bucket, prefix, database or folder. If that data is not needed any more, delete everything under "${target.keys.root}" there.`,
  );
}

async function isEmpty({ store, keys }: LedgerLocation): Promise<boolean> {
  for await (const _ of store.list(keys.root)) return false;
  return true;
}

/** Moves the stage of an app that is not open from one store to another. */
export async function migrateTo(
  app: App,
  from: StateStore,
  to: StateStoreOption,
  more: Omit<Migration, "to">,
): Promise<Migrated> {
  // Otherwise a plugin would choose a store that the caller did not ask for.
  if (to === undefined)
    throw new EngineError("INVALID_OPTION", "migrate() needs a store. Pass the one to move the state to.");
  const { store, isOwn } = await storeOf(app, to);
  try {
    const settings = sessionSettings(app, from);
    // With the signal of the app, the message contains the caller's own reason.
    const { signal = settings.signal } = app.options;
    return await migrate({ ...settings, signal }, { to: store, ...more });
  } finally {
    if (isOwn) await store.close?.();
  }
}
