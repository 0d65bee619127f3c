/** Verifies checkpoints and the copies in the history, each on its own. */
import { EngineError, isEngineError, messageOf } from "../../../../core/base/index.js";
import {
  Contents,
  type Head,
  type LedgerLocation,
  type Loaded,
  parseCheckpoint,
} from "../../../../core/state/index.js";
import { damaged, type Finding } from "./finding.js";
import { proveCopy } from "./prove-copy.js";

export interface VerifiedCopies {
  readonly size: number;
  /** Journal head of each complete checkpoint, by its number. */
  readonly heads: ReadonlyMap<number, Head>;
  readonly findings: readonly Finding[];
}

const NOT_NEEDED = "No run reads it. Delete it, or restore it from a backup.";

export async function verifyCopies(
  location: LedgerLocation,
  present: Loaded | undefined,
  checkpoints: readonly number[],
  histories: readonly number[],
): Promise<VerifiedCopies> {
  const { store, keys } = location;
  const heads = new Map<number, Head>();
  const findings: Finding[] = [];
  let size = 0;
  const newest = checkpoints.at(-1);
  // One at a time: each checkpoint is as large as the state.
  for (const seq of checkpoints) {
    const key = keys.checkpoint(seq);
    const text = await store.get(key);
    size += text?.length ?? 0;
    if (text === undefined) continue;
    const read = await readCopy(location, present, { key, seq, text });
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
    const read = await readCopy(location, present, { key, seq, text });
    if ("problem" in read) findings.push(damaged(key, read.problem, NOT_NEEDED));
  }
  return { size, heads, findings };
}

interface Text {
  readonly key: string;
  readonly seq: number;
  readonly text: string;
}

async function readCopy(
  at: LedgerLocation,
  present: Loaded | undefined,
  { key, seq, text }: Text,
): Promise<Head | { readonly problem: string }> {
  try {
    const checkpoint = parseCheckpoint(key, seq, text);
    const { head } = checkpoint;
    if (head.app !== at.app || head.stage !== at.stage) return { problem: `it belongs to "${head.app}/${head.stage}"` };
    const { seal = "none", contents = new Contents() } = present ?? {};
    const copy = { source: key, checkpoint, purposes: ["checkpoint"] } as const;
    // A copy without a seal is from before the state was sealed. No run loads it on its own, so it is not a finding.
    if (at.seal?.isGiven) await proveCopy(at, { seal, contents }, copy, true).catch(unlessOfAnotherKey);
    return head;
  } catch (error) {
    return { problem: error instanceof EngineError ? problemIn(error.message, key) : messageOf(error) };
  }
}

/** A copy sealed with an earlier password or key cannot be checked with the present one: that is not a finding. */
function unlessOfAnotherKey(error: unknown): void {
  if (!isEngineError(error, "WRONG_PASSWORD")) throw error;
}

/** Returns the problem in a message about a key, without the advice. */
function problemIn(message: string, key: string): string {
  const start = message.indexOf(`"${key}": `);
  const text = start < 0 ? message : message.slice(start + key.length + 4);
  return text.split(". ")[0] ?? text;
}
