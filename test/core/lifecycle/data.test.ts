import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { appOf } from "../../../core/run/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { observed } from "../../helpers/stores/observed-store.js";

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("data that a resource of $form stores", ({ short }) => {
  function setUp() {
    const world = new World();
    return { world, Thing: world.type({ short }), stage: new Stage() };
  }

  test("is there in later handlers, in other runs too, and gone with the resource", async () => {
    const { world, Thing, stage } = setUp();
    const seen: unknown[] = [];
    world.on("create a", (context) => context.set("count", { at: new Date(0) }));
    world.on("update a", async (context) => {
      seen.push(await context.get("count"));
      await context.delete("count");
      seen.push(await context.get("count"));
      await context.set("left", [1n]);
    });
    world.on("delete a", async (context) => void seen.push(await context.get("left"), await context.get("none")));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }));
    const app = await stage.up();
    expect(seen).toEqual([{ at: new Date(0) }, undefined, [1n], undefined]);
    expect(appOf(app).ledger.contents.isEmpty).toBe(true);
  });

  test("belongs to it alone, and not to its scope", async () => {
    const { world, Thing, stage } = setUp();
    const seen: unknown[] = [];
    for (const id of ["a", "b"]) {
      world.on(`create ${id}`, async (context) => {
        seen.push(await context.get("key"));
        await context.set("key", id);
        await context.scope.set(`scope of ${id}`, id);
      });
    }
    const app = await stage.up(async () => {
      await Thing("a");
      await Thing("b");
    });
    await app.run(async () => {
      seen.push(await app.get("key"), await app.get("scope of a"));
      await Promise.all([Thing("a"), Thing("b")]);
    });
    await app.finalize();
    expect(seen).toEqual([undefined, undefined, undefined, "a"]);
  });

  test("is kept though its handler fails afterwards", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async (context) => {
      await context.set("step", 1);
      throw new Error("later");
    });
    await stage.failures(() => Thing("a"));
    const seen: unknown[] = [];
    world.on("create a", async (context) => void seen.push(await context.get("step")));
    await stage.up(() => Thing("a"));
    expect(seen).toEqual([1]);
  });

  test("is not passed on to a replacement", async () => {
    const { world, Thing, stage } = setUp();
    const seen: unknown[] = [];
    world.on("create a", async (context) => {
      seen.push(await context.get("key"));
      await context.set("key", context.uid);
    });
    world.on("update a", (context) => context.replace());
    world.on("delete a", async (context) => void seen.push((await context.get("key")) === context.uid));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(seen).toEqual([undefined, undefined, true]);
  });
});

test("setting what is stored already writes nothing", async () => {
  const world = new World();
  const Thing = world.type();
  const { store, requests } = observed(memoryStore());
  const stage = new Stage({ stateStore: store });
  const program = async (app: Awaited<ReturnType<typeof stage.open>>) => {
    await app.set("key", { a: 1, b: [2] });
    await app.delete("none");
    await Thing("a");
  };
  await stage.up(program);
  requests.clear();
  await stage.up(program);
  expect(requests.writes).toBe(0);
});
