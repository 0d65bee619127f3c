/** Values of a sealed stage without a seal, and the memory that a machine has of it. */

import type { StateStore } from "../../core/contract/index.js";
import { parseCheckpoint, readSegment } from "../../core/state/index.js";
import { StageMemory } from "../../plugins/secrets/stage-key.js";
import { keys } from "../helpers/stores/journals.js";
import { snapshot } from "../helpers/stores/store-contents.js";

/** Warnings of a run that does not trust its state. */
export const DOUBTS: readonly string[] = ["UNVERIFIED", "STATE_WENT_BACK"];

/**
 * The lines, checkpoints and copies that should have a MAC and do not: those that record something, and all that follow
 * one with a MAC. Earlier values, such as the line that names the stage, have none: the key comes with the first
 * change.
 */
export async function bareIn(store: StateStore): Promise<string[]> {
  let isSealed = false;
  const pieces = [...(await snapshot(store))].flatMap(([key, text]) => piecesOf(key, text));
  return pieces.sort(inOrder).flatMap(({ name, seal, records }) => {
    isSealed ||= seal !== undefined;
    return seal || !(isSealed || records) ? [] : [`${name} has no seal`];
  });
}

interface Piece {
  readonly name: string;
  readonly seq: number;
  /** Before checkpoints of the same number. */
  readonly isLine: boolean;
  readonly seal: unknown;
  /** False: it has no resources and no data. */
  readonly records: boolean;
}

function piecesOf(key: string, text: string): Piece[] {
  const seq = Number(key.slice(key.lastIndexOf("/") + 1));
  if (key.startsWith(keys.checkpoints) || key.startsWith(keys.histories)) {
    const { seal, contents } = parseCheckpoint(key, seq, text);
    return [{ name: key, seq, isLine: false, seal, records: !contents.isEmpty }];
  }
  if (!key.startsWith(keys.entries)) return [];
  const lines = readSegment(seq, text)?.lines ?? [];
  return lines.map(({ seal, entry }, index) => {
    return { name: `line ${index + 1} of ${key}`, seq, isLine: true, seal, records: entry.ops !== undefined };
  });
}

function inOrder(one: Piece, other: Piece): number {
  return one.seq - other.seq || Number(other.isLine) - Number(one.isLine);
}

/** This machine has not seen the same state in another place, so its memory is copied along. */
export function rememberAt(from: StateStore, to: StateStore): void {
  const last = memoryOf(from)?.last;
  if (last) memoryOf(to)?.keep(last);
}

function memoryOf(store: StateStore): StageMemory | undefined {
  return StageMemory.of({ store, app: "app", stage: "dev" });
}
