/** Slips of plugins that veto. */
import { describe, expect, test } from "vitest";
import type { EngineHooks } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp(...taps: ((hooks: EngineHooks) => void)[]) {
  const world = new World();
  const plugins = taps.map((tap, index) => definePlugin({ name: `p${index}`, apply: ({ hooks }) => tap(hooks) }));
  return { world, Thing: world.type(), stage: new Stage({ plugins }) };
}

let vetoLate = (): void => {};
const tooLate = ({ beforeApply }: EngineHooks) =>
  beforeApply.tap("p0", ({ veto }) => {
    vetoLate = () => veto("it was not approved");
  });
const silent = ({ beforeApply }: EngineHooks) => beforeApply.tap("p1", () => {});

describe("a veto", () => {
  test.each([
    ["it", [tooLate], 'plugin "p0"'],
    ["one of several", [tooLate, silent], 'one of the plugins "p0", "p1"'],
  ])("whose plugin did not wait for what %s asked fails the run, though it refuses nothing", async (_, taps, whose) => {
    const { world, Thing, stage } = setUp(...taps);
    world.on("create a", () => vetoLate());
    const message = `"app/dev/a" may not be created: it was not approved (${whose}). This veto came when all taps had ended, and refused nothing. Let the tap await what it asks.`;
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "PLUGIN_FAILED", fqn: "app/dev/a", message },
    ]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("without a reason says that there is none", async () => {
    const { Thing, stage } = setUp(({ beforeApply }) =>
      beforeApply.tap("p0", ({ veto }) => Reflect.apply(veto, undefined, [])),
    );
    const message = '"app/dev/a" may not be created: no reason was given (plugin "p0")';
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "VETOED", message }]);
  });
});
