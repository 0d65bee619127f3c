/** Hundreds of secrets on ways through the engine, and not one of them on the other side. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";
import { allFilesIn } from "./all-files.ts";
import { type Canary, canaries, SEED } from "./canaries.ts";
import { Journey } from "./journey.ts";
import { Scanner, structuralIn } from "./scanner.ts";

type Ways = (journey: Journey, all: readonly Canary[]) => Promise<unknown>;

export function noneIsSeen(named: readonly (readonly [what: string, ways: Ways])[], count = 300): void {
  const all = canaries(SEED, count);
  const scanner = new Scanner(all);
  let folder = "";
  beforeAll(async () => {
    for (const { value } of all) new Secret(value);
    folder = await mkdtemp(join(tmpdir(), "canary-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The leaked secrets, and the channel of each leak. */
  async function leaksOf({ folder: place, said, messages }: Journey): Promise<readonly string[]> {
    const files = await allFilesIn(place);
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    return [
      ...texts.flatMap((text, index) => scanner.find(text, "file").map((what) => `${files[index]}: ${what}`)),
      ...scanner.find([...new Set(said)].join("\n"), "text").map((what) => `text: ${what}`),
      ...messages.flatMap(structuralIn).map((what) => `message: ${what}`),
    ];
  }

  describe(`of ${count} secrets`, () => {
    test.each(named)("none %s is in a file or in a text", { timeout: 120_000 }, async (what, ways) => {
      const journey = new Journey(await mkdtemp(join(folder, "stage-")));
      await ways(journey, all);
      expect(journey.missed).toEqual([]);
      expect(journey.said.length, what).toBeGreaterThan(100);
      expect((await leaksOf(journey)).slice(0, 20)).toEqual([]);
    });
  });
}
