import { describe, expect, test } from "vitest";
import { defects } from "./defects.ts";
import { hunt } from "./hunt.ts";

/** So many histories are enough to find any of them. */
const SEEDS = 2_000;
/** So many histories of the sources as they are must go well: what is found in others is the defect. */
const SOUND = 200;

const timeout = 3_600_000;

describe("random histories", () => {
  const found: { readonly name: string; readonly seed: number }[] = [];

  test("find nothing where nothing was planted", { timeout }, async () => {
    expect(await hunt(undefined, SOUND)).toBeUndefined();
  });

  test.each(defects)("find a defect: $area: $name", { timeout }, async (defect) => {
    const find = await hunt(defect, SEEDS);
    if (find) found.push({ name: defect.name, seed: find.seed });
    expect(find, `none of ${SEEDS} histories went wrong`).toBeDefined();
  });

  test("say after how many each was found", ({ task }) => {
    const each = found.toSorted((a, b) => a.seed - b.seed).map(({ name, seed }) => `${seed} (${name})`);
    task.meta.note = `defects found: ${found.length} of ${defects.length}; histories needed: ${each.join(", ")}`;
  });
});
