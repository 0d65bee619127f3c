import { describe, expect, it } from "vitest";
import { RedactedLines } from "../../../plugins/processes/run/log-lines.js";

const SECRET = "correct-horse-battery-staple";
const redact = (text: string): string => text.replaceAll(SECRET, "***");

function shown(text: string, size: number, hide = redact): string {
  const bytes = Buffer.from(text);
  const lines = new RedactedLines(hide);
  let all = "";
  for (let at = 0; at < bytes.length; at += size) all += lines.add(bytes.subarray(at, at + size));
  return all + lines.end();
}

describe("redacted lines", () => {
  it.each([1, 7, 4096])("hide what is split between pieces of %d bytes", (size) => {
    expect(shown(`a ${SECRET}\nü ${SECRET}🎈`, size)).toBe("a ***\nü ***🎈");
  });

  it("show a line when it is whole", () => {
    const lines = new RedactedLines(redact);
    expect(lines.add(Buffer.from("a\nb"))).toBe("a\n");
    expect(lines.end()).toBe("b");
  });

  it("hide a secret of several lines that come at once", () => {
    const lines = new RedactedLines((text) => text.replaceAll("one\ntwo", "***"));
    expect(lines.add(Buffer.from("one\ntwo\nthr"))).toBe("***\n");
  });

  it.each([
    ["16 KiB", 16 * 1024 + 1],
    ["half a MiB", 512 * 1024],
  ])("hide a secret of more than %s that comes in pieces on one line", (_, length) => {
    const long = "s3cr3t-".repeat(length / 7);
    const all = shown(`before ${long} after\nnext\n`, 8 * 1024, (text) => text.replaceAll(long, "***"));
    expect(all).toBe("before *** after\nnext\n");
  });

  it("leave out a line without an end, in which a secret cannot be located, and nothing after it", () => {
    const long = "s3cr3t-".repeat(200_000);
    const all = shown(`first\n${long}\nnext ${SECRET}\n`, 60_007);
    expect(all).toBe("first\n[a line of more than 1 MiB is not shown]\nnext ***\n");
    expect(shown(long, 60_007)).toBe("[a line of more than 1 MiB is not shown]\n");
  });
});
