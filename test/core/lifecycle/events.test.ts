import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";

describe("the events of a resource", () => {
  test("begin with one start and end with one result, whatever happens", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    const replace = (first: boolean) => (context: HandlerBase) => context.replace(first);
    const refuse = (): never => {
      throw new Error("no");
    };
    const steps: [
      props: object | undefined,
      told: string,
      update?: (context: HandlerBase) => void,
      isStuck?: boolean,
    ][] = [
      [{ value: 1 }, "started created"],
      [{ value: 1 }, "unchanged"],
      [{ value: 2 }, "started updated"],
      [{ value: 2, name: "y" }, "started replaced started deleted"],
      [{ value: 3, name: "y" }, "started replaced started deleted", replace(false)],
      [{ value: 4, name: "y" }, "started started deleted replaced", replace(true)],
      [{ value: 5, name: "y" }, "started failed", refuse],
      [undefined, "started failed", undefined, true],
      [{ value: 5, name: "y" }, "started updated"],
      [{ value: 6, name: "y" }, "started started failed failed", replace(true), true],
    ];
    for (const [props, told, update, isStuck] of steps) {
      world.calm();
      if (update) world.on("update a", update);
      if (isStuck) world.fails("delete a");
      await stage.up(() => props && Thing("a", props)).catch(() => {});
      expect(stage.told).toEqual(told.split(" ").map((type) => `${type} a`));
    }
  });

  test("say what is done, to what, when, and how long that waited and took", async () => {
    const { Thing, stage, run } = newWorld();
    await stage.up(() => run("s", () => Thing("a")));
    const [time, duration, waited] = [expect.any(String), expect.any(Number), expect.any(Number)];
    const ref = { time, kind: Thing.kind, id: "a", fqn: "app/dev/s/a" };
    expect(stage.events.filter(({ type }) => type.startsWith("resource:"))).toEqual([
      { type: "resource:queued", ...ref, action: "create" },
      { type: "resource:started", ...ref, action: "create", waited },
      { type: "resource:created", ...ref, duration, waited },
    ]);
  });

  test("all have their time, as ISO 8601", async () => {
    const { Thing, stage } = newWorld();
    const began = new Date().toISOString();
    await stage.up(() => Thing("a"));
    const times = stage.events.map(({ time }) => time);
    expect(times).toEqual(times.map((time) => new Date(time).toISOString()).sort());
    expect(times[0]! >= began && new Date().toISOString() >= times.at(-1)!).toBe(true);
  });

  test("of a quiet scope say so", async () => {
    const { Thing, stage, run } = newWorld();
    await stage.up(() => run("s", { quiet: true }, () => Thing("a")));
    expect(stage.heard("resource:created")).toMatchObject([{ quiet: true }]);
  });

  test("tell a failure before any handler once, as an update where something is recorded", async () => {
    const { Thing, stage } = newWorld();
    for (const action of ["create", "update"]) {
      await stage.failures(() => Thing("a", { value: () => 1 }));
      expect(stage.heard("resource:failed")).toMatchObject([{ action, code: "UNSERIALIZABLE" }]);
      expect(stage.summary).toEqual({ failed: 1 });
      await stage.up(() => Thing("a"));
    }
  });

  test("hold no props, outputs or functions", async () => {
    const { Thing, stage } = newWorld();
    await stage.up(() => Thing("a", { value: "a-value" }));
    expect(JSON.stringify(stage.events)).not.toContain("a-value");
    expect(JSON.parse(JSON.stringify(stage.events))).toEqual(stage.events);
  });
});

describe("the events of a run", () => {
  test("come in their order, and the last one sums up", async () => {
    const { Thing, stage, run } = newWorld();
    await stage.up(() => run("s", () => Thing("a")));
    const types = stage.events.map(({ type }) => type).filter((type) => !type.startsWith("state:"));
    expect(types).toEqual([
      ...["run:started", "scope:created", "scope:created"],
      ...["resource:queued", "resource:started", "resource:created", "run:finished"],
    ]);
    expect(stage.heard("scope:created").map(({ fqn }) => fqn)).toEqual(["app/dev", "app/dev/s"]);
    expect(stage.heard("run:finished")).toMatchObject([
      { app: "app", stage: "dev", phase: "up", ok: true, summary: { created: 1, failed: 0 } },
    ]);
  });

  test("sum up every way to end", async () => {
    const { Thing, stage, failed } = newWorld({ replaceOn: ["name"] });
    await stage.up(async () => {
      await Thing("unchanged");
      await Promise.all(["updated", "replaced", "orphan", "failing"].map((id) => Thing(id, { value: 1 })));
    });
    await failed("update failing", async () => {
      await Thing("unchanged");
      await Promise.allSettled([
        Thing("updated", { value: 2 }),
        Thing("replaced", { value: 1, name: "y" }),
        Thing("failing", { value: 2 }),
        Thing("created"),
      ]);
    });
    expect(stage.summary).toEqual({ unchanged: 1, updated: 1, replaced: 1, failed: 1, created: 1 });
    await stage.up(() => Thing("unchanged"));
    expect(stage.summary).toEqual({ unchanged: 1, deleted: 6 });
  });
});
