/** The copies of a state that are kept for people, to look into. */
import { EngineError, messageOf } from "../../base/index.js";
import { type Checkpoint, type LedgerLocation, listKeys, parseCheckpoint } from "../../state/index.js";

/** A kept copy, or what is wrong with it; undefined where it was trimmed since it was listed. */
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

/** A copy for people, or else a checkpoint. @throws EngineError `NOT_RECORDED`, `STATE_CORRUPT`, `STATE_FORMAT` */
export async function keptAt(
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
    `There is no copy of the state of "${location.app}/${location.stage}" as of entry ${seq}. There is one of: ${there.join(", ") || "none"}.`,
  );
}
