/** Three hundred secrets on every way that there is through the engine, and not one of them on the other side. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Secret } from "../../plugins/secrets/secret.js";
import { allFilesIn } from "./canary/all-files.ts";
import { canaries } from "./canary/canaries.ts";
import { failingStores, printingCommands } from "./canary/commands.ts";
import { failingHandlers, failingPlugins, failingPrograms } from "./canary/failures.ts";
import { Journey } from "./canary/journey.ts";
import { intendedWays } from "./canary/runs.ts";
import { encodings, Scanner, structuralIn } from "./canary/scanner.ts";

const all = canaries();
const scanner = new Scanner(all);
let folder = "";
beforeAll(async () => {
  for (const { value } of all) new Secret(value);
  folder = await mkdtemp(join(tmpdir(), "canary-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What leaks, and through what. */
async function leaksOf({ folder: place, said, messages }: Journey): Promise<readonly string[]> {
  const files = await allFilesIn(place);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return [
    ...texts.flatMap((text, index) => scanner.find(text, "file").map((what) => `${files[index]}: ${what}`)),
    ...scanner.find([...new Set(said)].join("\n"), "text").map((what) => `text: ${what}`),
    ...messages.flatMap(structuralIn).map((what) => `message: ${what}`),
  ];
}

describe("of three hundred secrets", () => {
  test.each([
    ["that are recorded, changed, read and deleted", intendedWays],
    ["that handlers throw", failingHandlers],
    ["that programs throw", failingPrograms],
    ["that plugins throw", failingPlugins],
    ["that commands print", printingCommands],
    ["that stores throw", failingStores],
  ])("none %s is in a file or in a text", { timeout: 120_000 }, async (what, ways) => {
    const journey = new Journey(await mkdtemp(join(folder, "stage-")));
    await ways(journey, all);
    expect(journey.missed).toEqual([]);
    expect(journey.said.length, what).toBeGreaterThan(100);
    expect((await leaksOf(journey)).slice(0, 20)).toEqual([]);
  });
});

describe("the scanner", () => {
  const few = canaries(7, 30);
  const text = few[0]?.text ?? "";
  const scannerOfFew = new Scanner(few);
  const planted: readonly (readonly [string, string])[] = [
    ["raw", text],
    ["json", JSON.stringify(JSON.stringify({ text }))],
    ...["", "x", "xy"].map((before) => ["base64", Buffer.from(`${before}${text}yx`).toString("base64")] as const),
    ...["", "x", "xy"].map((before) => ["base64url", Buffer.from(`${before}${text}yx`).toString("base64url")] as const),
    ["hex", Buffer.from(`x${text}x`).toString("hex")],
    ["hex", Buffer.from(`x${text}x`).toString("hex").toUpperCase()],
    ["percent", encodeURIComponent(`x${text}x`)],
    ["percent", new URLSearchParams({ text }).toString()],
  ];
  test.each(planted)("finds a secret that is there as %s", (encoding, there) => {
    expect(encodings[encoding]?.(text).some((form) => there.includes(form))).toBe(true);
    expect(scannerOfFew.find(`before ${there} after`, "text")).not.toEqual([]);
    expect(scannerOfFew.find(`before ${there} after`, "file")).not.toEqual([]);
    expect(scannerOfFew.find("before and after", "text")).toEqual([]);
  });

  test("knows each encoding", () => {
    expect([...new Set(planted.map(([encoding]) => encoding))]).toEqual(Object.keys(encodings));
  });
});
