/** The copies of a state that are kept for people, to look into. */
import { EngineError } from "../../base/index.js";
import {
  type Checkpoint,
  type Contents,
  type Head,
  type LedgerLocation,
  type Loaded,
  listKeys,
  parseCheckpoint,
} from "../../state/index.js";

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

/**
 * A copy for people, or else a checkpoint: of the state that is recorded by now, and of no other.
 *
 * @param head of what is recorded
 * @throws EngineError `NOT_RECORDED`, `STATE_IDENTITY` where it is another state's, `STATE_CORRUPT`, `STATE_FORMAT`
 */
export async function keptAt(
  place: LedgerLocation,
  { lineage }: Pick<Head, "lineage">,
  seq: number,
): Promise<{ readonly key: string; readonly checkpoint: Checkpoint }> {
  const { key, checkpoint } = await readAt(place, seq);
  if (isOwn(place, lineage, checkpoint.head)) return { key, checkpoint };
  const { app, stage } = checkpoint.head;
  throw new EngineError(
    "STATE_IDENTITY",
    `"${key}" is a copy of another state, of "${app}/${stage}", and was not written by "${place.app}/${place.stage}". Nothing was changed. Choose a copy that is its own.`,
  );
}

/** Of the present, where that is the newest entry; else of a kept copy. @throws EngineError as {@link keptAt} */
export async function contentsAt(place: LedgerLocation, { head, contents }: Loaded, seq: number): Promise<Contents> {
  return head.seq === seq ? contents : (await keptAt(place, head, seq)).checkpoint.contents;
}

/** Whether a copy is of the state that is recorded at a place by now. */
export function isOwn(place: LedgerLocation, lineage: string | undefined, copy: Head): boolean {
  return copy.app === place.app && copy.stage === place.stage && copy.lineage === lineage;
}

async function readAt(
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
