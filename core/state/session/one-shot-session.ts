/** Changes the state in a session that writes one entry, for tools that are not runs. */
import { EngineError, monotonic, NOTHING_DONE } from "../../base/index.js";
import type { Sealer } from "../../contract/index.js";
import type { Change } from "../change.js";
import type { CheckpointLimits } from "../checkpoint/checkpoint.js";
import { type LedgerLocation, ledgerKeys } from "../keys.js";
import type { LedgerSettings } from "../ledger.js";
import { type Loaded, load } from "../load.js";
import { sameContents } from "../reads.js";
import { type AcquireSettings, acquireSession } from "./acquire-session.js";
import type { OwnSessions } from "./opening.js";
import { Session } from "./session.js";

export type OneShotSettings = Omit<
  LedgerSettings,
  "writes" | "command" | "limits" | "broken" | "rootDir" | "loaded" | "gate" | "recoveryCipher"
>;

export interface OneShotSession {
  /** Purpose of the session, e.g. "restore". */
  readonly command: string;
  /** Sessions that need no waiting in any case. */
  readonly dead?: ReadonlySet<string>;
  /** True: the changes do not depend on the recorded state, and concurrent changes of others stay. */
  readonly isBlind?: boolean;
  /** Name of the ledger if this writes its first entry. */
  readonly lineage?: string;
  /** Undefined: nothing is written. No changes: the session only opens and closes. */
  changes(loaded: Loaded): readonly Change[] | undefined | Promise<readonly Change[] | undefined>;
  /** Returns the key that one of the changes brings. */
  key?(changes: readonly Change[]): { readonly change: Change; readonly sealer: Sealer } | undefined;
}

/** The change gets a checkpoint of its own, whatever the size of the state. */
const ALWAYS = { entries: Number.POSITIVE_INFINITY, tail: Number.POSITIVE_INFINITY, small: Number.POSITIVE_INFINITY };

/**
 * Writes the changes and closes. Returns false if there was nothing to write.
 *
 * @throws EngineError `STATE_LOCKED` if a run works for longer than `lockTimeout`, `STATE_MOVED` if another one was
 * faster, the errors of `changes`, and everything that a writing run can throw
 */
export async function oneShotSession(settings: OneShotSettings, work: OneShotSession): Promise<boolean> {
  const location = locationOf(settings);
  const dead = new Set(work.dead);
  const loaded = await acquireSession(location, await load(location), dead);
  const session = toolSession(location, loaded, work, dead);
  const changes = await work.changes(loaded);
  if (changes === undefined) return false;
  const key = work.key?.(changes);
  if (key) session.bring(key.change, key.sealer);
  try {
    await session.write(changes, { outcome: "done", summary: NOTHING_DONE });
  } catch (error) {
    await session.abandon();
    throw error;
  }
  return true;
}

type ToolSession = Pick<OneShotSession, "command" | "isBlind" | "lineage"> & { readonly limits?: CheckpointLimits };

/**
 * Creates the session of a tool, which begins with its first write. Sessions found dead meanwhile are added to `dead`.
 */
export function toolSession(
  location: OneShotSettings & AcquireSettings,
  loaded: Loaded,
  { command, isBlind, lineage = "", limits = ALWAYS }: ToolSession,
  dead: Set<string>,
): Session {
  const before = loaded.contents.copy();
  const continueFrom = async (found: Loaded, own: OwnSessions): Promise<Loaded> => {
    for (const session of own.ids) dead.add(session);
    const next = await acquireSession(location, found, dead);
    if (!isBlind && !sameContents(before, next.contents)) throw overtaken(location, own.hasWritten);
    return next;
  };
  const warn = (code: string, message: string): void => location.events.warn(code, message);
  const own = { seen: () => undefined, count: () => before.records.size };
  const parts = { command, limits, continueFrom, warn, ...own };
  return new Session({ ...location, ...parts, lineage: loaded.head.lineage ?? lineage }, loaded);
}

/** Completes the location of the ledger and the settings for waiting. */
export function locationOf(settings: OneShotSettings): OneShotSettings & AcquireSettings {
  const { app, stage, clock = monotonic, events } = settings;
  return { ...settings, clock, keys: ledgerKeys(app, stage), warn: events.warn };
}

/** Location for an inspection, which changes nothing: a state that was put back is reported again the next time. */
export function lookedAt(settings: OneShotSettings): OneShotSettings & AcquireSettings {
  return { ...locationOf(settings), looks: true };
}

function overtaken({ app, stage }: LedgerLocation, hasWritten: boolean): EngineError {
  const [own, then] = hasWritten
    ? [
        "The changes of this command may have been recorded before that.",
        "If the changes are missing, run the command again.",
      ]
    : ["This command changed nothing.", "Then run the command again."];
  return new EngineError(
    "STATE_MOVED",
    `Another run changed "${app}/${stage}" in the meantime. ${own} Check the state: engine state show. ${then}`,
  );
}
