/** Who is at work on a stage, as far as its state and this machine can tell; and the end of a session that nobody wants to wait for. */
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

/** Who has the stage. */
export interface Holder extends StageHolder {
  /** How often it has shown that it lives; 0 where it has just begun, or its lease is gone. */
  readonly beats: number;
}

/** Undefined where no session is open. */
export async function holderOf(
  { store, keys }: LedgerLocation,
  { open }: Head,
  here: ProcessIdentity,
): Promise<Holder | undefined> {
  if (!open) return undefined;
  const beats = Number((await store.get(keys.lease(open.session))) ?? 0);
  return { ...stageHolder(open, here), beats };
}

/** What is asked before a session is ended. */
export interface UnlockOptions {
  /** Also where its process is known to run. */
  readonly force?: boolean;
  /** Told whose session is about to end; keeps it by throwing. */
  approve?(holder: Holder): Promise<void> | void;
}

/**
 * Takes over at once, and closes. Whoever is pushed out writes nothing any more: the journal keeps it out. Gives whom that was,
 * or undefined where no session is open.
 *
 * @throws EngineError `STATE_LOCKED` where its process is known to run on this machine, unless `force`; and everything that
 * {@link oneShotSession} throws
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
      `, which ${how}. End that process, or force it (--force): its next write then fails, and its unfinished resources stay pending.`,
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
