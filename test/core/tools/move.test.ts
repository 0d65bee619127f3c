import { describe, expect, test } from "vitest";
import type { MoveOptions } from "../../../plugins/admin/operations/index.js";
import { move } from "../../../plugins/admin/operations/move.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { closedApp } from "../../helpers/apps/closed-app.js";
import { PASSWORD, secretStage, secretWorld } from "../../helpers/apps/secret-stage.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom } from "../../helpers/stores/journals.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

async function moving(stage: ReturnType<typeof secretStage>, options: MoveOptions, password: string = PASSWORD) {
  return move(await closedApp(stage, { password }), stage.store, options);
}

describe("a resource that is moved", () => {
  test("is what the program declares under its new name, unchanged", async () => {
    const { world, Thing, stage } = secretWorld();
    const before = recordsOf(await stage.up(() => Thing("a", { value: { key: new Secret("hush") } })));
    expect(await moving(stage, { from: "a", to: "b" })).toEqual({
      from: "app/dev/a",
      to: "app/dev/b",
      resources: ["app/dev/a"],
    });
    const app = await stage.up(() => Thing("b", { value: { key: new Secret("hush") } }));
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(recordsOf(app)).toEqual(before.map((record) => ({ ...record, key: "b" })));
    expect(world.calls).toEqual(["create a"]);
  });

  test("takes its children along, and the secret data of the scopes that its handler opened", async () => {
    const { world, Thing, stage } = secretWorld();
    world.on("create a", () =>
      stage.engine.run("inner", async (scope) => {
        await scope.set("key", new Secret("inside"));
        await Thing("deep");
      }),
    );
    await stage.up(() => Thing("a", { value: 1 }));
    const { resources } = await moving(stage, { from: "app/dev/a", to: "app/dev/s/b" });
    expect(resources).toEqual(["app/dev/a", "app/dev/a/inner/deep"]);
    const { contents, head } = await loadFrom(stage.store);
    expect([...contents.records.values()].map(({ key }) => key).sort()).toEqual(["s/b", "s/b/inner/deep"]);
    expect(head.open).toBeUndefined();
    const seen: unknown[] = [];
    world.on("update b", () =>
      stage.engine.run("inner", async (scope) => {
        seen.push(await scope.get("key"));
        await Thing("deep");
      }),
    );
    await stage.up(() => stage.engine.run("s", () => Thing("b", { value: 2 })));
    expect(seen).toMatchObject([{ unencrypted: "inside" }]);
    expect(stage.summary).toEqual({ updated: 1, unchanged: 1 });
  });
});

describe("a scope that is moved", () => {
  test("has all that was in it, its secret data too", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() =>
      stage.engine.run("s", async (scope) => {
        await scope.set("token", new Secret("of the scope"));
        await Thing("a", { value: 1 });
      }),
    );
    await moving(stage, { from: "s", to: "t" });
    const seen: unknown[] = [];
    await stage.up(() =>
      stage.engine.run("t", async (scope) => {
        seen.push(await scope.get("token"));
        await Thing("a", { value: 1 });
      }),
    );
    expect(seen).toMatchObject([{ unencrypted: "of the scope" }]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    const { contents } = await loadFrom(stage.store);
    expect([...contents.data.keys()].filter((owner) => owner.startsWith("/"))).toEqual(["/t"]);
  });

  test("is distinguished from a resource of its name by a slash", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(async () => {
      await Thing("s");
      await stage.engine.run("s", () => Thing("a"));
    });
    expect((await moving(stage, { from: "s/", to: "t" })).resources).toEqual(["app/dev/s/a"]);
    expect((await moving(stage, { from: "s", to: "u" })).resources).toEqual(["app/dev/s"]);
  });

  test("stays where it is while the password of its secrets is missing, or is another one", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() =>
      stage.engine.run("s", async (scope) => {
        await scope.set("token", new Secret("of the scope"));
        await Thing("a", { value: 1 });
      }),
    );
    const before = await snapshot(stage.store);
    const app = await closedApp(secretStage({ stateStore: stage.store, password: undefined }));
    expect((await rejectedCode(move(app, stage.store, { from: "s", to: "t" })))[0]).toBe("PASSWORD_REQUIRED");
    expect((await rejectedCode(moving(stage, { from: "s", to: "t" }, "wrong")))[0]).toBe("WRONG_PASSWORD");
    expect(await snapshot(stage.store)).toEqual(before);
  });
});

describe("a move is refused", () => {
  test.each([
    ["of what is not recorded, naming what is near", "appel", "b", "NOT_RECORDED", 'Did you mean "app/dev/apple"?'],
    ["to a name that is taken", "apple", "pear", "DUPLICATE_ID", '"app/dev/pear"'],
    ["of a scope to where a resource is", "s", "pear", "DUPLICATE_ID", '"app/dev/pear"'],
    ["of a scope to where another scope is", "s", "t", "DUPLICATE_ID", '"app/dev/t"'],
    ["to the name that it has", "apple", "app/dev/apple", "INVALID_ARGUMENT", "already"],
    ["into itself", "s", "app/dev/s/inner", "INVALID_ARGUMENT", "into itself"],
    ["to another stage", "apple", "app/prod/apple", "INVALID_ARGUMENT", "another stage"],
    ["of the stage", "app/dev", "x", "INVALID_ARGUMENT", "whole stage"],
    ["to what is no name", "apple", "..", "INVALID_NAME", "relative path"],
    ["of an id that several have", "inner", "x", "INVALID_ARGUMENT", '"app/dev/s/inner", "app/dev/t/inner"'],
  ])("%s", async (_, from, to, code, message) => {
    const { Thing, stage } = secretWorld();
    await stage.up(async () => {
      await Thing("apple");
      await Thing("pear");
      await stage.engine.run("s", () => Thing("inner"));
      await stage.engine.run("t", () => Thing("inner"));
    });
    const before = await snapshot(stage.store);
    expect(await rejectedCode(moving(stage, { from, to }))).toEqual([code, expect.stringContaining(message)]);
    expect(await snapshot(stage.store)).toEqual(before);
  });

  test("of what is pending, unless it is forced", async () => {
    const { world, Thing, stage } = secretWorld();
    world.on("create a", () => {
      throw new Error("broken");
    });
    await stage.failures(() => Thing("a"));
    expect((await rejectedCode(moving(stage, { from: "a", to: "b" })))[0]).toBe("UNRESOLVED");
    await moving(stage, { from: "a", to: "b", force: true });
    const { contents } = await loadFrom(stage.store);
    expect(contents.at("b")).toMatchObject({ status: "creating" });
  });

  test("by the user, and nothing has changed", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a"));
    const before = await snapshot(stage.store);
    const approve = () => {
      throw new Error("no");
    };
    await expect(moving(stage, { from: "a", to: "b", approve })).rejects.toThrow("no");
    expect(await snapshot(stage.store)).toEqual(before);
  });

  test("while a run is at work", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a"));
    const running = await stage.open();
    await running.run(() => Thing("c"));
    expect((await rejectedCode(moving(stage, { from: "a", to: "b" })))[0]).toBe("STATE_LOCKED");
    await running.finalize({ noop: true });
  });
});
