import { describe, expect, it } from "vitest";
import { OutputTail } from "../../../plugins/processes/run/output-tail.js";

function tailOf(text: string, size: number, piece = 7): OutputTail {
  const tail = new OutputTail(size);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) tail.add(bytes.subarray(at, at + piece));
  return tail;
}

describe("the end of an output", () => {
  it("is all of it if it is not more than the limit", () => {
    const tail = tailOf("no end of a line", 16);
    expect({ text: tail.text, isCut: tail.isCut }).toEqual({ text: "no end of a line", isCut: false });
  });

  it("begins at the beginning of a line", () => {
    const tail = tailOf("first\nsecond\nthird\n", 10);
    expect({ text: tail.text, isCut: tail.isCut }).toEqual({ text: "third\n", isCut: true });
  });

  it.each([11, 15, 21, 30])("has no part of a line that the cut went through, where %d bytes are kept", (size) => {
    expect(tailOf("the-whole-of-a-long-secret-on-one-line", size).text).toBe("");
  });
});
