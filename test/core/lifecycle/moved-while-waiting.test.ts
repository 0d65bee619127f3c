/** What is about to be changed may be moved by others in the order of the program, until it begins. */
import { describe, expect, test } from "vitest";
import { comparePositions } from "../../../core/lifecycle/positions.js";
import { definePlugin } from "../../../core/plugin.js";
import type { Scope } from "../../../core/scope/scope.js";
import { gate, quiet } from "../../helpers/gate.js";
import { recordOf, recordsOf, Stage } from "../../helpers/stage.js";
import { World } from "../../helpers/world.js";

/** A stage in which five things were made one after the other, each perhaps from those before it. */
async function setUp() {
  const world = new World();
  const Thing = world.type();
  const stage = new Stage();
  await stage.up(async () => {
    for (const id of ["a", "b", "c", "d", "e"]) await Thing(id, { value: 1 });
  });
  return { world, Thing, stage };
}

/** Ids in the order in which they became ready; each done after it was ready. */
function orderIn(app: Scope): string {
  const records = recordsOf(app).toSorted((one, other) => comparePositions(one.ready, other.ready));
  for (const { done, ready } of records) expect(comparePositions(ready, done ?? [])).toBeLessThan(0);
  return records.map(({ key }) => key).join("");
}

test("a resource that is moved, and whose update fails, stands behind what resolved before it", async () => {
  const { world, Thing, stage } = await setUp();
  world.fails("update a");
  const app = await stage.open();
  await app.run(async () => {
    await Thing("c", { value: 1 });
    await Thing("a", { value: 2 }).catch(() => {});
  });
  expect(recordOf(app, "a")?.status).toBe("updating");
  // With what was made after it, perhaps from it, and has not resolved since.
  expect(orderIn(app)).toBe("cabde");
  await app.finalize().catch(() => {});
});

describe("a resource that is carried along", () => {
  test("while plugins are asked about it stands where it was carried to", async () => {
    const answers = gate();
    const slow = definePlugin({
      name: "slow",
      apply: ({ hooks }) => hooks.beforeApply.tap("slow", ({ id }) => (id === "b" ? answers.opened : undefined)),
    });
    const { Thing, stage } = await setUp();
    const app = await stage.open({ plugins: [slow] });
    await app.run(async () => {
      await Thing("d", { value: 1 });
      const slowly = Thing("b", { value: 2 });
      await quiet(2);
      await Thing("e", { value: 1 });
      await Thing("a", { value: 2 });
      answers.open();
      await slowly;
    });
    expect(orderIn(app)).toBe("deabc");
    await app.finalize().catch(() => {});
  });

  test("while it waits for its turn stands there, too, when its change is taken back", async () => {
    const interruption = new AbortController();
    const { world, Thing, stage } = await setUp();
    world.on("create first", async () => {
      await quiet(40);
      interruption.abort();
    });
    const app = await stage.open({ signal: interruption.signal, concurrency: 1 });
    await app.run(async () => {
      const rest = [Thing("first"), Thing("d", { value: 1 }).then(() => Thing("b", { value: 2 }))];
      await quiet(4);
      await Thing("e", { value: 1 });
      rest.push(Thing("a", { value: 2 }));
      await Promise.allSettled(rest);
    });
    expect(world.calls.filter((call) => call.startsWith("update"))).toEqual([]);
    expect(recordsOf(app).every(({ key, status }) => status === "ready" || key === "first")).toBe(true);
    expect(orderIn(app).replace("first", "")).toBe("deabc");
    await app.finalize().catch(() => {});
  });
});

test("a change that is vetoed leaves what it was about where the program has it", async () => {
  const veto = definePlugin({
    name: "veto",
    apply: ({ hooks }) => hooks.beforeApply.tap("veto", (change) => change.veto("not today")),
  });
  const { Thing, stage } = await setUp();
  const app = await stage.open({ plugins: [veto] });
  await app.run(async () => {
    await Thing("c", { value: 1 });
    await Thing("a", { value: 2 }).catch(() => {});
  });
  expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 1 } });
  expect(orderIn(app)).toBe("cabde");
  await app.finalize().catch(() => {});
});
