/** Goes back to what a copy of the state says, by the journal: forwards, like any other change. */
import { EngineError } from "../errors.js";
import { NOTHING_DONE } from "../vocabulary.js";
import type { Contents } from "./change.js";
import { parseCheckpoint } from "./checkpoint.js";
import { monotonic } from "./clock.js";
import { changesBetween } from "./difference.js";
import type { Head } from "./head.js";
import { ledgerKeys } from "./keys.js";
import type { LedgerSettings } from "./ledger-settings.js";
import { type Loaded, load } from "./load.js";
import type { LedgerPlace } from "./place.js";
import { sameContents } from "./reads.js";
import { Session } from "./session.js";
import { survey } from "./survey.js";
import { awaitTurn } from "./turn.js";

export type RestoreSettings = Omit<LedgerSettings, "writes" | "command" | "limits" | "broken" | "rootDir">;

export interface Restored {
  /** How many records and values of data are as in the copy again, or gone again. 0: nothing was written. */
  readonly changes: number;
  /** Keys of what is no longer recorded; it may be there all the same. */
  readonly forgotten: readonly string[];
}

/** However large the state: what was restored begins with a checkpoint of its own. */
const ALWAYS = { entries: Number.POSITIVE_INFINITY, tail: Number.POSITIVE_INFINITY, small: Number.POSITIVE_INFINITY };

/**
 * Makes the state of a stage what it was when entry `seq` was the newest: a session of its own writes the difference as
 * one entry. The things themselves stay as they are.
 *
 * @throws EngineError `NOT_RECORDED` where there is no copy of that number, `STATE_IDENTITY` where it is another
 * ledger's, `STATE_CORRUPT` where a byte of it is not what was written, `STATE_MOVED` where another run was faster, and
 * everything that a run that writes can meet
 */
export async function restore(settings: RestoreSettings, seq: number): Promise<Restored> {
  const place = { clock: monotonic, ...settings, keys: ledgerKeys(settings.app, settings.stage) };
  const dead = new Set<string>();
  const loaded = await awaitTurn(place, await load(place), dead);
  const copy = await readCopy(place, loaded.head, seq);
  const changes = changesBetween(loaded.contents, copy);
  const forgotten = [...loaded.contents.records.values()].flatMap(({ uid, key }) => (copy.records.has(uid) ? [] : key));
  if (changes.length === 0) return { changes: 0, forgotten };
  const before = loaded.contents.copy();
  const moved = async (found: Loaded, own: ReadonlySet<string>): Promise<Loaded> => {
    for (const session of own) dead.add(session);
    const next = await awaitTurn(place, found, dead);
    if (!sameContents(before, next.contents)) throw overtaken(place);
    return next;
  };
  const warn = (code: string, message: string): void => settings.events.warn(code, message);
  const lineage = loaded.head.lineage ?? "";
  const parts = { command: "restore", lineage, limits: ALWAYS, moved, warn, visible: () => undefined };
  const session = new Session({ ...place, ...parts }, loaded);
  try {
    await session.write(changes, { outcome: "done", summary: NOTHING_DONE });
  } catch (error) {
    await session.abandon();
    throw error;
  }
  return { changes: changes.length, forgotten };
}

/** A copy for people, or else the checkpoint, as of that entry. */
async function readCopy(place: LedgerPlace, head: Head, seq: number): Promise<Contents> {
  const { store, keys } = place;
  for (const key of [keys.history(seq), keys.checkpoint(seq)]) {
    const text = await store.get(key);
    if (text === undefined) continue;
    const copy = parseCheckpoint(key, seq, text);
    const { app, stage, lineage } = copy.head;
    if (app === place.app && stage === place.stage && lineage === head.lineage) return copy.contents;
    throw new EngineError(
      "STATE_IDENTITY",
      `"${key}" is a copy of another state, of "${app}/${stage}", and was not written by "${place.app}/${place.stage}". Nothing was changed. Choose a copy that is its own.`,
    );
  }
  const { histories, checkpoints } = await survey(place);
  const there = [...new Set([...histories, ...checkpoints])].sort((a, b) => a - b);
  throw new EngineError(
    "NOT_RECORDED",
    `There is no copy of the state of "${place.app}/${place.stage}" as of entry ${seq}. There is one of: ${there.join(", ") || "none"}.`,
  );
}

function overtaken({ app, stage }: LedgerPlace): EngineError {
  return new EngineError(
    "STATE_MOVED",
    `Another run changed "${app}/${stage}" while it was to be restored. Nothing was restored. Restore it again.`,
  );
}
