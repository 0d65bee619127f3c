/** `StageAdmin.moveTo()`: records move between stages of one store, and stages and apps are renamed. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/apps/secret-stage.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { storeAround } from "../../helpers/stores/store-around.js";
import { AFTER, adminOf, BEFORE, begun, DEV, move, movesSafely, NAMES, PROD, twoStages, usable } from "./moving.js";

describe("moving records to a stage of a store with segments", () => movesSafely(() => memoryStore({ append: true })));

async function both() {
  const store = memoryStore();
  const two = twoStages(store);
  await begun(two);
  return { store, ...two };
}

describe("moveTo", () => {
  test("shows everything first, moves data and secrets under the password of the target, and makes no call", async () => {
    const two = await both();
    await using admin = adminOf(two.store);
    const target = { stage: "prod", password: PROD, names: ["web"] };
    const plan = await admin.moveTo({ ...target, plan: true });
    expect(plan).toEqual({
      from: "app/dev",
      to: "app/prod",
      isNew: false,
      resources: [
        { from: "app/dev/web/page", to: "app/prod/web/page", kind: expect.any(String) },
        { from: "app/dev/web/logo", to: "app/prod/web/logo", kind: expect.any(String) },
      ],
      scopes: ["app/prod/web"],
      dependencies: ["app/dev/db"],
      dependents: [],
      unread: [],
      hasOutputs: false,
      wasRecorded: false,
    });
    expect([await usable(two.store, "dev"), await usable(two.store, "prod")]).toEqual([BEFORE.dev, BEFORE.prod]);
    const asked: unknown[] = [];
    const moved = await admin.moveTo({ ...target, approve: (what) => void asked.push(what) });
    expect([asked, moved]).toEqual([[plan], plan]);
    // The resource that stayed refers to none that moved, but the moved page refers to it: a later move says so.
    const later = await admin.moveTo({ stage: "prod", password: PROD, names: ["db"], plan: true });
    expect(later.dependents).toEqual(["app/prod/web/page"]);
    await admin.moveTo({ stage: "prod", password: PROD, names: ["db"] });
    await using prod = adminOf(two.store, { stage: "prod", password: PROD });
    expect((await prod.show("db", { secrets: true })).resources[0]?.props).toEqual({ value: "hush" });
    expect((await prod.show("web", { secrets: true })).scope?.data).toEqual({ port: 80, token: "whisper" });
    expect((await prod.list()).resources.find(({ fqn }) => fqn === "app/prod/db")?.protect).toBe(true);
    expect(two.world.news()).toEqual([]);
  });

  test("renames a stage: the new one has everything, outputs and data of the stage too, and the old one is empty", async () => {
    const two = await both();
    await two.stages.dev.up(async (app) => {
      await two.stays("kept")();
      await two.moved(app);
      await app.set("region", "eu");
      await app.outputs({ url: new Secret("https://db") });
    });
    await using admin = adminOf(two.store);
    const moved = await admin.moveTo({ stage: "next", all: true });
    expect([moved.isNew, moved.resources.length, moved.hasOutputs]).toEqual([true, 4, false]);
    const next = secretStage({ stateStore: two.store, stage: "next", password: DEV });
    let region: unknown;
    await next.up(async (app) => {
      region = await app.get("region");
      await two.stays("kept")();
      await two.moved(app);
      await app.outputs({ url: new Secret("https://db") });
    });
    expect([region, two.world.news(), next.summary]).toEqual(["eu", [], { unchanged: 4 }]);
    expect((await admin.stages()).map(({ stage }) => stage)).toEqual(["next", "prod"]);
  });

  test("renames an app", async () => {
    const two = await both();
    await using admin = adminOf(two.store);
    await admin.moveTo({ app: "shop", all: true });
    await using shop = adminOf(two.store, { app: "shop" });
    expect((await shop.list()).resources.map(({ fqn }) => fqn)).toEqual(BEFORE.dev.map((key) => `shop/dev/${key}`));
  });

  test("moves back: names are free again, and a copy from between is refused before and accepted after", async () => {
    const two = await both();
    await move(two.store);
    await using admin = adminOf(two.store);
    const [copy] = (await admin.history()).filter(({ resources }) => resources === 4);
    expect(await rejectedCode(admin.restore(copy?.seq ?? 0))).toEqual([
      "DUPLICATE_ID",
      expect.stringContaining("engine state move db web/logo web/page --app app --stage prod --to-stage dev"),
    ]);
    await using prod = adminOf(two.store, { stage: "prod", password: PROD });
    await prod.moveTo({ stage: "dev", password: DEV, names: NAMES });
    expect([await usable(two.store, "dev"), await usable(two.store, "prod")]).toEqual([BEFORE.dev, BEFORE.prod]);
    await admin.restore(copy?.seq ?? 0);
    await two.stages.dev.up(async (app) => {
      await two.stays("kept")();
      await two.moved(app);
    });
    expect([two.world.news(), two.world.names.length]).toEqual([[], 5]);
  });

  test("a resource that is declared again in the source gets another physical name, and adopts nothing", async () => {
    const store = memoryStore();
    const world = new World();
    const Thing = world.type({ read: true });
    const stage = new Stage({ stateStore: store });
    await stage.up(() => Thing("a"));
    await using admin = adminOf(store, { password: undefined });
    const before = (await admin.show("a")).resources[0]?.physicalName;
    await admin.moveTo({ stage: "prod", names: ["a"] });
    world.news();
    await stage.up(() => Thing("a"), { adopt: true });
    expect((await admin.show("a")).resources[0]?.physicalName).not.toBe(before);
    expect(world.news()).toContain("create a");
    expect(await rejectedCode(admin.moveTo({ stage: "prod", names: ["a"] }))).toEqual([
      "DUPLICATE_ID",
      expect.stringContaining('"app/prod/a" exists already'),
    ]);
  });

  test("deletes in the target run in the right order: what moved last depends on nothing of the target", async () => {
    const two = await both();
    await move(two.store);
    const prod = two.stages.prod;
    await prod.up(async (app) => {
      await two.stays("other")();
      await two.moved(app);
    });
    await prod.up(async () => {
      await two.stays("other")();
      await two.Thing("db", { value: new Secret("hush") }, { protect: false });
    });
    expect(two.world.news()).toEqual(["delete logo", "delete page"]);
  });
});

describe("moveTo refuses", () => {
  const refused = async (options: object, setUp?: (two: Awaited<ReturnType<typeof both>>) => Promise<unknown>) => {
    const two = await both();
    await setUp?.(two);
    await using admin = adminOf(two.store);
    const found = await rejectedCode(admin.moveTo({ stage: "prod", password: PROD, names: NAMES, ...options }));
    expect([await usable(two.store, "prod")]).toEqual([BEFORE.prod]);
    return found;
  };

  test("the same stage, no name, a name that is not recorded, and the whole stage as a name", async () => {
    expect(await refused({ stage: "dev" })).toEqual([
      "INVALID_ARGUMENT",
      expect.stringContaining("source and the target"),
    ]);
    expect(await refused({ names: [] })).toEqual(["INVALID_ARGUMENT", expect.stringContaining("--all")]);
    expect(await refused({ names: ["dbb"] })).toEqual(["NOT_RECORDED", expect.stringContaining("app/dev/db")]);
    expect(await refused({ names: ["app/dev"] })).toEqual(["INVALID_ARGUMENT", expect.stringContaining("--all")]);
    expect(await refused({ all: true })).toEqual(["INVALID_ARGUMENT", expect.stringContaining("not both")]);
  });

  test("a wrong password of the target, and a wrong one of the source", async () => {
    expect(await refused({ password: "wrong" })).toEqual(["WRONG_PASSWORD", expect.stringContaining("app/prod")]);
    const two = await both();
    await using admin = adminOf(two.store, { password: "wrong" });
    expect(await rejectedCode(admin.moveTo({ stage: "prod", password: PROD, names: NAMES }))).toEqual([
      "WRONG_PASSWORD",
      expect.stringContaining("app/dev"),
    ]);
  });

  test("a pending resource, unless it is moved as it is: the target then finishes it", async () => {
    const two = await both();
    two.world.fails("create late");
    await two.stages.dev
      .up(async (app) => {
        await two.stays("kept")();
        await two.moved(app);
        await two.Thing("late");
      })
      .catch(() => {});
    two.world.calm();
    two.world.news();
    await using admin = adminOf(two.store);
    const late = { stage: "prod", password: PROD, names: ["late"] };
    expect(await rejectedCode(admin.moveTo(late))).toEqual([
      "UNRESOLVED",
      expect.stringContaining('"app/dev/late" (creating) is pending'),
    ]);
    await admin.moveTo({ ...late, force: true });
    await two.stages.prod.up(async () => {
      await two.stays("other")();
      await two.Thing("late");
    });
    expect(two.world.news()).toEqual(["create late"]);
  });

  test("a child without its parent", async () => {
    const store = memoryStore();
    const world = new World();
    const Thing = world.type();
    const stage = new Stage({ stateStore: store });
    world.on("create home", async () => void (await Thing("part")));
    await stage.up(() => Thing("home"));
    await using admin = adminOf(store, { password: undefined });
    expect(await rejectedCode(admin.moveTo({ stage: "prod", names: ["home/part"] }))).toEqual([
      "INVALID_ARGUMENT",
      expect.stringContaining('"app/dev/home/part" cannot move without "app/dev/home"'),
    ]);
    const { resources } = await admin.moveTo({ stage: "prod", names: ["home"] });
    expect(resources.map(({ to }) => to).sort()).toEqual(["app/prod/home", "app/prod/home/part"]);
  });

  test("a name or data of a scope that the target has", async () => {
    const two = await both();
    await two.stages.prod.up(async () => {
      await two.stays("other")();
      await two.stages.prod.engine.run("web", async (scope) => void (await scope.set("port", 443)));
    });
    await using admin = adminOf(two.store);
    expect(await rejectedCode(admin.moveTo({ stage: "prod", password: PROD, names: ["web"] }))).toEqual([
      "DUPLICATE_ID",
      expect.stringContaining('"app/dev/web" and "app/prod/web" have data named "port"'),
    ]);
  });

  test("a run that holds either stage, and a stage that changes after the plan was shown", async () => {
    const two = await both();
    for (const stage of ["dev", "prod"] as const) {
      const app = await two.stages[stage].open({ lock: "eager" });
      await using admin = adminOf(two.store);
      expect(await rejectedCode(admin.moveTo({ stage: "prod", password: PROD, names: NAMES }))).toEqual([
        "STATE_LOCKED",
        expect.stringContaining(`app/${stage}`),
      ]);
      await app[Symbol.asyncDispose]();
    }
    await using admin = adminOf(two.store);
    const approve = async (): Promise<void> =>
      void (await two.stages.prod.up(async () => {
        await two.stays("other")();
        await two.Thing("db");
      }));
    expect(await rejectedCode(admin.moveTo({ stage: "prod", password: PROD, names: NAMES, approve }))).toEqual([
      "DUPLICATE_ID",
      expect.stringContaining("app/prod/db"),
    ]);
    expect(await usable(two.store, "dev")).toEqual(BEFORE.dev);
  });

  test("to write for a source that was unlocked while it moved: the target lets go of the records again", async () => {
    const two = await both();
    let isUnlocked = false;
    const slow = storeAround(two.store, async ({ value }, act) => {
      const answer = await act();
      if (isUnlocked || !value?.includes("@moving")) return answer;
      isUnlocked = true;
      expect([await usable(two.store, "dev"), await usable(two.store, "prod")]).toEqual([
        BEFORE.dev,
        "STATE_INCOMPLETE",
      ]);
      await using admin = adminOf(two.store);
      await admin.unlock({ force: true });
      return answer;
    });
    expect(await rejectedCode(move(slow))).toEqual(["FENCED", expect.stringContaining("app/dev")]);
    expect([await usable(two.store, "dev"), await usable(two.store, "prod")]).toEqual([BEFORE.dev, BEFORE.prod]);
  });

  test("nothing: two moves in opposite directions at once do not wait for each other for ever", async () => {
    const two = await both();
    await using dev = adminOf(two.store, { lockTimeout: 60_000 });
    await using prod = adminOf(two.store, { stage: "prod", password: PROD, lockTimeout: 60_000 });
    await Promise.all([
      dev.moveTo({ stage: "prod", password: PROD, names: NAMES }),
      prod.moveTo({ stage: "dev", password: DEV, names: ["other"] }),
    ]);
    const [left, right] = [await usable(two.store, "dev"), await usable(two.store, "prod")];
    expect([left, right]).toEqual([["kept", "other"], AFTER.prod.filter((key) => key !== "other")]);
  });
});
