/** Finds the holder of a stage, as far as its state and this machine can tell, and ends its session. */
import type { ProcessIdentity, StageHolder } from "../../../core/base/index.js";
import {
  type Head,
  type LedgerLocation,
  load,
  locationOf,
  locked,
  type OneShotSettings,
  oneShotSession,
  stageHolder,
} from "../../../core/state/index.js";

/** The session that holds the stage. */
export interface Holder extends StageHolder {
  /** Number of its signs of life; 0 if it has just begun, or its lease is gone. */
  readonly beats: number;
}

/** Returns undefined if no session is open. */
export async function holderOf(
  { store, keys }: LedgerLocation,
  { open }: Head,
  here: ProcessIdentity,
): Promise<Holder | undefined> {
  if (!open) return undefined;
  const beats = Number((await store.get(keys.lease(open.session))) ?? 0);
  return { ...stageHolder(open, here), beats };
}

/** Options of {@link StageAdmin.unlock}. */
export interface UnlockOptions {
  /** Ends the session even if its process is known to run. */
  readonly force?: boolean;
  /** Called before the session ends; cancels by throwing. */
  approve?(holder: Holder): Promise<void> | void;
}

/**
 * Takes the session over at once and closes it. The journal keeps the former owner from writing. Returns that owner, or
 * undefined if no session is open.
 *
 * @throws EngineError `STATE_LOCKED` if its process is known to run on this machine, unless `force`; and everything
 * that {@link oneShotSession} throws
 */
export async function unlock(
  settings: OneShotSettings,
  { force = false, approve }: UnlockOptions = {},
): Promise<Holder | undefined> {
  const location = locationOf(settings);
  const { head } = await load(location);
  const holder = await holderOf(location, head, settings.here);
  if (!holder) return undefined;
  const { process, since, session } = holder;
  if (!force && (process === "runs" || process === "stopped")) {
    const how =
      process === "runs"
        ? `has been running on this machine since ${since}`
        : `started at ${since} and is suspended on this machine`;
    throw locked(
      settings,
      holder,
      `, which ${how}. End that process, or unlock anyway (--force): the next write of the process then fails, and its unfinished resources stay pending.`,
    );
  }
  await approve?.(holder);
  const dead = new Set([session]);
  const isWritten = await oneShotSession(settings, {
    command: "unlock",
    dead,
    isBlind: true,
    changes: ({ head: now }) => (now.open && dead.has(now.open.session) ? [] : undefined),
  });
  return isWritten ? holder : undefined;
}
