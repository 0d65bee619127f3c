/** Checkpoints and copies of them, each by itself. */
import { EngineError, messageOf } from "../errors.js";
import { parseCheckpoint } from "./checkpoint.js";
import { damaged, type Finding } from "./finding.js";
import type { Head } from "./head.js";
import type { LedgerPlace } from "./place.js";

export interface VerifiedCopies {
  readonly size: number;
  /** Where the journal stood, by the number of the checkpoint; of those that are whole. */
  readonly heads: ReadonlyMap<number, Head>;
  readonly findings: readonly Finding[];
}

const NOT_NEEDED = "No run reads it: delete it, or restore it from a backup.";

export async function verifyCopies(
  place: LedgerPlace,
  checkpoints: readonly number[],
  histories: readonly number[],
): Promise<VerifiedCopies> {
  const { store, keys } = place;
  const heads = new Map<number, Head>();
  const findings: Finding[] = [];
  let size = 0;
  const newest = checkpoints.at(-1);
  // One at a time: each is as large as the state.
  for (const seq of checkpoints) {
    const key = keys.checkpoint(seq);
    const text = await store.get(key);
    size += text?.length ?? 0;
    if (text === undefined) continue;
    const read = readCopy(place, key, seq, text);
    if (!("problem" in read)) heads.set(seq, read);
    else {
      const hasCopy = histories.includes(seq);
      const copy = hasCopy ? `Copy "${keys.history(seq)}" over it.` : undefined;
      findings.push(damaged(key, read.problem, seq === newest ? copy : (copy ?? NOT_NEEDED)));
    }
  }
  for (const seq of histories) {
    const key = keys.history(seq);
    const text = await store.get(key);
    size += text?.length ?? 0;
    if (text === undefined) continue;
    const read = readCopy(place, key, seq, text);
    if ("problem" in read) findings.push(damaged(key, read.problem, NOT_NEEDED));
  }
  return { size, heads, findings };
}

function readCopy(at: LedgerPlace, key: string, seq: number, text: string): Head | { readonly problem: string } {
  try {
    const { head } = parseCheckpoint(key, seq, text);
    if (head.app === at.app && head.stage === at.stage) return head;
    return { problem: `it is of "${head.app}/${head.stage}"` };
  } catch (error) {
    return { problem: error instanceof EngineError ? problemIn(error.message, key) : messageOf(error) };
  }
}

/** What a message says of a key, without what it says to do. */
function problemIn(message: string, key: string): string {
  const start = message.indexOf(`"${key}": `);
  const text = start < 0 ? message : message.slice(start + key.length + 4);
  return text.split(". ")[0] ?? text;
}
