import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digested, readDigested } from "../../../core/state/checkpoint/digested-text.js";
import { parseLine, readSegment } from "../../../core/state/index.js";
import { writeLine } from "../../../core/state/journal/entry.js";
import { chained, closing, flipped, genesis, openRecord, ops } from "../../helpers/terminal/lines.js";

const session = "s1";
const [first, second, third, close] = chained(
  { seq: 7, session, grows: true, open: openRecord({ genesis }), ...ops("ä", "b") },
  { seq: 7, session, ...ops("c") },
  { seq: 7, session, settled: [{ seq: 6, lines: 2, digest: "d" }], ...ops("€") },
  { seq: 7, session, close: closing },
);
const open = [first, second, third].map((line) => line?.text).join("");
const whole = `${open}${close?.text}`;

function digests(text: string): string[] | undefined {
  return readSegment(7, text)?.lines.map(({ digest }) => digest);
}

describe("a line", () => {
  it("comes back as it was written, with its digest", () => {
    for (const line of [first, second, third, close]) {
      expect(line?.text.endsWith("\n")).toBe(true);
      expect(parseLine(line?.text.slice(0, -1) ?? "")).toMatchObject({ entry: line?.entry, digest: line?.digest });
    }
  });

  it("has a digest that covers every byte behind it", () => {
    const { text, digest } = digested('{"a":1}');
    expect(readDigested(text)).toEqual({ digest, seal: undefined });
    for (const { text: altered } of flipped(text)) expect(readDigested(altered)).toBeUndefined();
    expect(readDigested("")).toBeUndefined();
    expect(readDigested("{}")).toBeUndefined();
  });

  it("has a digest that covers its MAC, too, and a MAC that covers all members before it", () => {
    const mac = "ab".repeat(32);
    const { text, digest } = digested('{"a":1}', (of) => {
      expect(of).toBe(hash("sha256", '"a":1', "hex"));
      return mac;
    });
    expect(text).toBe(`{"digest":"${digest}","a":1,"mac":"${mac}"}`);
    expect(readDigested(text)).toEqual({ digest, seal: { mac, covered: hash("sha256", '"a":1', "hex") } });
    for (const { text: altered } of flipped(text)) expect(readDigested(altered)).toBeUndefined();
    // Without the seal, the digest does not fit the line.
    expect(readDigested(text.replace(`,"mac":"${mac}"`, ""))).toBeUndefined();
  });

  it("holds characters that end a line elsewhere", () => {
    const entry = { seq: 1, session: "\n\r\u2028", prev: "" };
    const { text } = writeLine(entry);
    expect(text.split("\n")).toHaveLength(2);
    expect(parseLine(text.slice(0, -1))?.entry).toMatchObject(entry);
  });
});

describe("a segment", () => {
  it("gives all its lines, and whether it grows and is closed", () => {
    expect(readSegment(7, open)).toMatchObject({ seq: 7, grows: true, closed: false, size: open.length });
    expect(digests(open)).toEqual([first, second, third].map((line) => line?.digest));
    expect(readSegment(7, whole)).toMatchObject({ closed: true });
    expect(digests(whole)).toHaveLength(4);
  });

  it("tells every byte that was altered", () => {
    for (const { text } of flipped(whole)) expect(readSegment(7, text)).toBeUndefined();
    for (const { text } of flipped(open)) expect(readSegment(7, text)).toBeUndefined();
  });

  it("counts whole lines only, wherever a write was cut off", () => {
    const bytes = Buffer.from(whole);
    const ends: number[] = [];
    for (const line of [first, second, third, close])
      ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(line?.text ?? ""));
    for (let length = 0; length <= bytes.length; length++) {
      // A line without its line break is already complete.
      const lines = ends.filter((end) => end - 1 <= length).length;
      expect([length, digests(bytes.subarray(0, length).toString())?.length]).toEqual([length, lines]);
    }
  });

  it("tells every byte that was altered in front of a line that was cut off", () => {
    for (const length of [1, 5, 11, 12, 100]) {
      const torn = close?.text.slice(0, length) ?? "";
      for (const { text } of flipped(open, [1])) expect(readSegment(7, `${text}${torn}`)).toBeUndefined();
    }
  });

  it("does not mind what a line that was cut off holds", () => {
    const torn = (close?.text.slice(0, -1) ?? "").slice(0, -1);
    for (const { text } of flipped(torn)) {
      // A line break in the torn rest makes complete lines of it, which are then damaged.
      if (!text.includes("\n")) expect(digests(`${open}${text}`)).toEqual(digests(open));
    }
  });

  it("ends at its close, whatever follows", () => {
    for (const late of [second?.text, "garbage\n", "garbage", "\n"])
      expect(digests(`${whole}${late}`)).toEqual(digests(whole));
  });

  it("is of one line where that one does not say that it grows", () => {
    const [single, more] = chained({ seq: 7, session, open: openRecord() }, { seq: 7, session, ...ops("a") });
    expect(readSegment(7, `${single?.text}${more?.text}`)).toMatchObject({ grows: false, closed: false });
    expect(digests(`${single?.text}${more?.text}`)).toEqual([single?.digest]);
  });

  it("is closed by its only line", () => {
    const [single] = chained({ seq: 7, session, open: openRecord(), close: closing });
    expect(readSegment(7, single?.text ?? "")).toMatchObject({ grows: false, closed: true });
  });

  it("is damaged where a line belongs to another entry", () => {
    const [stranger] = chained({ seq: 8, session, ...ops("a") });
    expect(readSegment(7, `${open}${stranger?.text}`)).toBeUndefined();
    expect(readSegment(8, open)).toBeUndefined();
  });

  it("has no line where the only one was cut off, or nothing was written", () => {
    expect(digests("")).toEqual([]);
    expect(digests(first?.text.slice(0, 50) ?? "")).toEqual([]);
  });
});
