import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../plugins/secrets/redactor.js";
import { timed } from "../../helpers/timed.js";

/** Far more than what is needed, far less than what trying all at each character would take. */
const limit = 5000;

function milliseconds(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function digits(seed: number): string {
  return createHash("sha256").update(String(seed)).digest("hex").slice(0, 32);
}

describe("ten thousand secrets that begin alike", timed, () => {
  const secrets = Array.from({ length: 10_000 }, (_, index) => `sk_live_${digits(index)}`);
  const redactor = createRedactor();
  redactor.know(secrets);
  const line = `the resource app/dev/db has sk_live_${digits(-1)}, and not ${secrets[77]}\n`;
  const safe = `the resource app/dev/db has sk_live_${digits(-1)}, and not ***\n`;

  test("cost next to nothing in a line", () => {
    redactor.redact(line);
    const took = milliseconds(() => {
      for (let round = 0; round < 1000; round++) expect(redactor.redact(line)).toBe(safe);
    });
    expect(took).toBeLessThan(limit);
  });

  test("cost little in a megabyte", () => {
    const took = milliseconds(() => {
      expect(redactor.redact(line.repeat(10_000))).toBe(safe.repeat(10_000));
      expect(redactor.redact("sk_live_".repeat(131_072))).toBe("sk_live_".repeat(131_072));
      expect(redactor.redact(secrets.join("\n"))).toBe(secrets.map(() => "***").join("\n"));
    });
    expect(took).toBeLessThan(limit);
  });

  test("may become known one after the other between lines", () => {
    const took = milliseconds(() => {
      for (let round = 0; round < 100; round++) {
        const one = `sk_live_${digits(20_000 + round)}`;
        redactor.know(one);
        expect(redactor.redact(`it is ${one}`)).toBe("it is ***");
      }
    });
    expect(took).toBeLessThan(limit);
  });
});

describe("secrets that repeat themselves", () => {
  const length = 20_000;
  const million = 1_000_000;

  test.each([
    ["one letter", ["a".repeat(length)], "a".repeat(million), "***"],
    ["one letter, in a text that breaks off", ["a".repeat(length)], `${"a".repeat(length - 1)}-`.repeat(50), undefined],
    ["one letter, and at last another", [`${"a".repeat(length)}b`], "a".repeat(million), undefined],
    [
      "one letter, and another in the middle",
      [`${"a".repeat(length)}b${"a".repeat(length)}`],
      "a".repeat(million),
      undefined,
    ],
    ["two letters", ["ab".repeat(length), `${"ab".repeat(length)}c`], "ab".repeat(million / 2), "***"],
  ])("as %s cost no more than others", (_, secrets, text, expected = text) => {
    const redactor = createRedactor();
    redactor.know(secrets);
    let shown = "";
    expect(milliseconds(() => (shown = redactor.redact(text)))).toBeLessThan(limit);
    expect(shown === expected).toBe(true);
  });

  test("cost no more in a stream", () => {
    const redactor = createRedactor();
    redactor.know(["a".repeat(length), `${"a".repeat(length)}b`]);
    const stream = redactor.stream();
    const chunk = "a".repeat(10_000);
    let shown = "";
    const took = milliseconds(() => {
      for (let round = 0; round < 100; round++) shown += stream.write(chunk);
    });
    expect(shown + stream.write("b.") + stream.end()).toBe("***.");
    expect(took).toBeLessThan(limit);
  });
});
