import { isWholeAtOneOf, LINE_START } from "../checkpoint/digested-text.js";
import { type Line, parseLine } from "./entry.js";

/** The value of one journal key: a single entry, or a segment that grew line by line. */
export interface Segment {
  readonly seq: number;
  /** The intact lines, up to and with a `close`. */
  readonly lines: readonly Line[];
  readonly grows: boolean;
  readonly closed: boolean;
  /** In characters. */
  readonly size: number;
}

/**
 * Reads a segment. A torn last line, that is, one without its line break that is no whole line, does not count.
 * Undefined: some byte is not what was written.
 */
export function readSegment(seq: number, text: string): Segment | undefined {
  const lines: Line[] = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const line = parseLine(text.slice(from, end < 0 ? undefined : end));
    if (!line) {
      if (end >= 0 || hasLostItsBreak(text.slice(from))) return undefined;
      break;
    }
    if (line.entry.seq !== seq) return undefined;
    lines.push(line);
    if (line.entry.close || end < 0) break;
    from = end + 1;
  }
  const grows = lines[0]?.entry.grows === true;
  const intact = grows ? lines : lines.slice(0, 1);
  return { seq, lines: intact, grows, closed: intact.at(-1)?.entry.close !== undefined, size: text.length };
}

/** A whole line behind which the line break was altered is damage, not a torn write; part of a next line may follow. */
function hasLostItsBreak(rest: string): boolean {
  return isWholeAtOneOf(rest, endsIn(rest));
}

/** Where it may end: one character, in place of the break, before another line may begin. */
function* endsIn(rest: string): Generator<number> {
  for (let start = 1; start <= rest.length; start++) {
    start = nextStart(rest, start);
    yield start - 1;
  }
}

/** Where a line may begin, or may have been cut off while it began. */
function nextStart(text: string, from: number): number {
  const found = text.indexOf(LINE_START, from);
  if (found >= 0) return found;
  let at = Math.max(from, text.length - LINE_START.length);
  while (!LINE_START.startsWith(text.slice(at))) at++;
  return at;
}
