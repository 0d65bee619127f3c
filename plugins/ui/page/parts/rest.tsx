/** What was left out of a value, asked for when it is wanted. */
import { useState } from "preact/hooks";
import type { ValuePart } from "../../api/index.js";
import { failureOf } from "../data/failure.js";
import { count } from "./format.js";
import { visibleLines } from "./visible.js";

/** Gives more of what stands at a JSON Pointer, from a member or character on. */
export type PartSource = (path: string, from: number) => Promise<ValuePart>;

export type Entries = readonly (readonly [name: string, value: unknown])[];

/** Members, and how many were left out. Undefined for what has none. */
export function entriesOf(value: unknown): { readonly entries: Entries; readonly left: number } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const all: Entries = Array.isArray(value)
    ? value.map((one, index) => [`${index}`, one] as const)
    : Object.entries(value);
  const [name, last] = all.at(-1) ?? [];
  const mark = Array.isArray(value) ? /^… (\d+) more$/ : name === "…" ? /^(\d+) more$/ : undefined;
  const left = typeof last === "string" ? mark?.exec(last)?.[1] : undefined;
  return left === undefined ? { entries: all, left: 0 } : { entries: all.slice(0, -1), left: Number(left) };
}

/** A text, and how many of its characters were left out. */
export function textOf(text: string): { readonly text: string; readonly left: number } {
  const found = /… \((\d+) more characters\)$/.exec(text);
  return found ? { text: text.slice(0, found.index), left: Number(found[1]) } : { text, left: 0 };
}

interface RestProps {
  readonly left: number;
  readonly unit: string;
  onAsk(): Promise<void>;
}

export function Rest({ left, unit, onAsk }: RestProps) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState("");
  const ask = (): void => {
    setAsking(true);
    setFailure("");
    onAsk()
      .catch((error: unknown) => setFailure(failureOf(error).message))
      .finally(() => setAsking(false));
  };
  return (
    <>
      <button type="button" class="more" disabled={isAsking} onClick={ask}>
        Load more ({count(left)} {unit})
      </button>
      {failure !== "" && <span class="bad"> {visibleLines(failure)}</span>}
    </>
  );
}
