import { describe, expect, it } from "vitest";
import { type EngineOptions, Scope, type ScopeOptions } from "../../../core/contract/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

/** A child scope of an app, for reading its properties. */
async function child(options: EngineOptions = {}, overrides: ScopeOptions = {}): Promise<Scope> {
  await open(options);
  return engine.run("api", overrides, (scope) => scope);
}

describe("a property of the root scope", () => {
  it("name is the app's", async () => expect((await open()).name).toBe("shop"));
  it("scopeName is the stage", async () => expect((await open({ stage: "prod" })).scopeName).toBe("prod"));
  it("appName is the app's", async () => expect((await open()).appName).toBe("shop"));
  it("parent is undefined", async () => expect((await open()).parent).toBeUndefined());
  it("stage is the option", async () => expect((await open({ stage: "prod" })).stage).toBe("prod"));
  it("root is itself", async () => {
    const app = await open();
    expect(app.root).toBe(app);
  });
  it("chain is app and stage", async () => expect((await open()).chain).toEqual(["shop", "dev"]));
  it("resources is an empty map at first", async () => expect((await open()).resources).toEqual(new Map()));
  it("children is an empty map at first", async () => expect((await open()).children).toEqual(new Map()));

  it.each([["up"], ["read"], ["destroy"]] as const)("phase is %s where the option says so", async (phase) => {
    expect((await open({ phase })).phase).toBe(phase);
  });

  it.each([["local"], ["watch"], ["quiet"], ["force"], ["adopt"]] as const)(
    "%s is false by default, and true where the option says so",
    async (name) => {
      expect((await open({}, "default"))[name]).toBe(false);
      expect((await open({ [name]: true }, "asked"))[name]).toBe(true);
    },
  );

  it("tunnel is false by default", async () => expect((await open()).tunnel).toBe(false));
  it("destroyOrphans is true by default", async () => expect((await open()).destroyOrphans).toBe(true));
  it("destroyStrategy is sequential by default", async () => expect((await open()).destroyStrategy).toBe("sequential"));
  it("phase is up by default", async () => expect((await open()).phase).toBe("up"));
  it("profile is undefined by default", async () => expect((await open()).profile).toBeUndefined());
  it("profile is the option", async () => expect((await open({ profile: "work" })).profile).toBe("work"));
  it("password is undefined by default", async () => expect((await open()).password).toBeUndefined());
  it("password is the option", async () => expect((await open({ password: "hunter2" })).password).toBe("hunter2"));
  it("rootDir is the current working directory by default", async () =>
    expect((await open()).rootDir).toBe(process.cwd()));

  it("signal is aborted when the signal of the options is", async () => {
    const controller = new AbortController();
    const app = await open({ signal: controller.signal });
    expect(app.signal.aborted).toBe(false);
    controller.abort("enough");
    expect(app.signal.reason).toMatchObject({ code: "ABORTED", cause: "enough" });
  });

  it("hooks can be tapped", async () => {
    const app = await open();
    const { Thing } = newThings();
    app.hooks.beforeApply.tap("test", ({ fqn }) => {
      throw new Error(`Not ${fqn}.`);
    });
    expect(await rejection(Thing("a"))).toMatchObject({
      message: expect.stringContaining('Plugin "test" failed in hook "beforeApply": Not shop/dev/a.'),
    });
  });

  it("events can be heard", async () => {
    const app = await open();
    const { Thing } = newThings();
    const made: string[] = [];
    app.events.on("resource:created", ({ fqn }) => void made.push(fqn));
    await Thing("a");
    expect(made).toEqual(["shop/dev/a"]);
  });
});

describe("a property of a child scope", () => {
  it("name and scopeName are its own", async () => {
    const { name, scopeName } = await child();
    expect([name, scopeName]).toEqual(["api", "api"]);
  });

  it("appName, stage and root are the app's", async () => {
    const scope = await child({ stage: "prod" });
    expect([scope.appName, scope.stage, scope.root.name]).toEqual(["shop", "prod", "shop"]);
  });

  it("parent is the scope that it was run in", async () => {
    const scope = await child();
    expect(scope.parent).toBe(scope.root);
    expect(scope.root.children.get("api")).toBe(scope);
    const inner = await scope.run(() => engine.run("inner", (innermost) => innermost));
    expect(inner.parent).toBe(scope);
    expect([...scope.children.values()]).toEqual([inner]);
  });

  it("chain ends with its name", async () => expect((await child()).chain).toEqual(["shop", "dev", "api"]));

  it("every option is inherited", async () => {
    const options: EngineOptions = {
      phase: "read",
      local: true,
      watch: true,
      quiet: true,
      force: true,
      adopt: true,
      destroyOrphans: false,
      destroyStrategy: "parallel",
      password: "hunter2",
      profile: "work",
    };
    expect(await child(options)).toMatchObject(options);
  });

  it.each<[string, ScopeOptions]>([
    ["password", { password: "inner" }],
    ["quiet", { quiet: true }],
    ["force", { force: true }],
    ["adopt", { adopt: true }],
    ["local", { local: true }],
    ["watch", { watch: true }],
    ["profile", { profile: "home" }],
    ["destroyStrategy", { destroyStrategy: "parallel" }],
    ["destroyOrphans", { destroyOrphans: false }],
  ])("%s can be its own", async (_name, overrides) => {
    const scope = await child({ password: "outer", profile: "work" }, overrides);
    expect(scope).toMatchObject(overrides);
    expect(scope.root).not.toMatchObject(overrides);
  });
});

describe("resources", () => {
  it("holds what was declared in the scope itself, by id, as pending resources", async () => {
    const app = await open();
    const { Thing } = newThings();
    const a = Thing("a", { text: "1" });
    const inner = await engine.run("inner", async (scope) => {
      await Thing("b");
      return scope;
    });
    expect([...app.resources.keys()]).toEqual(["a"]);
    expect(app.resources.get("a")).toBe(a);
    expect(await app.resources.get("a")).toEqual({ name: "shop-a-dev", text: "1" });
    expect(inner.resources.get("b")).toMatchObject({ id: "b", fqn: "shop/dev/inner/b", scope: inner });
  });

  it("of the returned scope is not empty after resources were declared at top level", async () => {
    const app = await open();
    const { Thing } = newThings();
    await Thing("a");
    expect(app.resources.size).toBe(1);
    expect(await app.has("a")).toBe(true);
  });
});

describe("Scope", () => {
  it("is what engine() and engine.run give", async () => {
    expect(await child()).toBeInstanceOf(Scope);
    expect({}).not.toBeInstanceOf(Scope);
  });
});
