/** Memory of a declaration that waits for its turn, which must not depend on their number. */
import { expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { gc, middleOfThree } from "../../helpers/processes/gc.js";

const sizes = isLong ? [20_000, 40_000, 80_000] : [5_000, 10_000, 20_000];

/** Heap bytes for one with three props, including the program's own objects. An intent takes a thousand more. */
const MOST = 2_600;

/** Heap bytes in use when the first handler begins, with n resources declared at once. */
async function heldWith(n: number): Promise<number> {
  let held = 0;
  const Thing = Resource<{ id: string }, { size: number; tags: object }>(newKind(), {
    create: ({ id }) => {
      if (held === 0) {
        gc();
        held = process.memoryUsage().heapUsed;
      }
      return { id };
    },
    delete: () => {},
  });
  const stage = new Stage();
  gc();
  const before = process.memoryUsage().heapUsed;
  await stage.up(() =>
    Promise.all(Array.from({ length: n }, (_, size) => Thing(`r${size}`, { size, tags: { a: "x", b: "y" } }))),
  );
  return held - before;
}

test("what waits for its turn is less than what has an intent, and grows as their number does", async ({ task }) => {
  await heldWith(sizes[0] ?? 0);
  const held: number[] = [];
  for (const n of sizes) held.push(await middleOfThree(() => heldWith(n)));
  // The first measurement contains the intents, about a thousand at any size.
  const each = held.slice(1).map((bytes, at) => (bytes - (held[at] ?? 0)) / ((sizes[at + 1] ?? 0) - (sizes[at] ?? 0)));
  task.meta.note = `bytes of heap for what waits for its turn: ${each.map(Math.round).join(", ")}`;
  expect(Math.max(...each)).toBeLessThan(MOST);
  expect(Math.min(...each)).toBeGreaterThan(0);
});
