import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { appOf } from "../../../core/run/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { observed } from "../../helpers/stores/observed-store.js";

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("data that a resource of $form stores", ({ short }) => {
  const setUp = () => newWorld({ short });

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
    await stage.up(async (app) => {
      await Thing("a");
      await Thing("b");
      seen.push(await app.get("key"), await app.get("scope of a"));
    });
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
  const { store, requests } = observed(memoryStore());
  const { Thing, stage } = newWorld({}, { stateStore: store });
  const program = async (app: Scope) => {
    await app.set("key", { a: 1, b: [2] });
    await app.delete("none");
    await Thing("a");
  };
  await stage.up(program);
  requests.clear();
  await stage.up(program);
  expect(requests.writes).toBe(0);
});

test.each(["afterFinalize", "run:finished"] as const)(
  "data that is set once the state is closed (%s) is refused, and no run has to wait for it",
  async (moment) => {
    const errors: unknown[] = [];
    const late = definePlugin({
      name: "late",
      apply({ hooks, events }) {
        let set = async (): Promise<void> => {};
        hooks.scopeCreated.tap("late", ({ scope }) => {
          set = () => scope.set("at", 1).catch((error: unknown) => void errors.push(error));
        });
        if (moment === "afterFinalize") hooks.afterFinalize.tap("late", () => set());
        else events.on("run:finished", () => void set());
      },
    });
    const { Thing, stage } = newWorld({}, { plugins: [late] });
    for (const value of [1, 2]) {
      await stage.up(() => Thing("a", { value }));
      expect(stage.heard("state:taken-over")).toEqual([]);
    }
    expect(errors).toMatchObject([{ code: "NO_SCOPE" }, { code: "NO_SCOPE" }]);
  },
);
