import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { type Called, lost, type World } from "../../helpers/apps/world.js";
import { until } from "../../helpers/time/until.js";

const three = { retry: { attempts: 3, delay: 1 } } as const;
const REPLACED = { replaced: 1, deleted: 1 };

type Seen = Pick<Called, "attempt" | "recovering" | "token" | "output" | "changes">;

/** Fails the first calls of a handler, each with its own message; returns the contexts of all calls. */
function failing(world: World, call: string, times: number): Seen[] {
  const seen: Seen[] = [];
  world.on(call, ({ attempt, recovering, token, output, changes }) => {
    seen.push({ attempt, recovering, token, output, changes });
    if (seen.length <= times) throw new Error(`busy ${seen.length}`);
  });
  return seen;
}

describe("a handler that fails is called again", () => {
  test("until it succeeds, with the same token, a higher attempt, and recovering, and each further call is reported", async () => {
    const { world, Thing, stage } = newWorld();
    const seen = failing(world, "create a", 2);
    await stage.up(() => Thing("a", {}, three));
    expect(world.calls).toEqual(["create a", "create a", "create a"]);
    expect(stage.told).toEqual(["started a", "retrying a", "retrying a", "created a"]);
    const about = { kind: Thing.kind, id: "a", fqn: "app/dev/a", action: "create", attempts: 3 };
    expect(stage.heard("resource:retrying")).toMatchObject([
      { ...about, attempt: 2, message: "busy 1" },
      { ...about, attempt: 3, message: "busy 2" },
    ]);
    expect(stage.summary).toEqual({ created: 1 });
    // Its type has no read and is not idempotent: there may be three of them.
    expect(stage.heard("warning")).toMatchObject([{ code: "REPEATED_CREATE", fqn: "app/dev/a" }]);
    const [first] = seen;
    expect(seen.map(({ attempt, recovering, token }) => [attempt, recovering, token === first?.token])).toEqual([
      [1, false, true],
      [2, true, true],
      [3, true, true],
    ]);
  });

  test("as often as the option says, and then the last error is reported, once", async () => {
    const { world, Thing, stage } = newWorld();
    failing(world, "create a", 9);
    const message = 'create of "app/dev/a" failed: busy 3';
    expect(await stage.failures(() => Thing("a", {}, three))).toMatchObject([{ code: "HANDLER_FAILED", message }]);
    expect(stage.heard("resource:failed")).toHaveLength(1);
    expect(stage.summary).toEqual({ failed: 1 });
    expect(stage.record("a")).toMatchObject({ status: "creating", attempt: 3 });
  });

  test("in an update, which goes on from what was there before", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a", { value: 1 }));
    const seen = failing(world, "update a", 2);
    await stage.up(() => Thing("a", { value: 2 }, three));
    const before = [{ thing: "a#1", value: 1 }, ["/value"]];
    expect(seen.map(({ output, changes }) => [output, changes])).toEqual([before, before, before]);
    expect(stage.summary).toEqual({ updated: 1 });
  });

  test("in a delete on request, but not in the delete of what is not declared any more: its options went with it", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    const seen = failing(world, "delete a", 2);
    await stage.up(async () => destroy(Thing("a", {}, three)));
    expect(seen.map(({ attempt, recovering }) => [attempt, recovering])).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect(stage.summary).toEqual({ created: 1, deleted: 1 });
    expect(stage.heard("resource:retrying")).toMatchObject([{ action: "delete" }, { action: "delete" }]);
    await stage.up(() => Thing("a", {}, three));
    world.news();
    failing(world, "delete a", 1);
    await stage.failures(() => {});
    expect(world.calls).toEqual(["delete a"]);
  });

  test("in a replacement, which stays one", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    failing(world, "create a", 2);
    await stage.up(() => Thing("a", { name: "y" }, three));
    expect(stage.told).toEqual(["started a", "retrying a", "retrying a", "replaced a", "started a", "deleted a"]);
    expect([stage.summary, world.names]).toEqual([REPLACED, ["a#2"]]);
  });

  test("where it was an update that asks to be replaced the second time", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a", { value: 1 }));
    let calls = 0;
    world.on("update a", (context) => {
      if (++calls === 1) throw new Error("busy");
      context.replace();
    });
    await stage.up(() => Thing("a", { value: 2 }, three));
    expect([stage.summary, world.names]).toEqual([REPLACED, ["a#2"]]);
  });

  test("with the children that it declares, once each", async () => {
    const { world, Thing, stage } = newWorld();
    let calls = 0;
    world.on("create a", async () => {
      await Thing("b");
      if (++calls < 3) throw new Error("busy");
    });
    await stage.up(() => Thing("a", {}, three));
    expect([stage.summary, world.names]).toEqual([{ created: 2, unchanged: 2 }, ["a#2", "b#1"]]);
  });
});

