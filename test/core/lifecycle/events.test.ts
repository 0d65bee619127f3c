import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("the events of a resource", () => {
  test("begin with one start and end with one result, whatever happens", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    const told: string[][] = [];
    const up = async (program: () => unknown) => {
      await stage.up(program).catch(() => {});
      told.push(stage.told);
    };
    await up(() => Thing("a", { value: 1 }));
    await up(() => Thing("a", { value: 1 }));
    await up(() => Thing("a", { value: 2 }));
    await up(() => Thing("a", { value: 2, name: "y" }));
    world.on("update a", (context) => context.replace());
    await up(() => Thing("a", { value: 3, name: "y" }));
    world.on("update a", (context) => context.replace(true));
    await up(() => Thing("a", { value: 4, name: "y" }));
    world.fails("update a");
    await up(() => Thing("a", { value: 5, name: "y" }));
    world.fails("delete a");
    await up(() => {});
    world.calm();
    await up(() => Thing("a", { value: 5, name: "y" }));
    world.fails("delete a");
    world.on("update a", (context) => context.replace(true));
    await up(() => Thing("a", { value: 6, name: "y" }));
    expect(told).toEqual([
      ["started a", "created a"],
      ["skipped a"],
      ["started a", "updated a"],
      ["started a", "replaced a", "started a", "deleted a"],
      ["started a", "replaced a", "started a", "deleted a"],
      ["started a", "started a", "deleted a", "replaced a"],
      ["started a", "failed a"],
      ["started a", "failed a"],
      ["started a", "updated a"],
      ["started a", "started a", "failed a", "failed a"],
    ]);
  });

  test("say what is done, to what, when, and how long that waited and took", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("a")));
    const [time, duration, waited] = [expect.any(String), expect.any(Number), expect.any(Number)];
    const ref = { time, kind: Thing.kind, id: "a", fqn: "app/dev/s/a" };
    expect(stage.events.filter(({ type }) => type.startsWith("resource:"))).toEqual([
      { type: "resource:queued", ...ref, action: "create" },
      { type: "resource:started", ...ref, action: "create", waited },
      { type: "resource:created", ...ref, duration, waited },
    ]);
  });

  test("all have their time, as ISO 8601", async () => {
    const { Thing, stage } = setUp();
    const began = new Date().toISOString();
    await stage.up(() => Thing("a"));
    const times = stage.events.map(({ time }) => time);
    expect(times).toEqual(times.map((time) => new Date(time).toISOString()).sort());
    expect(times[0]! >= began && new Date().toISOString() >= times.at(-1)!).toBe(true);
  });

  test("of a quiet scope say so", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", { quiet: true }, () => Thing("a")));
    expect(stage.heard("resource:created")).toMatchObject([{ quiet: true }]);
  });

  test("tell a failure before any handler once, as an update where something is recorded", async () => {
    const { Thing, stage } = setUp();
    const failing = () => Thing("a", { value: () => 1 });
    await stage.up(failing).catch(() => {});
    expect(stage.heard("resource:failed")).toMatchObject([{ action: "create", code: "UNSERIALIZABLE" }]);
    await stage.up(() => Thing("a"));
    await stage.up(failing).catch(() => {});
    expect(stage.heard("resource:failed")).toMatchObject([{ action: "update", code: "UNSERIALIZABLE" }]);
    expect(stage.summary).toEqual({ failed: 1 });
  });

  test("hold no props, outputs or functions", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: "a-value" }));
    expect(JSON.stringify(stage.events)).not.toContain("a-value");
    expect(JSON.parse(JSON.stringify(stage.events))).toEqual(stage.events);
  });
});

describe("the events of a run", () => {
  test("come in their order, and the last one sums up", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("a")));
    const types = stage.events.map(({ type }) => type);
    expect(types.filter((type) => !type.startsWith("state:"))).toEqual([
      "run:started",
      "scope:created",
      "scope:created",
      "resource:queued",
      "resource:started",
      "resource:created",
      "run:finished",
    ]);
    expect(stage.heard("scope:created").map(({ fqn }) => fqn)).toEqual(["app/dev", "app/dev/s"]);
    expect(stage.heard("run:finished")).toMatchObject([
      { app: "app", stage: "dev", phase: "up", ok: true, summary: { created: 1, failed: 0 } },
    ]);
  });

  test("sum up every way to end", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    await stage.up(async () => {
      await Thing("unchanged");
      await Promise.all(["updated", "replaced", "orphan", "failing"].map((id) => Thing(id, { value: 1 })));
    });
    world.fails("update failing");
    await stage
      .up(async () => {
        await Thing("unchanged");
        await Promise.allSettled([
          Thing("updated", { value: 2 }),
          Thing("replaced", { value: 1, name: "y" }),
          Thing("failing", { value: 2 }),
          Thing("created"),
        ]);
      })
      .catch(() => {});
    expect(stage.summary).toEqual({ skipped: 1, updated: 1, replaced: 1, failed: 1, created: 1 });
    world.calm();
    await stage.up(() => Thing("unchanged"));
    expect(stage.summary).toEqual({ skipped: 1, deleted: 6 });
  });
});
