/** Lines for the change of one property: values side by side if there is room, else one below the other. Pure. */
import type { PropertyChange } from "../../core/contract/index.js";
import type { Palette, Theme } from "./theme.js";

/** Longer values are cut. An old and a new value that are longer together are printed on two lines. */
const WIDEST = 72;
/** Characters of a digest that are shown. */
const DIGEST = 12;
/** A value with less room beside its name is printed below it. */
const LEAST = 16;

const CHANGED = " (changed)";

interface Property {
  readonly name: string;
  /** Columns of the longest name of the resource. */
  readonly longest: number;
  readonly change: PropertyChange;
  readonly indent: string;
  /** True if the whole resource is created or deleted: then the missing side of a property is not printed. */
  readonly isWhole: boolean;
  /** True to print values at full length. */
  readonly isFull: boolean;
}

interface Side {
  readonly text: string;
  style(text: string): string;
}

export function changeLines(property: Property, theme: Theme): readonly string[] {
  const { name, longest, change, indent, isWhole, isFull } = property;
  if (change.lines) return [`${indent}${name}`, ...diffLines(change.lines, property, theme)];
  const { columns = Number.POSITIVE_INFINITY, width, cut } = theme;
  const beside = columns - indent.length - longest - 1;
  const most = beside < LEAST ? columns - indent.length - 2 : beside;
  const sides = isFull ? wholeSides(change, isWhole, theme.out) : sidesOf(change, isWhole, most, theme.out);
  const shown = ({ text, style }: Side, room: number): string =>
    style(isFull || width(text) <= room ? text : cut(text, room));
  const margin = indent.length + longest + 1;
  const [first, second] = sides;
  if (columns - margin < LEAST) {
    const room = columns - indent.length - 2;
    const below = sides.map((side, index) => `${indent}${index === 0 ? " " : "→"} ${shown(side, room)}`);
    return [`${indent}${cut(name, columns - indent.length)}`, ...below];
  }
  const head = `${indent}${name}${" ".repeat(margin - indent.length - width(name))}`;
  const room = columns - margin;
  if (!first || !second) return sides.map((side) => `${head}${shown(side, room)}`);
  const together = first.text.length + second.text.length;
  const isShort = !("new" in change) || together <= WIDEST;
  if (isShort && width(first.text) + width(second.text) + 3 <= room) {
    return [`${head}${first.style(first.text)} → ${second.style(second.text)}`];
  }
  return [`${head}${shown(first, room)}`, `${" ".repeat(margin - 2)}→ ${shown(second, room)}`];
}

function diffLines(lines: readonly string[], { indent, isFull }: Property, theme: Theme): readonly string[] {
  const { columns = Number.POSITIVE_INFINITY, cut, out } = theme;
  const room = columns - indent.length - 2;
  return lines.map((line) => {
    const style = line.startsWith("+") ? out.green : line.startsWith("-") ? out.red : out.dim;
    return `${indent}  ${style(isFull ? line : cut(line, room))}`.trimEnd();
  });
}

function wholeSides(change: PropertyChange, isWhole: boolean, { red, green, dim }: Palette): readonly Side[] {
  const text = (value: unknown): string =>
    typeof value === "string" && isPlaceholder(value) ? value : (JSON.stringify(value) ?? "(none)");
  const none = isWhole ? [] : [{ text: "(none)", style: dim }];
  return [
    ...("old" in change ? [{ text: text(change.old), style: red }] : none),
    ...("new" in change ? [{ text: text(change.new), style: green }] : none),
  ];
}

function sidesOf(
  change: PropertyChange,
  isWhole: boolean,
  room: number,
  { red, green, dim }: Palette,
): readonly Side[] {
  const most = Math.max(LEAST, Math.min(room, WIDEST));
  const [old, now] = excerpts(valueText(change.old), valueText(change.new), most);
  const side = (text: string, style: Side["style"]): Side => ({ text, style: isPlaceholder(text) ? dim : style });
  if (!("old" in change)) return [...(isWhole ? [] : [side("(none)", dim)]), side(clipped(now, WIDEST), green)];
  if (!("new" in change)) return [side(clipped(old, WIDEST), red), ...(isWhole ? [] : [side("(none)", dim)])];
  // A secret, or a value that the plan holds only the beginning of.
  if (old === now) return [side(`${clipped(now, most - CHANGED.length)}${CHANGED}`, green)];
  return [side(old, red), side(now, green)];
}

/** Returns true for a placeholder of a value that is not shown. */
function isPlaceholder(text: string): boolean {
  return /^(\(|Secret\()/.test(text);
}

function valueText(value: unknown): string {
  if (value === "Secret(unnamed)") return "(secret)";
  if (typeof value === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return `${value.slice(0, DIGEST)}…`;
  return typeof value === "string" && isPlaceholder(value) ? value : (JSON.stringify(value) ?? "(none)");
}

/** Cuts two long values to the part where they begin to differ, with a little of the text before it. */
function excerpts(old: string, now: string, most: number): readonly [string, string] {
  if (old === now || (old.length <= most && now.length <= most)) return [old, now];
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  const start = same - Math.floor(most / 3);
  const part = (text: string): string => clipped(start > 0 ? `…${text.slice(start)}` : text, most);
  return [part(old), part(now)];
}

function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
