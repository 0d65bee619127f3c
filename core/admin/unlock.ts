/** Ends the session of an owner that nobody wants to wait for. */
import { type AmendSettings, amend, load, locked, placeOf } from "../state/index.js";
import { type Holder, holderOf } from "./holder.js";

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
 * {@link amend} throws
 */
export async function unlock(
  settings: AmendSettings,
  { force = false, approve }: UnlockOptions = {},
): Promise<Holder | undefined> {
  const place = placeOf(settings);
  const { head } = await load(place);
  const holder = await holderOf(place, head, settings.here);
  if (!holder) return undefined;
  const { process, since, session } = holder;
  if (!force && (process === "runs" || process === "stopped")) {
    const how = process === "runs" ? "runs" : "is stopped, but there,";
    throw locked(
      settings,
      holder,
      `, which ${how} on this machine since ${since}. End that process; or force it (--force): then it fails with its next write, and what it was doing is pending.`,
    );
  }
  await approve?.(holder);
  const dead = new Set([session]);
  const isWritten = await amend(settings, {
    command: "unlock",
    dead,
    isBlind: true,
    changes: ({ head: now }) => (now.open && dead.has(now.open.session) ? [] : undefined),
  });
  return isWritten ? holder : undefined;
}
