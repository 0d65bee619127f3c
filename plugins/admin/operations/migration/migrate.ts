/** Moves a stage to another store: a copy of all that is recorded, then an end of the old stage, then the new one is in use. */
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
  whyUnused,
} from "../../../../core/state/index.js";
import { type Arrived, copyStage, putInUse } from "./copy-stage.js";

/** Where a state is moved to, and what is asked and told on the way. */
export interface Migration {
  readonly to: StateStore;
  /** Told what is about to be moved; keeps everything as it is by throwing. Not called where there is nothing left to copy. */
  approve?(what: Migrated): Promise<void> | void;
  /** Called while it copies, and then while it compares. */
  progress?(done: number, all: number): void;
}

/** What was moved, or is about to be. */
export interface Migrated {
  /** The two stores, without credentials. */
  readonly from: string;
  readonly to: string;
  /** Resources that are recorded. */
  readonly resources: number;
  /** True where this call copied nothing: an earlier one had come so far. */
  readonly wasCopied: boolean;
}

/** What is closed without an effect needs no checkpoint. */
const NEVER = { entries: Number.POSITIVE_INFINITY, tail: Number.POSITIVE_INFINITY, small: 0 };

/**
 * At each moment one of the two stages can be used at most: the old one up to its last entry, the new one once that is
 * written and the session there is closed. Whoever is killed in between does it again, and it goes on.
 *
 * @throws EngineError `NOT_RECORDED` where nothing was ever written, `STATE_EXISTS` where the other store has a state of that name,
 * `STATE_RETIRED` where the stage was moved to another one than that, `STATE_LOCKED`, `FENCED`, `STORE_NOT_ATOMIC`,
 * `STORE_FAILED`, `ABORTED`, and what `approve` throws
 */
export async function migrate(settings: OneShotSettings, migration: Migration): Promise<Migrated> {
  const source = locationOf(settings);
  // What a machine has seen is of the one store, and not of the other.
  const target = { ...source, store: migration.to, seal: source.seal && { ...source.seal, seen() {} } };
  const read = await loadAsIs(source);
  // Before anything that it says of a move is believed.
  const found = read.isPartial ? read : await proven(source, read);
  if (found.seal === "locked" && !found.isPartial) throw sealed(source);
  const what = { from: nameOf(source.store), to: nameOf(target.store), resources: found.contents.records.size };
  const retired = retiredIn(found.head);
  if (retired) {
    await finish(source, target, found, retired);
    return { ...what, wasCopied: true };
  }
  checkInUse(source, found.head);
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
    await end(session);
    throw error;
  }
  await use(target, arrived);
  return { ...what, resources: arrived.at.count, wasCopied: false };
}

/** Of a stage that was retired: what is left is to put the other one in use. */
async function finish(source: LedgerLocation, target: LedgerLocation, found: Loaded, retired: Retired): Promise<void> {
  const { head } = await loadAsIs(target);
  if (head.lineage === found.head.lineage && !whyUnused(target, head)) return;
  // The two entries have one number: both come next after what was copied.
  const key = target.keys.entry(found.head.seq);
  const arrived = readSegment(found.head.seq, (await target.store.get(key)) ?? "");
  if (arrived?.lines[0]?.entry.session !== retired.session) return checkInUse(source, found.head);
  await restoreFirst(source, target);
  await use(target, { session: retired.session, at: await proven(target, await loadAsIs(target)) });
}

/** A store need not have kept in a power loss what was written over something else. */
async function restoreFirst({ store, keys }: LedgerLocation, target: LedgerLocation): Promise<void> {
  const key = keys.entry(1);
  const [first, other] = [await store.get(key), await target.store.get(key)];
  if (first !== undefined && first !== other) await target.store.set(key, first);
}

async function use(target: LedgerLocation, arrived: Arrived): Promise<void> {
  try {
    await putInUse(target, arrived);
  } catch (error) {
    throw notInUse(target, error);
  }
}

function notInUse({ app, stage, store }: LedgerLocation, cause: unknown): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `The state of "${app}/${stage}" is fully copied to ${nameOf(store)}, but could not be activated there: ${messageOf(cause)}. Repeat the move: only this step is left.`,
    { cause },
  );
}

/** Lets go of a stage that stays where it is. */
async function end(session: Session): Promise<void> {
  try {
    if (session.id !== undefined) await session.write([], { outcome: "failed", summary: NOTHING_DONE });
  } catch {
    // It may have been retired, or taken over: what made it end is what is thrown.
    await session.abandon();
  }
}

/** @throws EngineError where the other store is not empty, but for what an earlier copy of this stage has left */
async function checkTarget(source: LedgerLocation, target: LedgerLocation, { head }: Loaded): Promise<void> {
  const [name, from, to] = [`"${source.app}/${source.stage}"`, nameOf(source.store), nameOf(target.store)];
  if (head.lineage === undefined) {
    throw new EngineError("NOT_RECORDED", `${from} has no state of ${name} to move.`);
  }
  const there = await loadAsIs(target);
  const arriving = arrivingIn(there.head);
  const isOwn = arriving?.lineage === head.lineage && arriving.store === identityOf(source.store);
  if (isOwn || (there.head.lineage === undefined && (await isEmpty(target)))) return;
  const exists = (why: string): EngineError => new EngineError("STATE_EXISTS", `${why} Nothing was moved.`);
  if (arriving) throw exists(`Another state of ${name} is being moved from ${arriving.from} to ${to}.`);
  if (retiredIn(there.head)) {
    throw exists(
      `${to} still holds the old state of ${name}, which was moved to another store. Delete everything under "${target.keys.root}" there first.`,
    );
  }
  if (there.head.lineage === head.lineage) throw exists(`${to} already holds the state of ${name}, or a copy of it.`);
  throw exists(
    `${to} already holds data of ${name}. Choose another bucket, prefix, database or folder. If that data is not needed any more, delete everything under "${target.keys.root}" there.`,
  );
}

async function isEmpty({ store, keys }: LedgerLocation): Promise<boolean> {
  for await (const _ of store.list(keys.root)) return false;
  return true;
}

/** Moves the stage of an app, which is not open, from one store to another. */
export async function migrateTo(
  app: App,
  from: StateStore,
  to: StateStoreOption,
  more: Omit<Migration, "to">,
): Promise<Migrated> {
  // Without it a plugin would choose one, which nobody has asked for.
  if (to === undefined)
    throw new EngineError("INVALID_OPTION", "migrate() needs a store. Pass the one to move the state to.");
  const { store, isOwn } = await storeOf(app, to);
  try {
    const settings = sessionSettings(app, from);
    // Its reason stands in the message in the words of whoever aborted it.
    const { signal = settings.signal } = app.options;
    return await migrate({ ...settings, signal }, { to: store, ...more });
  } finally {
    if (isOwn) await store.close?.();
  }
}
