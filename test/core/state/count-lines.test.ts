import { describe, expect, it } from "vitest";
import { countLines, readSegment, type Segment } from "../../../core/state/index.js";
import type { SegmentLength } from "../../../core/state/journal/entry.js";
import { chained, closing, openRecord, ops, type WrittenLine } from "../../helpers/terminal/lines.js";

/** Segment `seq` of a session: an open, then lines with one record each, and a close if `closed`. */
function segment(seq: number, lines: number, { closed = false, grows = true } = {}): Segment {
  const session = `s${seq}`;
  const more = Array.from({ length: lines }, (_, index) => ({ seq, session, ...ops(`${seq}.${index}`) }));
  const end = closed ? [{ seq, session, close: closing }] : [];
  return of(seq, chained({ seq, session, ...(grows ? { grows } : {}), open: openRecord() }, ...more, ...end));
}

function of(seq: number, lines: readonly WrittenLine[]): Segment {
  const read = readSegment(seq, lines.map(({ text }) => text).join(""));
  if (!read) throw new Error("The segment is damaged.");
  return read;
}

/** The first line of a session that took over from these segments, with the lengths that it read. */
function successor(seq: number, settled: readonly SegmentLength[]): Segment {
  return of(seq, chained({ seq, session: `s${seq}`, settled }));
}

function upTo({ seq, lines }: Segment, count: number): SegmentLength {
  return { seq, lines: count, digest: lines[count - 1]?.digest ?? "" };
}

/** Number of counted lines of each segment. */
function counts(segments: readonly Segment[]): number[] {
  return countLines(segments).counted.map(({ lines }) => lines.length);
}

describe("the lines of a segment that count", () => {
  it("are all of the last one's", () => {
    expect(counts([segment(1, 3)])).toEqual([4]);
    expect(counts([])).toEqual([]);
  });

  it("are as many as a later session recorded", () => {
    const [one, two] = [segment(1, 3), segment(2, 0, { grows: false })];
    expect(counts([one, two, successor(3, [upTo(one, 2)])])).toEqual([2, 1, 1]);
    expect(countLines([one, two, successor(3, [upTo(one, 2)])])).toMatchObject({ unsettled: [], short: [] });
  });

  it("are all up to a close if no session recorded a length", () => {
    const one = segment(1, 3, { closed: true });
    expect(countLines([one, segment(2, 0)])).toMatchObject({ counted: [{ lines: one.lines }, {}], unsettled: [] });
  });

  it("do not include a close that came after a later session had counted them", () => {
    const one = segment(1, 3, { closed: true });
    expect(counts([one, successor(2, [upTo(one, 4)])])).toEqual([4, 1]);
  });

  it("are all for now, and unsettled, if a session has begun since and none recorded a length", () => {
    const segments = [segment(1, 3), segment(2, 1), segment(3, 1)];
    expect(counts(segments)).toEqual([4, 2, 2]);
    expect(countLines(segments).unsettled.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("need no record in an entry that does not grow", () => {
    expect(countLines([segment(1, 0, { grows: false }), segment(2, 0)]).unsettled).toEqual([]);
  });

  it("are not told by lines that do not count themselves", () => {
    const one = segment(1, 3);
    // The record of the second session lies beyond the lines that the third one counted.
    const two = of(
      2,
      chained(
        { seq: 2, session: "s2", grows: true, open: openRecord() },
        { seq: 2, session: "s2", settled: [upTo(one, 2)] },
      ),
    );
    const three = successor(3, [upTo(two, 1), upTo(one, 3)]);
    expect(counts([one, two, three])).toEqual([3, 1, 1]);
  });
});

describe("a segment is short", () => {
  it("where a later session counted more lines than were read", () => {
    const one = segment(1, 3);
    const less = of(1, chained({ seq: 1, session: "s1", grows: true, open: openRecord() }));
    expect(countLines([less, successor(2, [upTo(one, 4)])]).short).toEqual([less]);
  });

  it("where a later session counted other lines", () => {
    const one = segment(1, 3);
    expect(countLines([one, successor(2, [{ seq: 1, lines: 2, digest: "other" }])]).short).toEqual([one]);
  });
});
