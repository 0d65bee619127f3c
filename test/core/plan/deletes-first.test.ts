import { describe, expect, test } from "vitest";
import type { Plan } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { planLines } from "../../../plugins/console-output/plan-view.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import { newKind, type World } from "../../helpers/apps/world.js";

const FIRST = { deleteBeforeReplace: true };
type Type = ReturnType<World["type"]>;

/** "vm" is replaced if "net" is, "disk" can be updated, and "old" is not declared any more. */
function setUp() {
  const planning = setUpPlans({ replaceOn: ["name"] });
  const Host = planning.world.type({ replaceOn: ["uses"] });
  return { ...planning, Host };
}

const first = ({ actions }: Plan) =>
  Object.fromEntries(
    actions.flatMap(({ id, deletesFirst }) => (deletesFirst ? [[id, deletesFirst.map((fqn) => fqn.slice(8))]] : [])),
  );

const net = (Thing: Type, Host: Type, name: string) => async () => {
  const one = await Thing("net", { name }, FIRST);
  const vm = await Host("vm", { uses: one });
  await Host("app", { uses: vm });
  await Thing("disk", { uses: { one, vm } });
};

describe("a plan of a replacement that deletes first", () => {
  test("lists the recorded dependents that it replaces, in the order of their deletes, and not those that it updates", async () => {
    const { plan, stage, Thing, Host } = setUp();
    await stage.up(net(Thing, Host, "one"));
    const made = await plan(net(Thing, Host, "two"));
    expect(made.actions.map(({ action, id }) => `${action} ${id}`)).toEqual([
      "replace net",
      "replace vm",
      "replace app",
      "update disk",
    ]);
    expect(first(made)).toEqual({ net: ["app", "vm"] });
    expect(planLines(made).join("\n")).toContain("deletes first app/dev/app, app/dev/vm");
  });

  test("lists what refers to it and is not declared any more", async () => {
    const { plan, stage, Thing, Host } = setUp();
    await stage.up(net(Thing, Host, "one"));
    const made = await plan(() => Thing("net", { name: "two" }, FIRST));
    expect(first(made)).toEqual({ net: ["disk", "app", "vm"] });
  });

  test("lists nothing that is decided on before it, nor what depends on something that stays", async () => {
    const { plan, stage, Thing, Host } = setUp();
    await stage.up(async () => {
      const one = await Thing("net", { name: "one" }, FIRST);
      await Host("early", { uses: one });
      const disk = await Thing("disk", { uses: one });
      await Host("app", { uses: disk });
    });
    const made = await plan(async () => {
      await Host("early", { uses: 1 });
      const one = await Thing("net", { name: "two" }, FIRST);
      const disk = await Thing("disk", { uses: one });
      await Host("app", { uses: disk });
    });
    expect(first(made)).toEqual({});
  });

  test.each(["delete-first", true] as const)("goes by what its type says of an update (%s)", async (answer) => {
    const { plan, stage, Host } = setUp();
    const Net = Resource<{ readonly at: number }, { readonly at: number }>(newKind(), {
      create: ({ props }) => ({ at: props.at }),
      update: ({ replace }) => replace(answer === "delete-first"),
      delete: () => {},
      replaces: () => answer,
    });
    const program = (at: number) => async () => void (await Host("vm", { uses: await Net("net", { at }) }));
    await stage.up(program(1));
    expect(first(await plan(program(2)))).toEqual(answer === true ? {} : { net: ["vm"] });
  });

  test("lists nothing where the new one is created first", async () => {
    const { plan, stage, Thing, Host } = setUp();
    const program = (name: string) => async () => void (await Host("vm", { uses: await Thing("net", { name }) }));
    await stage.up(program("one"));
    expect(first(await plan(program("two")))).toEqual({});
  });

  test("lists nothing where one of them is retained", async () => {
    const { plan, stage, Thing, Host } = setUp();
    const program = (name: string) => async () => {
      const one = await Thing("net", { name }, FIRST);
      await Host("vm", { uses: one }, { retainOnDelete: true });
      await Host("app", { uses: one });
    };
    await stage.up(program("one"));
    expect(first(await plan(program("two")))).toEqual({});
  });
});
