import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/secret-stage.ts";
import { recordOf, Stage } from "../../helpers/stage.ts";
import { World } from "../../helpers/world.ts";

function setUp() {
  const world = new World();
  return { world, Thing: world.type() };
}

describe("two runs that begin the same stage", () => {
  test("do not both make its key: the second is told to run again, and then reads what the first wrote", async () => {
    const { world, Thing } = setUp();
    const stateStore = memoryStore();
    const [one, two] = [secretStage({ stateStore }), secretStage({ stateStore })];
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
    expect(two.summary).toEqual({ created: 1, skipped: 1 });
    expect(recordOf(app, "b")).toBeDefined();
  });

  test("are not held up where the first used no secret, but for the name of the state that secrets are bound to", async () => {
    const { Thing } = setUp();
    const stateStore = memoryStore();
    const two = secretStage({ stateStore });
    const second = await two.open();
    await new Stage({ stateStore }).up(() => Thing("a"), { destroyOrphans: false });
    const late = second.run(() => Thing("b", { value: new Secret("of the second") }));
    await expect(late).rejects.toMatchObject({ code: "STATE_MOVED" });
    await second.finalize().catch(() => {});
    await two.up(() => Promise.all([Thing("a"), Thing("b", { value: new Secret("of the second") })]));
    await two.up(() => Promise.all([Thing("a"), Thing("b", { value: new Secret("of the second") })]));
    expect(two.summary).toEqual({ skipped: 2 });
  });

  test("bind their secrets to the state that the first began, where the second has met it with a plain change", async () => {
    const { Thing } = setUp();
    const stateStore = memoryStore();
    const two = secretStage({ stateStore });
    const second = await two.open();
    await new Stage({ stateStore }).up(() => Thing("a"));
    await second.run(async () => {
      await Thing("plain");
      await Thing("b", { value: new Secret("of the second") });
    });
    await second.finalize({ noop: true });
    const all = () => Promise.all([Thing("a"), Thing("plain"), Thing("b", { value: new Secret("of the second") })]);
    await two.up(all);
    expect(two.summary).toEqual({ skipped: 3 });
  });
});
