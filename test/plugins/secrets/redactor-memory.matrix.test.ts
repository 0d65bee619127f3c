/** Memory of one known secret among tens of thousands. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRedactor, type Redactor } from "../../../plugins/secrets/redactor.js";
import { costRatio } from "../../helpers/checks/cost.js";
import { gc } from "../../helpers/processes/gc.js";

const COUNT = 26_000;

/** Maximum bytes of one secret, including its value, once texts were searched. */
const MOST = 500;

function digest(seed: number): Buffer {
  return createHash("sha256").update(String(seed)).digest();
}

/** Each value is a text of its own, not a slice of a longer one. */
const kinds: Readonly<Record<string, (seed: number) => string>> = {
  "of letters and digits": (seed) => digest(seed).toString("hex", 0, 12),
  "of base64, with other characters": (seed) => Buffer.from(`${digest(seed).toString("base64", 0, 18)}$ /`).toString(),
  "of forty characters": (seed) => digest(seed).toString("base64url", 0, 30),
  "that begin alike": (seed) => Buffer.from(`sk_live_${digest(seed).toString("hex", 0, 16)}`).toString(),
};

const line = `the resource app/dev/db has sk_live_${digest(-1).toString("hex", 0, 16)}, and no other\n`;

/** Unreferenced objects go only with the next collection. */
async function collected(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}

/** Keeps measured redactors alive while the next test measures. */
const held: Redactor[] = [];

describe("a known secret", () => {
  test.for(Object.entries(kinds))("%s takes at most 500 bytes", async ([_kind, secretOf], { task }) => {
    await collected();
    const before = process.memoryUsage();
    const redactor = createRedactor();
    held.push(redactor);
    for (let seed = 0; seed < COUNT; seed++) redactor.know(secretOf(seed));
    expect(redactor.redact(line.repeat(100))).toBe(line.repeat(100));
    expect(redactor.redact(`it is ${secretOf(77)}`)).toBe("it is ***");
    await collected();
    const after = process.memoryUsage();
    const each = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / COUNT;
    task.meta.note = `${Math.round(each)} bytes`;
    expect(each).toBeLessThan(MOST);
    expect(each).toBeGreaterThan(50);
  });

  test("of a megabyte, in many lines, costs as much as the text is long, however many of the lines are in it", async () => {
    const redactor = createRedactor();
    const lines = Array.from({ length: 16_000 }, (_, seed) => digest(seed).toString("hex"));
    redactor.know(lines.join("\n"));
    for (let seed = 0; seed < 3_000; seed++) redactor.know(digest(20_000 + seed).toString("base64"));
    const redact = (count: number) => {
      const text = `${lines.slice(0, count).join(" ")} ${digest(20_001).toString("base64")}`;
      return (): void => expect(redactor.redact(text)).toMatch(/^[* ]+$/);
    };
    // 20 times as many lines: comparing each with each would take 400 times as long.
    expect(await costRatio(redact(2_000), redact(100))).toBeLessThan(100);
  });

  test("is found, however many of whose forms cannot all be kept at hand", () => {
    const redactor = createRedactor();
    const secrets = Array.from({ length: 3_000 }, (_, seed) => digest(seed).toString("hex").repeat(40));
    redactor.know(secrets);
    for (const round of ["first", "second"]) {
      for (const secret of secrets) expect(redactor.redact(`${round} ${secret}.`)).toBe(`${round} ***.`);
    }
  });
});
