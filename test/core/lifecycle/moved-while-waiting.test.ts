/** A resource that waits for its update may be moved in the order by other declarations until its handler begins. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { comparePositions } from "../../../core/order/index.js";
import { childScope } from "../../../core/scope/child.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

/** A stage with five resources that were created one after the other, each possibly from the ones before it. */
async function setUp() {
  const { world, Thing, stage } = newWorld();
  await stage.up(async () => {
    for (const id of ["a", "b", "c", "d", "e"]) await Thing(id, { value: 1 });
  });
  return { world, Thing, stage };
}

/** Ids in the order in which they became ready; also checks that each was done after it was ready. */
function orderIn(app: Scope): string {
  const records = recordsOf(app).toSorted((one, other) => comparePositions(one.ready, other.ready));
  for (const { done, ready } of records) expect(comparePositions(ready, done ?? [])).toBeLessThan(0);
  return records.map(({ key }) => key).join("");
}

test("a resource that is moved, and whose update fails, stands behind what resolved before it", async () => {
  const { world, Thing, stage } = await setUp();
  world.fails("update a");
  await stage.failures(async () => {
    await Thing("c", { value: 1 });
    await Thing("a", { value: 2 }).catch(() => {});
  });
  expect(stage.record("a")?.status).toBe("updating");
  // "b" was created after "a", possibly from it, and has not resolved since: it moves along.
  expect(orderIn(stage.app)).toBe("cabde");
});

describe("a resource that is carried along", () => {
  test("while plugins are asked about it stands where it was carried to", async () => {
    const answers = gate();
    const { Thing, stage } = await setUp();
    const app = await stage.open();
    app.hooks.beforeApply.tap("slow", ({ id }) => (id === "b" ? answers.opened : undefined));
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
  const { Thing, stage } = await setUp();
  await stage.failures(async (app) => {
    app.hooks.beforeApply.tap("veto", (change) => change.veto("not today"));
    await Thing("c", { value: 1 });
    await Thing("a", { value: 2 }).catch(() => {});
  });
  expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: 1 } });
  expect(orderIn(stage.app)).toBe("cabde");
});

test("nothing is written, and no lock held, while a plugin is asked about a resource that moves", async () => {
  const answers = gate();
  const { Thing, stage } = await setUp();
  const all = stage.failures(async (app) => {
    app.hooks.beforeApply.tapPromise("veto", async (change) => {
      await answers.opened;
      change.veto("not today");
    });
    await Thing("c", { value: 1 });
    await Thing("a", { value: 2 }).catch(() => {});
  });
  await quiet(20);
  expect(stage.heard("state:locked")).toEqual([]);
  answers.open();
  await all;
  expect(stage.heard("state:committed")).toEqual([]);
});

test("what is declared elsewhere while plugins are asked about its old parent stays", async () => {
  const { world, Thing: Parent, stage } = newWorld({ replaceOn: ["name"] });
  const Child = world.type();
  world.on("create p", async () => void (await Child("c", { value: 1 })));
  await stage.up(() => Parent("p", { name: "1" }));
  world.calm();
  const answers = gate();
  await stage.up(async (app) => {
    app.hooks.beforeApply.tap("slow", ({ id }) => (id === "p" ? answers.opened : undefined));
    const replaced = Parent("p", { name: "2" });
    const there = await childScope(app, "p", {});
    await there.run(() => Child("c", { value: 2 }));
    answers.open();
    await replaced;
  });
  expect(world.names).toEqual(["c#1", "p#3"]);
  expect(world.things.get("c#1")?.value).toBe(2);
});
