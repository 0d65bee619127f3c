import { describe, expect, it } from "vitest";
import { RedactedLines } from "../../../core/process/redacted-lines.js";

const SECRET = "correct-horse-battery-staple";
const redact = (text: string): string => text.replaceAll(SECRET, "***");

function shown(text: string, size: number): { readonly text: string; readonly held: number } {
  const bytes = Buffer.from(text);
  const lines = new RedactedLines(redact);
  let all = "";
  let held = 0;
  for (let at = 0; at < bytes.length; at += size) {
    all += lines.add(bytes.subarray(at, at + size));
    held = Math.max(held, at + size - all.length);
  }
  return { text: all + lines.end(), held };
}

describe("redacted lines", () => {
  it.each([1, 7, 4096])("hide what is split between pieces of %d bytes", (size) => {
    expect(shown(`a ${SECRET}\nü ${SECRET}🎈`, size).text).toBe("a ***\nü ***🎈");
  });

  it("show a line when it is whole", () => {
    const lines = new RedactedLines(redact);
    expect(lines.add(Buffer.from("a\nb"))).toBe("a\n");
    expect(lines.end()).toBe("b");
  });

  it.each([1, 13, 509])(
    "of a line without an end hide a secret wherever it stands, after %d other characters",
    (gap) => {
      const text = `${"🎈".repeat(gap)}${SECRET}`.repeat(Math.ceil(400_000 / (gap * 2 + SECRET.length)));
      const { text: found } = shown(text, 10_007);
      // As a truth value: nobody could read the difference of the two.
      expect(found === redact(text)).toBe(true);
    },
  );

  it("do not hold a line without an end for ever", () => {
    expect(shown("x".repeat(1_000_000), 64 * 1024).held).toBeLessThan(150_000);
  });

  it("of nothing but secrets show none", () => {
    const { text } = shown(`${SECRET.repeat(20_000)}\nnext ${SECRET}\n`, 64 * 1024);
    expect(text.replaceAll("***", "")).toBe("\nnext \n");
  });
});
