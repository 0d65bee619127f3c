import { describe, expect, test } from "vitest";
import type { ResourceOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

const FIRST = { deleteBeforeReplace: true };

/** The service refuses to delete "net" while another resource uses it. */
function setUp(options: TypeOptions = {}) {
  const { world, Thing, stage } = newWorld({ replaceOn: ["name"], ...options });
  world.on("delete net", ({ output }) => {
    const { thing } = Object(output);
    for (const [name, { uses }] of world.things) {
      if (Object(uses).thing === thing) throw new Error(`in use by ${name}`);
    }
  });
  return { world, Thing, stage };
}

type Setup = ReturnType<typeof setUp>;

/** A way to give "vm" a reference to "net". */
type Refer = (
  net: ReturnType<Setup["Thing"]>,
) => Promise<{ readonly uses?: unknown; readonly options?: ResourceOptions }>;

const ways: Readonly<Record<string, Refer>> = {
  "a pending resource": async (net) => ({ uses: net }),
  "an output": async (net) => ({ uses: await net }),
  dependsOn: async (net) => ({ uses: { thing: (await net).thing }, options: { dependsOn: [net] } }),
};

const program =
  ({ Thing }: Setup, refer: Refer, name: string, options: ResourceOptions = FIRST) =>
  async () => {
    const net = Thing("net", { name }, options);
    const { uses, options: its = {} } = await refer(net);
    await Thing("vm", { uses }, its);
  };

describe("a service that refuses to delete what is to be replaced, because it is in use", () => {
  test.each(Object.entries(ways))(
    "is reported with the dependent and the ways out, if it is recorded by %s",
    async (_, refer) => {
      const setup = setUp();
      const { stage, world } = setup;
      await stage.up(program(setup, refer, "one"));
      const [failure] = await stage.failures(program(setup, refer, "two"));
      expect(String(failure)).toContain(
        'delete of "app/dev/net" failed: in use by vm#2. The resource is deleted before its replacement is created, but "app/dev/vm" refers to it. Create the replacement first: set deleteBeforeReplace: false. Or let a plan delete such dependents first: engine plan --out plan.json, then engine up --plan plan.json.',
      );
      expect(world.names).toEqual(["net#1", "vm#2"]);
    },
  );

  test("leaves the stage as it was: the change can be reverted, or made by creating first", async () => {
    const setup = setUp({ read: true });
    const { stage, world } = setup;
    const refer = ways["a pending resource"] as Refer;
    await stage.up(program(setup, refer, "one"));
    await stage.failures(program(setup, refer, "two"));
    await stage.up(program(setup, refer, "one"));
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(stage.record("net")).toMatchObject({ status: "ready", deleteFailed: undefined });
    await stage.up(program(setup, refer, "two", {}));
    expect(world.names).toEqual(["net#3", "vm#2"]);
    expect(world.things.get("vm#2")?.uses).toMatchObject({ thing: "net#3" });
  });

  test("names a resource that only has its value as one that may be using it", async () => {
    const { world, Thing, stage } = setUp();
    const by = (name: string) => async () => {
      const { thing } = await Thing("net", { name }, FIRST);
      await Thing("vm", { uses: { thing } });
    };
    await stage.up(by("one"));
    const [failure] = await stage.failures(by("two"));
    expect(String(failure)).toMatch(/"app\/dev\/vm" may still use it\. If so, create the replacement first/);
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("names what refers to it through others, and nothing that the run has decided on", async () => {
    const { Thing, stage } = setUp();
    await stage.up(async () => {
      const net = await Thing("net", { name: "one" }, FIRST);
      const vm = await Thing("vm", { uses: net });
      await Thing("disk", { uses: vm });
      await Thing("early", { uses: { net } });
    });
    const [failure] = await stage.failures(async () => {
      await Thing("early", { uses: 1 });
      const net = await Thing("net", { name: "two" }, FIRST);
      await Thing("vm", { uses: net });
    });
    expect(String(failure)).toMatch(/but "app\/dev\/vm" and "app\/dev\/disk" refer to it\. Create/);
  });

  test("is reported once, in its own words alone, if nothing depends on the resource", async () => {
    const { Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("net", { name: "one" }, FIRST));
    const replaceOnChanges = ["name"];
    const failures = await failed("delete net", () => Thing("net", { name: "two" }, { ...FIRST, replaceOnChanges }));
    expect(failures).toEqual([expect.objectContaining({ message: 'delete of "app/dev/net" failed: no delete net' })]);
    expect(stage.summary).toEqual({ failed: 1 });
  });

  test("says how a type creates first, if its update asked to delete first", async () => {
    const { world, stage, Thing: Other } = setUp();
    const Thing = world.type();
    world.on("update net", (context) => context.replace(true));
    const by = (value: number) => async () => void (await Other("vm", { uses: await Thing("net", { value }) }));
    await stage.up(by(1));
    const [failure] = await stage.failures(by(2));
    expect(String(failure)).toContain(
      "Create the replacement first: set createBeforeDestroy: true for a resource of a provider, or call replace()",
    );
  });
});

test("a delete that fails and was asked for by replace(true) is one failure", async () => {
  const world = new World();
  const Thing = world.type();
  world.on("update net", (context) => context.replace(true));
  const stage = new Stage();
  await stage.up(() => Thing("net", { name: "one" }));
  world.fails("delete net", "403");
  const errors = await stage.failures(() => Thing("net", { name: "two" }));
  expect(errors).toHaveLength(1);
  expect(stage.summary).toEqual({ failed: 1 });
});
