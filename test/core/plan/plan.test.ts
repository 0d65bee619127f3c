import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { planLines } from "../../../plugins/console-output/plan-view.js";
import { newNetwork, said, setUpPlans } from "../../helpers/apps/planning.js";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

describe("a plan says", () => {
  test("what is new, with its props, and calls no handler", async () => {
    const { plan, Thing, world } = setUpPlans();
    const made = await plan(() => Thing("a", { value: { deep: [1, "x"] } }));
    expect(said(made)).toEqual(["create a: not recorded"]);
    expect(made.actions[0]).toMatchObject({
      kind: Thing.kind,
      changes: [{ path: "/value", new: { deep: [1, "x"] } }],
      certain: true,
      mayReplace: false,
    });
    expect(made.counts).toEqual({ create: 1, update: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 });
    expect(world.calls).toEqual([]);
  });

  test("which props changed, from what to what", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Thing("a", { value: { team: "x", size: 1 }, uses: "gone" }));
    const made = await plan(() => Thing("a", { value: { team: "y", size: 1, more: true } }));
    expect(said(made)).toEqual(["update a: props.value.team, props.value.more, props.uses changed"]);
    expect(made.actions[0]?.changes).toEqual([
      { path: "/value/team", old: "x", new: "y" },
      { path: "/value/more", new: true },
      { path: "/uses", old: "gone" },
    ]);
  });

  test("that many props changed, with the first three", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Thing("a", { value: [1, 2, 3, 4, 5] }));
    const made = await plan(() => Thing("a", { value: [5, 4, 2, 3, 1] }));
    expect(made.actions[0]?.reason).toBe("props.value.0, props.value.1, props.value.2 and 2 more changed");
    expect(made.actions[0]?.changes).toHaveLength(5);
  });

  test("that a prop of replaceOn changed, once as a replace and not as a delete beside it", async () => {
    const { plan, Thing, stage } = setUpPlans({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "one" }));
    const made = await plan(() => Thing("a", { name: "two" }));
    expect(said(made)).toEqual(["replace a: props.name changed, which forces a replacement"]);
    expect(made.counts).toMatchObject({ replace: 1, delete: 0 });
  });

  test("that a prop of replaceOnChanges changed", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const program = (zone: string) => () => Thing("a", { value: { zone } }, { replaceOnChanges: ["value.zone"] });
    await stage.up(program("a"));
    expect(said(await plan(program("b")))).toEqual(["replace a: props.value.zone changed, which forces a replacement"]);
  });

  test("that its type cannot update", async () => {
    const { plan, Thing, stage } = setUpPlans({ update: false });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(said(await plan(() => Thing("a", { value: 2 })))).toEqual([
      "replace a: props.value changed, and its type cannot update",
    ]);
  });

  test("that the kind changed", async () => {
    const { plan, Thing, stage, world } = setUpPlans();
    const Other = world.type();
    await stage.up(() => Thing("a"));
    expect(said(await plan(() => Other("a")))).toEqual([
      `replace a: kind changed from "${Thing.kind}" to "${Other.kind}"`,
    ]);
  });

  test("update, or replace if the handler asks, of a type that is one function", async () => {
    const { plan, world, stage } = setUpPlans();
    const Short = world.type({ short: true });
    await stage.up(() => Short("a", { value: 1 }));
    const made = await plan(() => Short("a", { value: 2 }));
    expect(made.actions[0]).toMatchObject({ action: "update", mayReplace: true, certain: true });
  });

  test("what is no longer declared, with what it was", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(async () => {
      await Thing("a");
      await stage.engine.run("s", () => Thing("b", { value: 1 }));
    });
    const made = await plan(() => {});
    expect(said(made)).toEqual(["delete s/b: no longer declared", "delete a: no longer declared"]);
    expect(made.actions[0]).toMatchObject({ changes: [{ path: "/value", old: 1 }], certain: true });
  });

  test("what it was pending with, and since when", async () => {
    const { plan, Thing, stage, world } = setUpPlans({ read: false });
    world.fails("create a", "no disk");
    await stage.failures(() => Thing("a"));
    const [made] = (await plan(() => Thing("a"))).actions;
    expect(made?.action).toBe("create");
    expect(made?.reason).toMatch(/^pending since \d{4}-\d\d-\d\dT[\d:.]+Z: its create failed \(no disk\)$/);
    world.calm();
    const app = await stage.up(() => Thing("a"));
    expect(recordsOf(app)[0]).not.toHaveProperty("since", expect.anything());
  });

  test("alwaysUpdate and force", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const program = () => Promise.all([Thing("a", {}, { alwaysUpdate: true }), Thing("b")]);
    await stage.up(program);
    expect(said(await plan(program))).toEqual(["update a: alwaysUpdate"]);
    expect(said(await plan(program, { force: true }))).toEqual(["update a: alwaysUpdate", "update b: forced"]);
  });

  test("what exists and would be adopted, after a read", async () => {
    const { plan, Thing, world } = setUpPlans({ read: true });
    world.on("read a", () => ({ thing: "a#0", value: 7 }));
    const made = await plan(() => Promise.all([Thing("a"), Thing("b")]), { adopt: true });
    expect(said(made).sort()).toEqual(["adopt a: exists, but is not recorded", "create b: not recorded"]);
    expect(world.calls.sort()).toEqual(["read a", "read b"]);
  });

  test("that what exists is not adopted, where a run would refuse to replace it", async () => {
    const { plan, stage } = setUpPlans();
    const Net = Resource<{ readonly at: number }, { readonly at: number }>(newKind(), {
      create: ({ props }) => ({ at: props.at }),
      update: ({ props, output, replace }) => (props.at === output.at ? output : replace(true, ["/at"])),
      delete: () => {},
      read: () => ({ at: 1 }),
      replaces: ({ props, output }) => props.at !== output.at && "delete-first",
    });
    const program = (at: number) => () => Net("net", { at }, { adopt: true });
    const refused = { code: "INVALID_CALL", fqn: "app/dev/net" };
    await expect(plan(program(2))).rejects.toMatchObject({ errors: [refused] });
    const [failure] = await stage.failures(program(2));
    expect(failure).toMatchObject({
      ...refused,
      message: expect.stringContaining('Declare "at" with the present value of the existing resource'),
    });
    expect(said(await plan(program(1)))).toEqual(["adopt net: exists, but is not recorded"]);
  });

  test("a possible adoption, if it cannot be read before", async () => {
    const { plan, Thing } = setUpPlans();
    const Network = newNetwork();
    const Page = setUpPlans({ read: true }).Thing;
    const program = async () => {
      const { address } = await Network("net", { name: "main" }, { adopt: false });
      await Thing("blind");
      await Page("late", { value: address });
    };
    const made = await plan(program, { adopt: true });
    expect(said(made)).toEqual([
      "create net: not recorded",
      "create blind: not recorded; adopted if it exists",
      "create late: not recorded; adopted if it exists",
    ]);
    expect(planLines(made).find((line) => line.includes("late"))).toContain(
      "[unless it already exists, which is not known yet]",
    );
  });

  test("the adopted values, which are not a change", async () => {
    const { plan, Thing, world } = setUpPlans({ read: true });
    world.on("read a", () => ({ thing: "a#0", value: 7 }));
    const lines = planLines(await plan(() => Thing("a", { value: 8 }), { adopt: true }));
    expect(lines[0]).toMatch(/^> adopt +app\/dev\/a .*exists, but is not recorded$/);
    expect(lines[1]).toMatch(/^ +value: 8$/);
  });

  test("of a text of several lines which of them change, and with full the whole of long values", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const text = (line: string) => `one\n${line}\nthree\n`;
    const value = (line: string, letter: string) => ({ page: text(line), long: letter.repeat(2000) });
    await stage.up(() => Thing("a", { value: value("two", "x") }));
    const program = () => Thing("a", { value: value("zwei", "y") });
    const made = await plan(program);
    const lines = ["  one", "- two", "+ zwei", "  three"];
    expect(made.actions[0]?.changes).toMatchObject([
      { path: "/value/page", old: text("two"), new: text("zwei"), lines },
      { path: "/value/long" },
    ]);
    const shown = planLines(made);
    expect(shown.slice(1, 6)).toEqual(
      ["value.page:", ...lines.map((line) => `  ${line}`)].map((line) => `           ${line}`),
    );
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(120);
    const whole = await plan(program, { full: true });
    expect(whole.actions[0]?.changes[1]).toEqual({ path: "/value/long", old: "x".repeat(2000), new: "y".repeat(2000) });
    expect(planLines(whole, undefined, true).join("\n")).toContain(`"${"y".repeat(2000)}"`);
  });

  test("secrets and what is not known in none of the lines of a text", async () => {
    const { Thing, stage } = setUpPlans();
    const hiding = definePlugin({
      name: "hiding",
      apply: ({ hooks }) => hooks.redact.tap("hiding", ({ text }) => ({ text: text.replaceAll("s3cr3t", "***") })),
    });
    const Network = newNetwork();
    const program = async () => {
      const { address } = await Network("net", { name: "main" });
      await Thing("a", { value: `one\ns3cr3t\n${address}` });
    };
    await stage.up(program, { plan: true, plugins: [hiding] });
    const [made] = stage.heard("plan:made");
    expect(made?.actions[1]?.changes[0]?.lines).toEqual(["+ one", "+ ***", "+ (known after apply)"]);
  });

  test("nothing of an unchanged stage but how many there are", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const program = () => Promise.all([Thing("a"), Thing("b")]);
    await stage.up(program);
    expect(await plan(program)).toMatchObject({ actions: [], counts: { unchanged: 2 }, errors: [], unknown: [] });
  });

  test("everything of a stage that is to be destroyed, in the order of the deletes", async () => {
    const { plan, Thing, stage, world } = setUpPlans();
    await stage.up(async () => {
      await Thing("a");
      await Thing("b");
    });
    const made = await plan(() => Promise.all([Thing("a"), Thing("c")]), { phase: "destroy" });
    expect(said(made)).toEqual(["delete b: destroyed", "delete a: destroyed"]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("what stays although it is no longer declared", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Thing("a", {}, { retainOnDelete: true }));
    const made = await plan(() => {});
    expect(made.actions).toEqual([]);
    expect(made.kept).toEqual([
      expect.objectContaining({ fqn: "app/dev/a", reason: expect.stringContaining("retainOnDelete") }),
    ]);
    const other = await plan(() => {}, { destroyOrphans: false });
    expect(other.kept).toEqual([expect.objectContaining({ reason: "destroyOrphans is false" })]);
  });
});

describe("a plan fails as the run would", () => {
  test("where something protected would be replaced", async () => {
    const { plan, Thing, stage } = setUpPlans({ replaceOn: ["name"] });
    const program = (name: string) => () => Thing("a", { name }, { protect: true });
    await stage.up(program("one"));
    expect(await failuresOf(plan(program("two")))).toMatchObject([{ code: "PROTECTED", fqn: "app/dev/a" }]);
  });

  test("where the program fails before it has met anything unknown", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Thing("a"));
    const failing = plan(async () => {
      await Thing("a");
      throw new TypeError("a mistake");
    });
    expect(await failuresOf(failing)).toMatchObject([{ message: "a mistake" }]);
  });

  test("in the phase read, of which there is no plan", async () => {
    const { plan } = setUpPlans();
    await expect(plan(() => {}, { phase: "read" })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining('no meaning in the phase "read"'),
    });
  });
});
