/** How text lies on a terminal. */

/** Rows that lines take, each of which begins a row. */
export function occupiedRows(widths: readonly number[], columns: number): number {
  return widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0);
}

/** True where the next text begins a line: after a line break, and whatever colours are set behind it. */
export function endsLine(chunk: unknown, before: boolean): boolean {
  const text = textOf(chunk);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
  const visible = text.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, "");
  return visible === "" ? before : visible.endsWith("\n");
}

/** The end of it is enough. */
function textOf(chunk: unknown): string {
  if (typeof chunk === "string") return chunk.slice(-TAIL);
  return chunk instanceof Uint8Array ? Buffer.from(chunk.subarray(-TAIL)).toString("latin1") : "";
}

const TAIL = 200;
