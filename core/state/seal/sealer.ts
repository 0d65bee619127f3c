/** Proves with a key that lines and checkpoints belong to the stage. */

import { nodeCrypto } from "../../base/index.js";
import type { Sealer } from "../../contract/index.js";
import type { Contents } from "../change.js";
import type { TextSeal } from "../checkpoint/digested-text.js";
import { digestOfContents } from "../checkpoint/digested-text.js";
import type { Line } from "../journal/entry.js";
import { type Head, lineNumber } from "../journal/head.js";

/**
 * Seal of the lines that may follow the loaded state. "none": lines without a MAC, because the stage has no key.
 * "locked": no lines, because the stage has a key and this run does not.
 */
export type SealState = Sealer | "none" | "locked";

/** Name of a ledger. It includes app and stage, because a copied ledger can be given another name. */
export type LedgerName = Pick<Head, "app" | "stage" | "lineage">;

/** Position of a line: ledger, entry, and 1-based number in the entry. */
export interface LineSpot extends LedgerName {
  readonly seq: number;
  readonly line: number;
}

export function macOfLine(sealer: Sealer, { app, stage, lineage, seq, line }: LineSpot, covered: string): string {
  return sealer.mac(JSON.stringify(["scope-engine line", 1, app, stage, lineage, seq, line, covered]));
}

/** "copy": a pulled copy, which no load accepts. */
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

/** Computes the MAC of a saved plan's text. */
export function macOfPlan(sealer: Sealer, covered: string): string {
  return sealer.mac(JSON.stringify(["scope-engine plan", 1, covered]));
}

/**
 * Returns a SHA-256 in hexadecimal. The lines themselves are covered by the digest of the last one, which the next one
 * carries.
 */
export function vouchedFor({ app, stage, lineage, guards, open, version, store }: Head, contents: Contents): string {
  const head = [app, stage, lineage, guards, open, version, store].map((member) => member ?? null);
  return nodeCrypto().hash("sha256", JSON.stringify([...head, digestOfContents(contents)]), "hex");
}

/** The checkpoint that a load began with. */
interface CheckpointEvidence {
  readonly key: string;
  readonly head: Head;
  readonly seal: TextSeal | undefined;
}

interface LineEvidence {
  readonly key: string;
  readonly seq: number;
  readonly line: number;
  readonly seal: TextSeal;
}

interface Vouched {
  readonly key: string;
  /** Digest that the line states for everything before it, and the actual digest. */
  readonly said: string;
  readonly found: string;
}

interface LooseOpen {
  readonly key: string;
  readonly prev: string;
}

/** An object that was not written with the key. */
export interface Doubt {
  /** Key in the store. */
  readonly key: string;
  readonly problem: string;
}

const GOES_ON = "lines at the end of an earlier entry were cut off";

export const FOLLOWS_ANOTHER = "its session began after a line that is not in the entry before it";

const NO_MAC = "it has no seal, but the state is sealed";

const WRONG_MAC = "its seal was made with another key, or for another place in the state";

export class Evidence {
  readonly checkpoint: CheckpointEvidence | undefined;
  #vouched: Vouched | undefined;
  /** Lines since the checkpoint, or since the line that vouches for all before it. */
  #lines: LineEvidence[] = [];
  #bare: string | undefined;
  #cut: Doubt | undefined;
  #loose: LooseOpen | undefined;

  /** @param checkpoint undefined if there is none */
  constructor(checkpoint?: CheckpointEvidence) {
    this.checkpoint = checkpoint;
  }

  /** True if anything that was read says that the state is sealed. */
  get isSealed(): boolean {
    return this.checkpoint?.seal !== undefined || this.#vouched !== undefined || this.#lines.length > 0;
  }

  /** Adds a line. @param head and `contents` as they were before the line */
  add(key: string, { entry, seal }: Line, head: Head, contents: Contents): void {
    if (entry.vouches !== undefined) {
      // From here on another key may apply, and this line covers everything before it.
      this.#vouched = { key, said: entry.vouches, found: vouchedFor(head, contents) };
      this.#lines = [];
      this.#bare = undefined;
      this.#cut = undefined;
      this.#loose = undefined;
    }
    const base = this.checkpoint?.head;
    const counted = entry.settled?.find(({ seq }) => seq === base?.seq);
    if (counted && (counted.lines !== base?.lines || counted.digest !== base.digest)) this.addCut(key);
    const line = lineNumber(head, entry.seq);
    if (seal) this.#lines.push({ key, seq: entry.seq, line, seal });
    else this.#bare ??= key;
  }

  /** Notes that a session changed something after entries whose length it does not state. */
  addCut(key: string): void {
    this.#cut ??= { key, problem: GOES_ON };
  }

  /**
   * Notes an `open` that names an earlier line than the one before it.
   *
   * @param before digests in the entry before; undefined if that entry is known only through the checkpoint
   */
  addLoose(key: string, prev: string, before: readonly string[] | undefined): void {
    if (before === undefined) this.#loose = { key, prev };
    else if (!before.includes(prev)) this.#cut ??= { key, problem: FOLLOWS_ANOTHER };
  }

  /** An `open` that is right only if it names a line of the entry that the checkpoint ends with. */
  get loose(): LooseOpen | undefined {
    return this.#loose;
  }

  /** Returns undefined if all of it was written with this key. */
  doubt(ledger: LedgerName, sealer: Sealer): Doubt | undefined {
    const { key: root, head, seal } = this.checkpoint ?? {};
    if (this.#vouched) {
      const { key, said, found } = this.#vouched;
      if (said !== found) return { key, problem: "it confirms contents that differ from those before it" };
    } else if (root !== undefined && head) {
      if (!seal) return { key: root, problem: NO_MAC };
      if (!isSealedCheckpoint(sealer, ["checkpoint"], head, seal)) return { key: root, problem: WRONG_MAC };
    }
    if (this.#bare !== undefined) return { key: this.#bare, problem: NO_MAC };
    if (this.#cut) return this.#cut;
    for (const { key, seq, line, seal: one } of this.#lines) {
      if (macOfLine(sealer, { ...ledger, seq, line }, one.covered) !== one.mac) return { key, problem: WRONG_MAC };
    }
    return undefined;
  }
}

/** The evidence of a load that read nothing. */
export const NO_EVIDENCE = new Evidence();
