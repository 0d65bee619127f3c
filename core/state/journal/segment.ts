import { isWholeUpTo } from "../checkpoint/digested-text.js";
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
  const end = endOfObject(rest);
  return end !== undefined && isWholeUpTo(rest, end);
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Where the object of JSON closes that the text begins with. Looks at each character once, whatever the text is. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) at += character === BACKSLASH ? 1 : 0;
    else if (character === OPEN) depth++;
    else if (character === CLOSE && --depth <= 0) return at + 1;
  }
  return undefined;
}
