/** Journal entries as a session would write them. */

import { NOTHING_DONE } from "../../../core/base/index.js";
import type { Change, Entry } from "../../../core/state/index.js";
import { NO_DIGEST, type OpenRecord, writeLine } from "../../../core/state/journal/entry.js";
import { elsewhere, ownerOf, putting } from "../stores/ledgers.js";

export function openRecord(members: Partial<OpenRecord> = {}): OpenRecord {
  return { owner: ownerOf(elsewhere()), command: "up", version: "1.2.3", format: 1, ttl: 20_000, ...members };
}

export const genesis = { lineage: "lineage", app: "app", stage: "dev" };
export const closing = { outcome: "done", summary: NOTHING_DONE } as const;

export function ops(...keys: string[]): { readonly ops: readonly Change[] } {
  return { ops: keys.map(putting) };
}

export interface WrittenLine {
  readonly entry: Entry;
  readonly text: string;
  readonly digest: string;
}

export type DraftLine = Omit<Entry, "prev"> & { readonly prev?: string };

/** Lines that each name the one before, unless they name one themselves. */
export function chained(...entries: readonly DraftLine[]): WrittenLine[] {
  const lines: WrittenLine[] = [];
  for (const entry of entries) {
    const whole = { prev: lines.at(-1)?.digest ?? NO_DIGEST, ...entry };
    lines.push({ entry: whole, ...writeLine(whole) });
  }
  return lines;
}

/** Every value of a text with one byte altered, as a disk would return it. */
export function* flipped(
  text: string,
  masks: readonly number[] = [1, 0x20, 0x80],
): Generator<{ at: number; text: string }> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    for (const mask of masks) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ mask;
      yield { at, text: copy.toString() };
    }
  }
}
