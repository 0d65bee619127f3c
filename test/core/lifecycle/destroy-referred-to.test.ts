import { describe, expect, test } from "vitest";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp() {
  const world = new World();
  const stage = new Stage();
  return { world, Thing: world.type(), stage, destroy: stage.engine.destroy };
}

describe("engine.destroy of what another resource refers to", () => {
  test.each(["props", "dependsOn"] as const)("is refused before anything is deleted: %s", async (how) => {
    const { world, Thing, stage, destroy } = setUp();
    world.on("create net", async () => void (await Thing("part")));
    await stage.up(async () => {
      const net = Thing("net");
      await (how === "props" ? Thing("web", { uses: net }) : Thing("web", {}, { dependsOn: [net] }));
      await expect(destroy(net)).rejects.toMatchObject({
        code: "DEPENDENTS_LEFT_OUT",
        fqn: "app/dev/net",
        message:
          '"app/dev/net" is not deleted: "app/dev/web", which refers to it, stays. Destroy "app/dev/web" first, or declare it without that reference.',
      });
    });
    expect(world.names).toEqual(["net#2", "part#1", "web#3"]);
  });

  test("is refused where only an earlier run has recorded that", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(() => Thing("web", { uses: Thing("net") }));
    const app = await stage.open();
    await app.run(async () => {
      const net = await Thing("net");
      await expect(destroy(net)).rejects.toMatchObject({ code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/net" });
      await Thing("web", { uses: net });
    });
    await app.finalize();
    expect(world.names).toEqual(["net#1", "web#2"]);
  });

  test("is refused in a plan as well", async () => {
    const { Thing, stage, destroy } = setUp();
    await stage.up(() => Thing("web", { uses: Thing("net") }));
    const app = await stage.open({ plan: true });
    await app.run(() => expect(destroy(Thing("net"))).rejects.toMatchObject({ code: "DEPENDENTS_LEFT_OUT" }));
    await app.finalize({ noop: true });
  });

  test("is refused for a scope where something outside refers to what is in it", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const net = await stage.engine.run("s", () => Thing("net"));
      await Thing("web", { uses: net });
      const refusal = { code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/s/net" };
      await stage.engine.run("s", () => expect(destroy()).rejects.toMatchObject(refusal));
    });
    expect(world.names).toEqual(["net#1", "web#2"]);
  });

  test("goes on for a scope with all that refers to what is in it", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const app = await stage.up(() =>
      stage.engine.run("s", async () => {
        await Thing("web", { uses: Thing("net") });
        await destroy();
      }),
    );
    expect(world.calls.slice(2)).toEqual(["delete web", "delete net"]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("goes on once that was destroyed, or does not refer to it any more", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const [net, db] = await Promise.all([Thing("net"), Thing("db")]);
      const web = await Thing("web", { uses: [net, db] });
      await destroy(web);
      await destroy(net);
    });
    expect(world.names).toEqual(["db#2"]);
    await stage.up(async () => {
      await Thing("api", { uses: await Thing("db") });
    });
    const app = await stage.open();
    await app.run(async () => {
      const db = await Thing("db");
      await Thing("api");
      await destroy(db);
    });
    await app.finalize();
    expect(world.names).toEqual(["api#4"]);
  });
});
