import { describe, expect, it } from "vitest";
import { Lines } from "../../../plugins/internal/text/lines.js";

/** Lines of a text that comes in chunks of this many bytes. */
function linesOf(text: string, size: number): string[] {
  const bytes = Buffer.from(text);
  const lines = new Lines();
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...lines.add(bytes.subarray(at, at + size)));
  return [...found, ...lines.end()];
}

describe("lines", () => {
  it.each([1, 2, 3, 5, 1000])("are the same in pieces of %d bytes", (size) => {
    expect(linesOf("ä\r\n🎈 b\n\nlast", size)).toEqual(["ä", "🎈 b", "", "last"]);
  });

  it("have no end after the last line break", () => {
    expect(linesOf("a\n", 1)).toEqual(["a"]);
    expect(linesOf("", 1)).toEqual([]);
  });

  it("that never end are left out, and held no longer", () => {
    const lines = new Lines();
    const whole: string[] = [];
    for (let round = 0; round < 40; round++) whole.push(...lines.add(Buffer.alloc(64 * 1024, "x")));
    expect([...whole, ...lines.end()]).toEqual(["[a line of more than 1 MiB is not shown]"]);
  });
});
