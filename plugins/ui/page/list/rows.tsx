/**
 * A grid of many rows of one height: only the visible ones and some around them are in the document. Tab focuses one
 * row; arrows, j and k, Page Up and Down, Home and End move to the others.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ValuePart } from "../../api/index.js";
import { failureOf } from "../data/ask.js";
import { counted } from "../parts/time.js";
import { useSight } from "../parts/use-sight.js";
import { visibleLines } from "../parts/visible.js";

interface RowsProps {
  readonly label: string;
  readonly count: number;
  /** In pixels. */
  readonly height: number;
  readonly role?: "grid" | "treegrid" | "tree";
  readonly className?: string;
  readonly header?: ComponentChildren;
  readonly columns?: number;
  /** Identifies a row, so that it stays the same when others come before it. */
  keyOf(index: number): string | number;
  render(index: number): ComponentChildren;
  /** Attributes of the row itself, e.g. `aria-level`. */
  attributes?(index: number): Readonly<Record<string, unknown>>;
  onOpen?(index: number): void;
  /** Returns true if the key was handled. */
  onKey?(index: number, key: string): boolean;
  readonly selected?: number;
  /** Keeps the end in view while rows are added there. */
  readonly isFollowing?: boolean;
}

/** Rows around the visible ones: so many can be scrolled past before the next frame. */
const AROUND = 24;

export function Rows(props: RowsProps) {
  const { label, count, height, role = "grid", className = "", header, columns, keyOf, render, isFollowing } = props;
  const box = useRef<HTMLDivElement>(null);
  const [sight, measure] = useSight(box, { height: 900, width: 0 });
  const [active, setActive] = useState(Math.max(0, props.selected ?? 0));
  const wantsFocus = useRef(false);
  const at = Math.min(active, Math.max(0, count - 1));

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    box.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const element = box.current;
    if (element && isFollowing) element.scrollTop = element.scrollHeight;
  }, [count, isFollowing]);

  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(count - 1, index));
    const element = box.current;
    if (!element) return;
    const head = element.querySelector<HTMLElement>(".rows-head")?.offsetHeight ?? 0;
    if (next * height < element.scrollTop) element.scrollTop = next * height;
    const bottom = (next + 1) * height + head;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    wantsFocus.current = true;
    setActive(next);
    measure();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.row === undefined) return;
    const page = Math.max(1, Math.floor(sight.height / height) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    if (step !== undefined) moveTo(at + step);
    else if (event.key === "Enter" || event.key === " ") props.onOpen?.(at);
    else if (!props.onKey?.(at, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const first = Math.max(0, Math.floor(sight.top / height) - AROUND);
  const last = Math.min(count, Math.ceil((sight.top + sight.height) / height) + AROUND);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  // It keeps the focus when it is scrolled out of view.
  if (count > 0 && (at < first || at >= last)) shown.push(at);
  const rowRole = role === "tree" ? "treeitem" : "row";
  return (
    <div
      ref={box}
      class={`rows ${className}`}
      role={role}
      aria-label={label}
      aria-rowcount={role === "tree" ? undefined : count + (header === undefined ? 0 : 1)}
      aria-colcount={role === "tree" ? undefined : columns}
      onKeyDown={onKeyDown}
    >
      {header !== undefined && (
        <div class="rows-head" role="row" aria-rowindex={1}>
          {header}
        </div>
      )}
      <div class="rows-all" role="presentation" style={{ height: `${count * height}px` }}>
        {shown.map((index) => (
          <div
            key={keyOf(index)}
            role={rowRole}
            class="row"
            data-row={index}
            tabIndex={index === at ? 0 : -1}
            aria-rowindex={role === "tree" ? undefined : index + (header === undefined ? 1 : 2)}
            aria-selected={props.selected === undefined ? undefined : props.selected === index}
            style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}
            onFocus={() => setActive(index)}
            onClick={(event) => {
              if (event.target instanceof Element && event.target.closest("a, button")) return;
              setActive(index);
              props.onOpen?.(index);
            }}
            {...props.attributes?.(index)}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Loads more of the value at a JSON Pointer, from a member or character on. */
export type PartSource = (path: string, from: number) => Promise<ValuePart>;

export type Entries = readonly (readonly [name: string, value: unknown])[];

/** Returns members, and the number of left-out ones. Undefined for a value without members. */
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

/** Returns a text, and the number of its left-out characters. */
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
        Load more ({counted(left, unit)})
      </button>
      {failure !== "" && <span class="bad"> {visibleLines(failure)}</span>}
    </>
  );
}
