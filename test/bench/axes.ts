/** Logarithmic axes. */
import { element, text } from "./svg.js";

/** A logarithmic scale, from one power of ten to another, and the positions of its values. */
export interface Range {
  readonly decades: readonly number[];
  at(value: number): number;
}

/** The powers of ten around all values. */
export function rangeOf(values: readonly number[]): readonly number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(Math.ceil(Math.log10(Math.max(...values))), first + 1);
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}

export function scaleTo(decades: readonly number[], from: number, to: number): Range {
  const first = Math.log10(decades[0] ?? 1);
  const whole = Math.log10(decades.at(-1) ?? 10) - first;
  return { decades, at: (value) => from + ((Math.log10(value) - first) / whole) * (to - from) };
}

interface Axes {
  readonly x: Range;
  readonly y: Range;
  readonly xTitle: string;
  readonly yTitle: string;
}

/** Lines at the powers of ten, with their labels. */
export function axes({ x, y, xTitle, yTitle }: Axes): string[] {
  const [left, right] = endsOf(x);
  const [bottom, top] = endsOf(y);
  const across = y.decades.flatMap((value) => [
    element("line", { class: "grid", x1: left, y1: y.at(value), x2: right, y2: y.at(value) }),
    element("text", { x: left - 8, y: y.at(value) + 5, "text-anchor": "end" }, [text(value.toLocaleString("en"))]),
  ]);
  const up = x.decades.flatMap((value) => [
    element("line", { class: "grid", x1: x.at(value), y1: bottom, x2: x.at(value), y2: top }),
    element("text", { x: x.at(value), y: bottom + 22, "text-anchor": "middle" }, [text(value.toLocaleString("en"))]),
  ]);
  const middle = (top + bottom) / 2;
  return [
    ...across,
    ...up,
    element("text", { x: (left + right) / 2, y: bottom + 46, "text-anchor": "middle" }, [text(xTitle)]),
    element("text", { transform: `translate(18 ${middle}) rotate(-90)`, "text-anchor": "middle" }, [text(yTitle)]),
  ];
}

function endsOf({ decades, at }: Range): [number, number] {
  return [at(decades[0] ?? 1), at(decades.at(-1) ?? 10)];
}
