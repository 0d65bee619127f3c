/** The mark of a stage while records move from it, or to it, within one store. Pure. */
import { EngineError } from "../base/index.js";
import type { Encoded } from "../contract/index.js";
import type { Change, Contents } from "./change.js";
import type { LedgerLocation } from "./keys.js";

/**
 * The target gets its mark with the records, the source with their removal. No run uses a stage that has one, so that
 * nothing is decided from records that may belong to the other stage.
 */
export interface MoveMark {
  /** Random id of the move, the same in both stages. */
  readonly id: string;
  readonly part: "source" | "target";
  /** FQN of the other stage. */
  readonly other: string;
  /** Command that finishes an interrupted move. */
  readonly command: string;
  /** In the target: the records and data that the move has added. */
  readonly uids: readonly string[];
  readonly data: readonly (readonly [owner: string, key: string])[];
}

const OWNER = "@moving";
const KEY = "mark";

export function moveMarkIn({ data }: Contents): MoveMark | undefined {
  const mark: Partial<MoveMark> | undefined = data.get(OWNER)?.get(KEY) as Partial<MoveMark> | undefined;
  if (mark === undefined) return undefined;
  const { id, part, other, command, uids = [], data: added = [] } = mark;
  return {
    id: String(id),
    part: part === "source" ? "source" : "target",
    other: String(other),
    command: String(command),
    uids,
    data: added,
  };
}

export function markMove(mark: MoveMark): Change {
  const value: Encoded = { ...mark, data: mark.data.map((one) => [...one]) };
  return { op: "data", owner: OWNER, key: KEY, value };
}

export const UNMARK_MOVE: Change = { op: "data", owner: OWNER, key: KEY };

/** Returns undefined if the stage can be used. */
export function whyMoving({ app, stage }: Pick<LedgerLocation, "app" | "stage">, contents: Contents) {
  const mark = moveMarkIn(contents);
  if (!mark) return undefined;
  const name = `"${app}/${stage}"`;
  const [from, to] = mark.part === "source" ? [name, `"${mark.other}"`] : [`"${mark.other}"`, name];
  return new EngineError(
    "STATE_INCOMPLETE",
    `A move of records from ${from} to ${to} is not complete, so no run can use ${name}. If that command is still running, wait for it. If it was interrupted, run it again: ${mark.command}`,
  );
}
