/**
 * Checks that holders of the key wrote the values that a load relies on, like core/state/seal/sealer.ts and prove.ts.
 */
import type { CheckpointId, History, HistoryId, KeyId, LineId } from "./history.js";
import type { Rules } from "./rules.js";

/** A load continues under `key`; 0 if nothing is recorded yet, and there is no key. */
export type Proof = { readonly is: "proven"; readonly key: KeyId } | { readonly is: "forged"; readonly why: string };

export function prove(
  history: History,
  rules: Rules,
  { checkpoint, known }: { readonly checkpoint: CheckpointId; readonly known: HistoryId },
): Proof {
  const { folds, mac } = history.checkpointOf(checkpoint);
  const { key, recorded, hasRecords } = history.history(known);
  let vouching = 0;
  let isSealed = mac !== undefined;
  let forged: string | undefined;
  for (let node = known; node !== folds && vouching === 0; node = history.history(node).parent) {
    const { line } = history.history(node);
    const { seal } = history.lineOf(line);
    if (seal?.vouches !== undefined) vouching = node;
    if (seal?.mac || vouching !== 0) isSealed = true;
    const isChecked = vouching === 0 ? rules.checksLines : rules.checksVouching;
    if (isChecked && !isLineBy(history, rules, { node, key })) forged = "a line has no MAC that fits";
  }
  if (key === 0 && isSealed) return { is: "forged", why: "its key is gone" };
  if (!isSealed) {
    const isBare = rules.bareKeepsNothing ? recorded === 0 : !hasRecords;
    return isBare || !rules.refusesUnsealed ? { is: "proven", key: 0 } : { is: "forged", why: "it has no seal" };
  }
  if (vouching !== 0) {
    const { line, parent } = history.history(vouching);
    const isSaid = history.lineOf(line).seal?.vouches === history.history(parent).recorded;
    if (rules.checksVouched && !isSaid) forged = "what stands before the key is not what it was brought to";
  } else if (checkpoint !== 0 && rules.checksCheckpoints && !isCheckpointBy(history, rules, { checkpoint, key })) {
    forged = "the checkpoint has no MAC that fits";
  }
  return forged === undefined ? { is: "proven", key } : { is: "forged", why: forged };
}

/** True if the MAC of a history's last line was made with the key, for that line and its place. */
export function isLineBy(
  history: History,
  rules: Rules,
  { node, key }: { readonly node: HistoryId; readonly key: KeyId },
): boolean {
  const { line, content } = history.history(node);
  const mac = history.lineOf(line).seal?.mac;
  if (mac === undefined || mac.key !== key) return false;
  if (rules.macNumber && mac.number !== history.content(content).length) return false;
  return covered(history, rules, mac.body) === covered(history, rules, history.body(line));
}

function covered(history: History, rules: Rules, body: LineId): LineId {
  if (rules.macSeq && rules.macPrev) return body;
  const line = history.lineOf(body);
  return history.line({ ...line, seq: rules.macSeq ? line.seq : 0, prev: rules.macPrev ? line.prev : 0 });
}

function isCheckpointBy(
  history: History,
  rules: Rules,
  { checkpoint, key }: { readonly checkpoint: CheckpointId; readonly key: KeyId },
): boolean {
  const { folds, mac } = history.checkpointOf(checkpoint);
  if (mac?.key !== key) return false;
  if (rules.macFolded) return mac.folds === folds;
  const [made, found] = [history.history(mac.folds), history.history(folds)];
  return made.seq === found.seq && made.line === found.line && made.content === found.content;
}
