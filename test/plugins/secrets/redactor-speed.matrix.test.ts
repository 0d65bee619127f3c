/**
 * Cost of redacting, relative to a redactor that is known to be fast: both are measured in turns. A redactor that tries
 * each secret at each character would take a hundred times as long with ten thousand secrets as with a hundred. If a
 * secret repeats itself, it would take twenty thousand times as long.
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Redactor } from "../../../plugins/secrets/redactor.js";
import { costRatio } from "../../helpers/checks/cost.js";
import { knowing } from "./redactor-secrets.js";

function digits(seed: number): string {
  return createHash("sha256").update(String(seed)).digest("hex").slice(0, 32);
}

describe("ten thousand secrets that begin alike", () => {
  const secrets = Array.from({ length: 10_000 }, (_, index) => `sk_live_${digits(index)}`);
  const [many, few] = [knowing(secrets), knowing(secrets.slice(0, 100))];
  const line = `the resource app/dev/db has sk_live_${digits(-1)}, and not ${secrets[77]}\n`;
  const safe = `the resource app/dev/db has sk_live_${digits(-1)}, and not ***\n`;
  const LIMIT = 20;

  test.each([
    ["a line", line, safe],
    ["a megabyte", line.repeat(10_000), safe.repeat(10_000)],
    ["a megabyte of beginnings", "sk_live_".repeat(131_072), "sk_live_".repeat(131_072)],
  ])("cost in %s what a hundred do", async (_where, text, shown) => {
    const redact = (redactor: Redactor) => (): void => expect(redactor.redact(text) === shown).toBe(true);
    expect(await costRatio(redact(many), redact(few))).toBeLessThan(LIMIT);
  });

  test("are all found", () => {
    expect(many.redact(secrets.join("\n"))).toBe(secrets.map(() => "***").join("\n"));
  });

  test("may become known one after the other between lines, without learning all of them again", async () => {
    let seed = 20_000;
    const learner = knowing(secrets);
    const learn = (): void => {
      const one = `sk_live_${digits(seed++)}`;
      learner.know(one);
      expect(learner.redact(`it is ${one}`)).toBe("it is ***");
    };
    expect(await costRatio(() => knowing(secrets).redact(line), learn)).toBeGreaterThan(10);
  });
});

describe("secrets that repeat themselves", () => {
  const length = 20_000;
  const million = 1_000_000;
  const LIMIT = 200;
  const ordinary = Array.from({ length: million / 32 }, (_, seed) => digits(seed)).join("");
  const plain = knowing([ordinary.slice(0, length)]);

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
  ])("as %s cost as others do", async (_, secrets, text, expected = text) => {
    const redactor = knowing(secrets);
    const redact = (): void => expect(redactor.redact(text) === expected).toBe(true);
    expect(await costRatio(redact, () => plain.redact(ordinary))).toBeLessThan(LIMIT);
  });

  test("cost as others do in a stream", async () => {
    const redactor = knowing(["a".repeat(length), `${"a".repeat(length)}b`]);
    const passed = (from: Redactor, text: string): string => {
      const stream = from.stream();
      let shown = "";
      for (let at = 0; at < million; at += 10_000) shown += stream.write(text.slice(at, at + 10_000));
      return shown + stream.write("b.") + stream.end();
    };
    const text = "a".repeat(million);
    const redact = (): void => expect(passed(redactor, text)).toBe("***.");
    expect(await costRatio(redact, () => passed(plain, ordinary))).toBeLessThan(LIMIT);
  });
});
