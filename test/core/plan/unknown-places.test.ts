import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { newNetwork, type Planned, said, setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

/** A plan of a program that uses the address of a replaced network. */
async function planWith(use: (address: string, planned: Planned) => unknown) {
  const planned = setUpPlans();
  const Network = newNetwork();
  await planned.stage.up(() => Promise.all([Network("net", { name: "main", zone: "x" }), planned.Thing("old")]));
  return planned.plan(async () => {
    const { address } = await Network("net", { name: "main", zone: "y" });
    await planned.Thing("old");
    await use(address, planned);
  });
}

const ADDRESS = "app/dev/net.address";

describe("in a plan, a value that is not known", () => {
  test.each<[string, (address: string, planned: Planned) => unknown, string]>([
    ["an id", (address, { Thing }) => Thing(address), `An id "(${ADDRESS})" depends on`],
    ["part of an id", (address, { Thing }) => Thing(`b-${address}`), `An id "b-(${ADDRESS})" depends on`],
    ["the name of a scope", (address, { stage }) => stage.engine.run(address, () => {}), `A scope name "(${ADDRESS})"`],
    [
      "part of the name of a scope",
      (address, { stage, Thing }) => stage.engine.run(`s-${address}`, () => Thing("old")),
      `A scope name "s-(${ADDRESS})" depends on`,
    ],
    ["the name of an app", (address, { stage }) => stage.engine.ref(address), `An app name "(${ADDRESS})" depends on`],
    [
      "an option of a scope",
      (address, { stage }) => stage.engine.run("s", { profile: address }, () => {}),
      `${ADDRESS} is not known yet, so it cannot be the option "profile"`,
    ],
    [
      "an earlier name",
      (address, { Thing }) => Thing("new", {}, { aliases: [`a-${address}`] }),
      `an option "aliases" that depends on a value that is not known yet: a-(${ADDRESS})`,
    ],
    [
      "an option of a resource",
      (address, { Thing }) => Thing("new", {}, { timeout: Reflect.get(Object(address), "ms") }),
      `an option "timeout" that depends on a value that is not known yet: (${ADDRESS}.ms)`,
    ],
    ["frozen", (address) => Object.freeze(address), `${ADDRESS} is not known yet, so it cannot be frozen`],
    [
      "read as JSON on the way into props",
      (address, { Thing }) => Thing("new", { value: read(address) }),
      "not valid JSON",
    ],
  ])("that is %s ends the path of the program there", async (_what, use, stopped) => {
    const made = await planWith(use);
    expect(made.stopped).toContain(stopped);
    expect(made.errors).toEqual([]);
    expect(made.actions.map(({ action }) => action)).toEqual(["replace"]);
  });

  test("may be destroyed by the object that stands for it", async () => {
    const planned = setUpPlans();
    const Network = newNetwork();
    await planned.stage.up(() => Network("net", { name: "main", zone: "x" }));
    const made = await planned.plan(async () => {
      const net = await Network("net", { name: "main", zone: "y" });
      await planned.stage.engine.destroy(net);
    });
    expect(made.stopped).toBeUndefined();
    expect(said(made)).toContain("delete net: destroyed");
  });

  test("excuses no props that a schema refuses whatever it turns out to be", async () => {
    const validate = () => ({ issues: [{ message: "never" }] });
    const Refused = Resource<{ ok: boolean }, { value: unknown }, { value: unknown }>(newKind(), {
      create: () => ({ ok: true }),
      schema: { "~standard": { version: 1, vendor: "test", validate } },
    });
    await expect(planWith(() => Refused("no", { value: 1 }))).rejects.toMatchObject({
      errors: [{ code: "INVALID_PROPS" }],
    });
  });
});

async function read(text: string): Promise<unknown> {
  return JSON.parse(`${text}`);
}

describe("in a plan, what was not there before", () => {
  test("may be destroyed, and declared again, like anything", async () => {
    const { plan, stage, world } = setUpPlans();
    const types = [world.type(), world.type({ read: true }), world.type({ verify: true, short: false })];
    const program = async () => {
      for (const [index, Type] of types.entries()) {
        const made = Type(`t${index}`, { value: 1 });
        await made;
        await Type(`t${index}`, { value: 1 });
        await stage.engine.destroy(made);
        await Type(`t${index}`, { value: 1 });
      }
    };
    const made = await plan(program, { reapply: true });
    expect(world.calls.filter((call) => !call.startsWith("read"))).toEqual([]);
    const each = (id: string) => [
      `create ${id}: not recorded`,
      `delete ${id}: destroyed`,
      `create ${id}: not recorded`,
    ];
    expect(said(made)).toEqual(["t0", "t1", "t2"].flatMap(each));
    await stage.up(program, { reapply: true });
    expect(stage.summary).toEqual({ created: 6, deleted: 3, unchanged: 3 });
  });
});
