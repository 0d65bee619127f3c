/** The copies of a state that are kept for people, to look into. */
import { EngineError } from "../../base/index.js";
import { type Checkpoint, type LedgerLocation, listKeys, parseCheckpoint } from "../../state/index.js";

/** Undefined where it is damaged, or gone since it was listed. */
export async function readKept({ store, keys }: LedgerLocation, seq: number): Promise<Checkpoint | undefined> {
  const key = keys.history(seq);
  const text = await store.get(key);
  try {
    return text === undefined ? undefined : parseCheckpoint(key, seq, text);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** A copy for people, or else a checkpoint. @throws EngineError `NOT_RECORDED`, `STATE_CORRUPT`, `STATE_FORMAT` */
export async function keptAt(
  place: LedgerLocation,
  seq: number,
): Promise<{ readonly key: string; readonly checkpoint: Checkpoint }> {
  const { store, keys } = place;
  for (const key of [keys.history(seq), keys.checkpoint(seq)]) {
    const text = await store.get(key);
    if (text !== undefined) return { key, checkpoint: parseCheckpoint(key, seq, text) };
  }
  const { histories, checkpoints } = await listKeys(place);
  const there = [...new Set([...histories, ...checkpoints])].sort((a, b) => a - b);
  throw new EngineError(
    "NOT_RECORDED",
    `There is no copy of the state of "${place.app}/${place.stage}" as of entry ${seq}. There is one of: ${there.join(", ") || "none"}.`,
  );
}
