import { describe, expect, test } from "vitest";
import { SAMPLE, seedsFrom } from "../seeds.ts";
import { defects } from "./defects.ts";
import { hunt } from "./hunt.ts";

/** Number of histories that are searched for a new member of the sample, if the sample does not find the defect. */
const MOST = 2_000;

const timeout = 3_600_000;

describe("a sample of the histories of npm test", () => {
  const found: { readonly name: string; readonly seed: number }[] = [];

  test("find nothing if nothing was planted", { timeout }, async () => {
    expect(await hunt(undefined, SAMPLE)).toBeUndefined();
  });

  test.each(defects)("find a defect: $area: $name", { timeout }, async (defect) => {
    const find = await hunt(defect, SAMPLE);
    if (find) found.push({ name: defect.name, seed: find.seed });
    else expect.fail(`none of them goes wrong, but this one: ${(await hunt(defect, seedsFrom(1, MOST)))?.seed}`);
  });

  test("say in which each was found", ({ task }) => {
    const each = found.toSorted((a, b) => a.seed - b.seed).map(({ name, seed }) => `${seed} (${name})`);
    task.meta.note = `defects found: ${found.length} of ${defects.length}; in the histories ${each.join(", ")}`;
  });
});
