/** How much of what was read of the journal counts. */
import type { Line, SegmentLength } from "./entry.js";
import type { Segment } from "./segment.js";

export interface CountedLines {
  readonly segment: Segment;
  readonly lines: readonly Line[];
}

export interface Counted {
  readonly counted: readonly CountedLines[];
  /** Segments whose length nobody has recorded though another session has begun since. */
  readonly unsettled: readonly Segment[];
  /** Segments of which fewer lines were read than a later session has counted. */
  readonly short: readonly Segment[];
}

/**
 * A segment counts as far as a later session recorded, even where a `close` was added after that: its owner was told
 * that it came too late. Where nobody recorded a length, all of the segment counts, up to its `close`.
 *
 * Goes backwards, for only lines that count can say what counts before them.
 */
export function countLines(segments: readonly Segment[]): Counted {
  const settled = new Map<number, SegmentLength>();
  const counted: CountedLines[] = [];
  const unsettled: Segment[] = [];
  const short: Segment[] = [];
  for (const segment of segments.toReversed()) {
    const said = settled.get(segment.seq);
    const lines = said ? segment.lines.slice(0, said.lines) : segment.lines;
    if (said && lines.at(-1)?.digest !== said.digest) short.unshift(segment);
    if (!said && !segment.closed && segment.grows && segment !== segments.at(-1)) unsettled.unshift(segment);
    counted.unshift({ segment, lines });
    for (const { entry } of lines) for (const one of entry.settled ?? []) settled.set(one.seq, one);
  }
  return { counted, unsettled, short };
}
