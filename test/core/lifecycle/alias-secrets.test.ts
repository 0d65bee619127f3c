import { describe, expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretWorld } from "../../helpers/apps/secret-stage.js";
import { recordOf, recordsOf } from "../../helpers/apps/stage.js";

const props = (text = "hush") => ({ value: { key: new Secret(text) } });

describe("a resource that takes over what is recorded under an earlier name", () => {
  test("has its secrets just as they were encrypted", async () => {
    const { world, Thing, stage } = secretWorld();
    const first = recordOf(await stage.up(() => Thing("a", props())), "a");
    const app = await stage.up(() => Thing("b", props(), { aliases: ["a"] }));
    expect(recordsOf(app)).toEqual([{ ...first, key: "b" }]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("has them under the password of its new scope", async () => {
    const { world, Thing, stage } = secretWorld();
    const own = { password: "another one" };
    world.on("create a", ({ set }) => set("token", new Secret("of the resource")));
    await stage.up(() => stage.engine.run("s", own, () => Thing("a", props())));
    const moving = async () => {
      await stage.engine.run("s", own, () => {});
      await Thing("b", props(), { aliases: ["app/dev/s/a"] });
    };
    await stage.up(moving);
    expect(stage.summary).toEqual({ skipped: 1 });
    const seen: unknown[] = [];
    world.on("update b", async ({ get, output }) => {
      seen.push(await get<Secret>("token"), output);
    });
    await stage.up(() => Thing("b", props("louder")));
    expect(seen).toMatchObject([
      { unencrypted: "of the resource" },
      { thing: "a#1", value: { key: { unencrypted: "hush" } } },
    ]);
  });

  test("has those that it had before an update which failed", async () => {
    const { world, Thing, stage } = secretWorld();
    const own = { password: "another one" };
    await stage.up(() => stage.engine.run("s", own, () => Thing("a", props())));
    world.fails("update a");
    await stage.failures(() => stage.engine.run("s", own, () => Thing("a", props("louder"))));
    const seen: unknown[] = [];
    world.on("update b", (context) => void seen.push(Reflect.get(context, "previous"), context.props));
    const moving = async () => {
      await stage.engine.run("s", own, () => {});
      await Thing("b", props("loudest"), { aliases: ["app/dev/s/a"] });
    };
    await stage.up(moving);
    expect(seen).toMatchObject([
      { value: { key: { unencrypted: "hush" } } },
      { value: { key: { unencrypted: "loudest" } } },
    ]);
  });

  test("has them in the phase read, before any up has moved it", async () => {
    const { Thing, stage } = secretWorld();
    const own = { password: "another one" };
    await stage.up(() => stage.engine.run("s", own, () => Thing("a", props())));
    const app = await stage.open({ phase: "read" });
    const output = await app.run(async () => {
      await stage.engine.run("s", own, () => {});
      return Thing("b", props(), { aliases: ["app/dev/s/a"] });
    });
    expect(output).toMatchObject({ thing: "a#1", value: { key: { unencrypted: "hush" } } });
    await app.finalize();
  });

  test("stays where it is while the password of its old scope is not given", async () => {
    const { world, Thing, stage } = secretWorld();
    const own = { password: "another one" };
    await stage.up(() => stage.engine.run("s", own, () => Thing("a", props())));
    expect(await stage.failures(() => Thing("b", props(), { aliases: ["app/dev/s/a"] }))).toMatchObject([
      { code: "PASSWORD_REQUIRED", fqn: "app/dev/s/a", message: expect.stringContaining('the scope "s"') },
    ]);
    await stage.up(() => stage.engine.run("s", own, () => Thing("a", props())));
    expect(stage.summary).toEqual({ skipped: 1 });
    expect(world.calls).toEqual(["create a"]);
  });

  test("has the secret data of the scopes that its handler opened", async () => {
    const { world, Thing, stage } = secretWorld();
    world.on("create a", async () => {
      await stage.engine.run("inner", async (scope) => {
        await scope.set("key", new Secret("inside"));
        await Thing("deep");
      });
    });
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("b", { value: 1 }, { aliases: ["a"] }));
    const seen: unknown[] = [];
    world.on("update b", () =>
      stage.engine.run("inner", async (scope) => {
        seen.push(await scope.get("key"));
        await Thing("deep");
      }),
    );
    await stage.up(() => Thing("b", { value: 2 }));
    expect(seen).toMatchObject([{ unencrypted: "inside" }]);
  });
});
