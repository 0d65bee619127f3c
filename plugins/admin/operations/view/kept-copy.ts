/** Reads the copies of a state that are kept in its history. */
import { EngineError, messageOf } from "../../../../core/base/index.js";
import {
  type Checkpoint,
  type ClosedSession,
  type Contents,
  type Head,
  type LedgerLocation,
  type Loaded,
  listKeys,
  parseCheckpoint,
} from "../../../../core/state/index.js";
import { type SealStatus, sealOfCopy, sealStatusOf } from "../verify/prove-copy.js";

/** Returns a kept copy, or its problem; undefined if it was trimmed since it was listed. */
export async function readKept(
  { store, keys }: LedgerLocation,
  seq: number,
): Promise<{ readonly checkpoint: Checkpoint } | { readonly problem: string } | undefined> {
  const key = keys.history(seq);
  const text = await store.get(key);
  if (text === undefined) return undefined;
  try {
    return { checkpoint: parseCheckpoint(key, seq, text) };
  } catch (error) {
    if (error instanceof EngineError) return { problem: messageOf(error) };
    throw error;
  }
}

/**
 * Returns a copy from the history, or else a checkpoint. It must belong to the present state.
 *
 * @param head of the present state
 * @throws EngineError `NOT_RECORDED`, `STATE_IDENTITY` if it belongs to another state, `STATE_CORRUPT`, `STATE_FORMAT`
 */
export async function keptAt(
  location: LedgerLocation,
  { lineage }: Pick<Head, "lineage">,
  seq: number,
): Promise<{ readonly key: string; readonly checkpoint: Checkpoint }> {
  const { key, checkpoint } = await readAt(location, seq);
  if (isOwn(location, lineage, checkpoint.head)) return { key, checkpoint };
  const [copy, here] = [checkpoint.head, location].map(({ app, stage }) => `"${app}/${stage}"`);
  const whose =
    copy === here ? `another state with the same name, ${here}` : `the state of ${copy}, not to that of ${here}`;
  throw new EngineError(
    "STATE_IDENTITY",
    `"${key}" belongs to ${whose}. Nothing was changed. Choose another copy ("engine state history" lists them).`,
  );
}

/** The state at an entry, with its seal status. */
export interface CopyAt {
  readonly contents: Contents;
  readonly closed: ClosedSession | undefined;
  readonly seal: SealStatus;
}

/**
 * Returns the present state if it is at that entry; else a kept copy.
 *
 * @throws EngineError as {@link keptAt}, and `STATE_FORGED`
 */
export async function copyAt(location: LedgerLocation, present: Loaded, seq: number): Promise<CopyAt> {
  const { head, contents, closed } = present;
  if (head.seq === seq) return { contents, closed, seal: sealStatusOf(present) };
  const { key, checkpoint } = await keptAt(location, head, seq);
  const { seal } = await sealOfCopy(location, present, key, checkpoint);
  return { contents: checkpoint.contents, closed: checkpoint.closed, seal };
}

/** Returns true if a copy belongs to the present state. */
export function isOwn(location: LedgerLocation, lineage: string | undefined, copy: Head): boolean {
  return copy.app === location.app && copy.stage === location.stage && copy.lineage === lineage;
}

async function readAt(
  location: LedgerLocation,
  seq: number,
): Promise<{ readonly key: string; readonly checkpoint: Checkpoint }> {
  const { store, keys } = location;
  for (const key of [keys.history(seq), keys.checkpoint(seq)]) {
    const text = await store.get(key);
    if (text !== undefined) return { key, checkpoint: parseCheckpoint(key, seq, text) };
  }
  const { histories, checkpoints } = await listKeys(location);
  const there = [...new Set([...histories, ...checkpoints])].sort((a, b) => a - b);
  throw new EngineError(
    "NOT_RECORDED",
    `There is no copy of the state of "${location.app}/${location.stage}" at entry ${seq}. Entries with a copy: ${there.join(", ") || "none"}.`,
  );
}
