/** Memory of a loaded record, which must not depend on the number of records. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { gc, middleOfThree } from "../../helpers/processes/gc.js";

const sizes = isLong ? [10_000, 20_000, 40_000, 80_000] : [2_000, 4_000, 8_000];

/** Maximum heap bytes of one loaded record with one prop and one output, including its indexes. */
const MOST = 1_200;

/** Heap bytes that a run retains after it loaded n records and declared nothing. */
async function heldWith(n: number): Promise<number> {
  const stage = new Stage({ stateStore: memoryStore() });
  const Thing = new World().type();
  // Not with `up()`: a stage retains the app that it opened.
  await stage.upInOne(() =>
    Promise.all(Array.from({ length: n }, (_, at) => Thing(`r${String(at).padStart(5, "0")}`, { value: at }))),
  );
  stage.events = [];
  await collected();
  const before = process.memoryUsage().heapUsed;
  const app = await stage.open({ phase: "read" });
  await collected();
  const held = process.memoryUsage().heapUsed - before;
  await app[Symbol.asyncDispose]();
  return held;
}

/** Finalized objects go only with the next collection. */
async function collected(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}

test("a loaded record takes as much of the heap among many as among few", { timeout: 600_000 }, async ({ task }) => {
  await heldWith(sizes[0] ?? 0);
  const held: number[] = [];
  for (const n of sizes) held.push(await middleOfThree(() => heldWith(n)));
  // The first measurement contains the costs that do not depend on the number of records.
  const each = held.slice(1).map((bytes, at) => (bytes - (held[at] ?? 0)) / ((sizes[at + 1] ?? 0) - (sizes[at] ?? 0)));
  task.meta.note = `bytes of heap for a record: ${each.map(Math.round).join(", ")}`;
  expect(Math.max(...each)).toBeLessThan(MOST);
  expect(Math.min(...each)).toBeGreaterThan(0);
  // Hash tables grow by doubling.
  expect((each.at(-1) ?? 0) / (each[0] ?? 0)).toBeLessThan(1.25);
});
