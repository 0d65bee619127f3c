/** Who proves by a key that lines and checkpoints are the stage's own. */

import type { Sealer } from "../../contract/index.js";
import type { TextSeal } from "../checkpoint/digested-text.js";
import type { Head } from "../journal/head.js";

/**
 * What may be written behind what was loaded. "none": lines without a MAC, for the stage has no key. "locked": nothing, for it has
 * one, and this run does not.
 */
export type SealState = Sealer | "none" | "locked";

/** Whose ledger it is. The names as well, for somebody may give a ledger another name. */
export type LedgerName = Pick<Head, "app" | "stage" | "lineage">;

/** Where a line stands: of what ledger, in which entry, and the how manieth of it, from 1. */
export interface LineSpot extends LedgerName {
  readonly seq: number;
  readonly line: number;
}

export function macOfLine(sealer: Sealer, { app, stage, lineage, seq, line }: LineSpot, covered: string): string {
  return sealer.mac(JSON.stringify(["scope-engine line", 1, app, stage, lineage, seq, line, covered]));
}

/** "copy": one that somebody has pulled, which is good for no load. */
export type CheckpointPurpose = "checkpoint" | "copy";

type CheckpointSpot = LedgerName & Pick<Head, "seq" | "lines" | "digest">;

export function macOfCheckpoint(
  sealer: Sealer,
  purpose: CheckpointPurpose,
  { app, stage, lineage, seq, lines, digest }: CheckpointSpot,
  covered: string,
): string {
  return sealer.mac(JSON.stringify([`scope-engine ${purpose}`, 1, app, stage, lineage, seq, lines, digest, covered]));
}

export function isSealedCheckpoint(
  sealer: Sealer,
  purposes: readonly CheckpointPurpose[],
  head: CheckpointSpot,
  { mac, covered }: TextSeal,
): boolean {
  return purposes.some((purpose) => macOfCheckpoint(sealer, purpose, head, covered) === mac);
}

/** Of the text of a saved plan. */
export function macOfPlan(sealer: Sealer, covered: string): string {
  return sealer.mac(JSON.stringify(["scope-engine plan", 1, covered]));
}
