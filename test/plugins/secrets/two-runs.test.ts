import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { recordOf, Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

function setUp() {
  const world = new World();
  const stateStore = memoryStore();
  return {
    world,
    Thing: world.type(),
    stateStore,
    sealed: () => secretStage({ stateStore }),
  };
}

/** A stage without a password, and a scope in it that has one. */
function setUpTenant() {
  const made = setUp();
  const two = secretStage({ stateStore: made.stateStore, password: undefined });
  const inTenant = <T>(work: () => Promise<T>): Promise<T> =>
    two.engine.run("tenant", { password: "the tenant's own" }, work);
  return { ...made, two, inTenant };
}

describe("two runs that begin the same stage", () => {
  test("do not both make its key: the second must run again, and then reads what the first wrote", async () => {
    const { world, Thing, sealed } = setUp();
    const [one, two] = [sealed(), sealed()];
    const [first, second] = [await one.open(), await two.open()];
    await first.run(() => Thing("a", { value: new Secret("of the first") }));
    await first.finalize();
    const late = second.run(() => Thing("b", { value: new Secret("of the second") }));
    await expect(late).rejects.toMatchObject({ code: "STATE_MOVED" });
    await expect(second.finalize()).rejects.toThrow();
    expect(world.calls).toEqual(["create a"]);
    const app = await two.up(() =>
      Promise.all([
        Thing("a", { value: new Secret("of the first") }),
        Thing("b", { value: new Secret("of the second") }),
      ]),
    );
    expect(two.summary).toEqual({ created: 1, unchanged: 1 });
    expect(recordOf(app, "b")).toBeDefined();
  });

  test("do not both make its key where neither has a secret either: it goes with the first change of any kind", async () => {
    const { world, Thing, stateStore, sealed } = setUp();
    const [one, two] = [sealed(), sealed()];
    const second = await two.open();
    await one.up(() => Thing("a"), { destroyOrphans: false });
    const before = await textIn(stateStore);
    await expect(second.run(() => Thing("plain"))).rejects.toMatchObject({ code: "STATE_MOVED" });
    await second.finalize().catch(() => {});
    expect(world.calls).toEqual(["create a"]);
    expect(await textIn(stateStore)).toBe(before);
    const all = () => Promise.all([Thing("a"), Thing("plain"), Thing("b", { value: new Secret("of the second") })]);
    await two.up(all);
    await one.up(all);
    expect(one.summary).toEqual({ unchanged: 3 });
  });

  test("are not held up where nothing seals it, but for the name of the state that secrets of a scope are bound to", async () => {
    const { Thing, two, inTenant, stateStore } = setUpTenant();
    const second = await two.open();
    await new Stage({ stateStore }).up(() => Thing("a"), { destroyOrphans: false });
    const late = second.run(() => inTenant(() => Thing("b", { value: new Secret("of the second") })));
    await expect(late).rejects.toMatchObject({ code: "STATE_MOVED" });
    await second.finalize().catch(() => {});
    const all = () => Promise.all([Thing("a"), inTenant(() => Thing("b", { value: new Secret("of the second") }))]);
    await two.up(all);
    await two.up(all);
    expect(two.summary).toEqual({ unchanged: 2 });
  });

  test("bind the secrets of a scope to the state that the first began, where the second has met it with a plain change", async () => {
    const { Thing, two, inTenant, stateStore } = setUpTenant();
    const second = await two.open();
    await new Stage({ stateStore }).up(() => Thing("a"));
    const tenants = () => inTenant(() => Thing("b", { value: new Secret("of the second") }));
    await second.run(async () => {
      await Thing("plain");
      await tenants();
    });
    await second.finalize({ noop: true });
    await two.up(() => Promise.all([Thing("a"), Thing("plain"), tenants()]));
    expect(two.summary).toEqual({ unchanged: 3 });
  });

  test("of which the second alone has a password do not share it: to that one, nothing proves what the first has done", async () => {
    const { world, Thing, stateStore, sealed } = setUp();
    const bare = new Stage({ stateStore });
    const two = sealed();
    const second = await two.open();
    await bare.up(() => Thing("a"));
    const before = await textIn(stateStore);
    const late = second.run(() => Thing("b", { value: new Secret("of the second") }));
    await expect(late).rejects.toMatchObject({ code: "STATE_FORGED" });
    await expect(second.run(() => Thing("c"))).rejects.toMatchObject({ code: "STATE_FORGED" });
    await second.finalize().catch(() => {});
    await expect(two.open()).rejects.toMatchObject({ code: "STATE_FORGED" });
    expect(world.calls).toEqual(["create a"]);
    expect(await textIn(stateStore)).toBe(before);
    await bare.up(() => Thing("a"));
    expect(bare.summary).toEqual({ unchanged: 1 });
  });

  test("of which the first alone has a password do not share it: the second changes nothing without", async () => {
    const { world, Thing, stateStore, sealed } = setUp();
    const bare = new Stage({ stateStore });
    const second = await bare.open();
    await sealed().up(() => Thing("a"));
    const before = await textIn(stateStore);
    await expect(second.run(() => Thing("b"))).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    await second.finalize().catch(() => {});
    expect(world.calls).toEqual(["create a"]);
    expect(await textIn(stateStore)).toBe(before);
  });
});
