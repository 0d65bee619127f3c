import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { type HandlerBase, Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

let look: (context: HandlerBase) => unknown = () => undefined;
const looking = async (context: HandlerBase): Promise<object> => {
  await look(context);
  return {};
};
const Looking = Resource<object, object>("test:LookingAtContext", {
  create: looking,
  update: looking,
  delete: () => {},
});

/** The context of a handler when `id` is created in the current scope. */
async function contextOf(id: string): Promise<HandlerBase> {
  let seen: HandlerBase | undefined;
  look = (context) => {
    seen = context;
  };
  await Looking(id);
  if (!seen) throw new Error("The handler was not called.");
  return seen;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("the context of a handler", () => {
  it("says which resource it is about", async () => {
    await open({ stage: "prod" });
    const context = await engine.run("eu", () => contextOf("queue"));
    expect(context).toMatchObject({ id: "queue", fqn: "shop/prod/eu/queue", stage: "prod" });
    expect(context.uid).toMatch(uuid);
    expect(context.physicalName).toBe("shop-eu-queue-prod");
  });

  it("has the scope that the resource was declared in, whose names are right", async () => {
    await open();
    const scope = await engine.run("eu", async (eu) => {
      expect((await contextOf("queue")).scope).toBe(eu);
      return eu;
    });
    expect(scope.createPhysicalName("queue")).toBe("shop-eu-queue-dev");
  });

  it("of a create has no changes and no output, and is the first attempt", async () => {
    await open();
    const context = await contextOf("a");
    expect(context).toMatchObject({ changes: [], attempt: 1, recovering: false, isReplacement: false });
    expect(context.token).toMatch(uuid);
    expect(Reflect.get(context, "output")).toBeUndefined();
  });

  it.each([["local"], ["watch"], ["adopt"], ["force"], ["quiet"]] as const)("has the scope's %s", async (name) => {
    await open();
    const [off, on] = [await contextOf("off"), await engine.run("child", { [name]: true }, () => contextOf("on"))];
    expect([off[name], on[name]]).toEqual([false, true]);
  });

  it("has the profile and the tunnel of the run", async () => {
    await open({ profile: "work" });
    expect(await contextOf("a")).toMatchObject({ profile: "work", tunnel: false });
  });

  it("has adopt of the resource's own options", async () => {
    await open();
    let adopt: unknown;
    look = (context) => {
      adopt = context.adopt;
    };
    await Looking("a", {}, { adopt: true });
    expect(adopt).toBe(true);
  });

  it("has a signal that is aborted when the run is", async () => {
    const controller = new AbortController();
    const app = await open({ signal: controller.signal });
    look = ({ signal }) => {
      controller.abort();
      expect(signal.aborted).toBe(true);
    };
    await Looking("a");
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", errors: [{ code: "ABORTED" }] });
  });

  it("stores data that belongs to the resource alone and goes with it", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore, force: true });
    look = (context) => context.set("key", context.id);
    await Promise.all([Looking("a"), Looking("b")]);
    await app.finalize();
    const values: unknown[] = [];
    look = async (context) => values.push(await context.get("key"));
    await app.run(() => Looking("a"));
    await app.finalize();
    expect(values).toEqual(["a"]);
    look = async (context) => {
      await context.delete("key");
      values.push(await context.get("key"));
    };
    await app.run(async () => [await Looking("a"), await Looking("b")]);
    expect(values).toEqual(["a", undefined, undefined]);
    expect(await app.get("key")).toBeUndefined();
  });

  it("logs a line with the resource it is about", async () => {
    const heard = recorder();
    await open({ plugins: [heard.plugin] });
    look = (context) => context.log("Half-way.");
    await Looking("a");
    expect(heard.events).toContainEqual({
      type: "resource:log",
      kind: "test:LookingAtContext",
      id: "a",
      fqn: "shop/dev/a",
      message: "Half-way.",
    });
  });

  it.each<[string, (context: HandlerBase) => unknown]>([
    ["replace", (context) => context.replace()],
    ["destroy", (context) => context.destroy()],
  ])("refuses %s() in a create", async (method, call) => {
    await open();
    look = (context) => call(context);
    expect(await rejection(Looking("a"))).toMatchObject({
      code: "INVALID_CALL",
      fqn: "shop/dev/a",
      message: expect.stringContaining(`this.${method}() was called in the phase "create" of "shop/dev/a"`),
    });
  });
});

describe("resources that are declared in a handler", () => {
  it("nest under their resource by themselves", async () => {
    const app = await open();
    const things = newThings();
    const { Thing } = newThings();
    const seen: string[] = [];
    things.inside = async (fqn, scope) => {
      seen.push(scope.chain.join("/"), Scope.current.chain.join("/"), (await Thing("child")).name, fqn);
    };
    await things.Thing("parent");
    expect(seen).toEqual(["shop/dev", "shop/dev/parent", "shop-parent-child-dev", "shop/dev/parent"]);
    expect(app.children.get("parent")?.resources.get("child")?.fqn).toBe("shop/dev/parent/child");
    expect([...app.resources.keys()]).toEqual(["parent"]);
  });

  it("run in scopes of the handler's own, which nest as well", async () => {
    await open();
    const things = newThings();
    const { Thing, there } = newThings();
    things.inside = async () => {
      await engine.run("scope", () => Thing("child"));
    };
    await things.Thing("parent");
    expect([...there.keys()]).toEqual(["shop/dev/parent/scope/child"]);
  });

  it("do not wait for ever where only one handler may run at once", async () => {
    await open({ concurrency: 1 });
    const things = newThings();
    const { Thing, there } = newThings();
    things.inside = async () => {
      await Promise.all([Thing("a"), Thing("b"), engine.run("scope", () => Thing("c"))]);
    };
    await things.Thing("parent");
    expect(there.size).toBe(3);
  });
});