describe("a create that fails, of a type with read,", () => {
  test("is looked for first, and goes on as an update of what was made; it is still a create", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    lost(world, "create a");
    await stage.up(() => Thing("a", { value: 1 }, three));
    expect(world.calls).toEqual(["create a", "read a", "update a"]);
    expect([stage.summary, world.names]).toEqual([{ created: 1 }, ["a#1"]]);
  });

  test("stays a replacement where it is one", async () => {
    const { world, Thing, stage } = newWorld({ read: true, replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    lost(world, "create a");
    failing(world, "update a", 1);
    await stage.up(() => Thing("a", { name: "y" }, three));
    expect(world.calls).toEqual(["create a", "create a", "read a", "update a", "update a", "delete a"]);
    expect(stage.summary).toEqual(REPLACED);
  });

  test("is created again where there is nothing", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    failing(world, "create a", 1);
    await stage.up(() => Thing("a", {}, three));
    expect(world.calls).toEqual(["create a", "read a", "create a"]);
  });
});

describe("a handler that fails is not called again", () => {
  test("for an error of which the program says so, or cannot say", async () => {
    const { world, Thing, stage } = newWorld();
    const asked: unknown[] = [];
    const when: Readonly<Record<string, (error: unknown) => boolean>> = {
      a: (error) => asked.push(error) < 0,
      b: () => {
        throw new TypeError("no status");
      },
      c: () => true,
    };
    const failures = await stage.failures(() =>
      Object.entries(when).map(([id, isWorthIt]) => {
        failing(world, `create ${id}`, 1);
        return Thing(id, {}, { retry: { ...three.retry, when: isWorthIt } });
      }),
    );
    expect(asked).toMatchObject([{ message: "busy 1" }]);
    expect(failures.map(String)).toEqual([expect.stringContaining("busy 1"), expect.stringContaining("busy 1")]);
    expect(world.calls.filter((call) => call === "create c")).toHaveLength(2);
  });

  test("where a hook has vetoed it", async () => {
    const { world, Thing, stage } = newWorld();
    let asked = 0;
    await stage.failures((app) => {
      app.hooks.beforeApply.tap("veto", () => {
        asked++;
        throw new Error("not today");
      });
      return Thing("a", {}, three);
    });
    expect([asked, world.calls]).toEqual([1, []]);
  });

  test("where what it returned cannot be recorded", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", () => ({ thing: "a", value: () => {} }));
    expect(await stage.failures(() => Thing("a", {}, three))).toMatchObject([{ code: "UNSERIALIZABLE" }]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("where the run is interrupted meanwhile: it waits no longer", async () => {
    const controller = new AbortController();
    const { world, Thing, stage } = newWorld({}, { signal: controller.signal });
    failing(world, "create a", 9);
    const app = await stage.open();
    const pending = app.run(() => Thing("a", {}, { retry: { attempts: 3, delay: 60_000, maxDelay: 60_000 } }));
    pending.catch(() => {});
    await until(() => stage.heard("resource:retrying").length > 0);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "HANDLER_FAILED", message: expect.stringContaining("busy 1") });
    await expect(app.finalize()).rejects.toThrow();
    expect(world.calls).toEqual(["create a"]);
  });
});

test("what it waits is doubled each time, up to a limit, and shortened at random by up to half", async () => {
  const { world, Thing, stage } = newWorld();
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on("warning", hear);
  const ids = Array.from({ length: 30 }, (_, index) => `a${index}`);
  for (const id of ids) failing(world, `create ${id}`, 5);
  await stage.up(() => ids.map((id) => Thing(id, {}, { retry: { attempts: 6, delay: 10, maxDelay: 60 } })));
  const delays = (attempt: number) =>
    stage.heard("resource:retrying").flatMap((event) => (event.attempt === attempt ? event.delay : []));
  for (const [index, full] of [10, 20, 40, 60, 60].entries()) {
    const waited = delays(index + 2);
    expect(waited).toHaveLength(ids.length);
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(full / 2);
    expect(Math.max(...waited)).toBeLessThanOrEqual(full);
    expect(new Set(waited).size).toBeGreaterThan(1);
  }
  // Many concurrent waits must not look like a listener leak.
  process.off("warning", hear);
  expect(warnings).toEqual([]);
});
