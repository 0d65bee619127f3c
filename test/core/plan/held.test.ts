import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newNetwork, type Planned, setUpPlans } from "../../helpers/apps/planning.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plans-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Program = (app: Scope) => unknown;

/** Runs one program with the saved plan of another. */
function heldTo({ plan, stage, world }: Planned, program: Program) {
  return async (other: Program): Promise<Scope> => {
    const planFile = join(folder, `plan-${++files}.json`);
    await plan(program, { planOut: planFile });
    world.news();
    return stage.up(other, { planFile });
  };
}

const mismatch = (message: string) => ({
  errors: [{ code: "PLAN_MISMATCH", message: expect.stringContaining(message) }],
});

describe("a run that keeps to a saved plan", () => {
  test.each([
    ["replaced", { replaceOn: ["name"] }, "has the action replace"],
    ["updated by a function", { short: true }, "has the action update"],
  ] as const)("does not delete what was to be %s, and is no longer declared", async (_what, type, message) => {
    const planned = setUpPlans(type);
    const { Thing, stage, world } = planned;
    await stage.up(() => Thing("a", { name: "x", value: 1 }));
    const run = heldTo(planned, () => Thing("a", { name: "y", value: 2 }));
    await expect(run(() => {})).rejects.toMatchObject(mismatch(`${message} for "app/dev/a"`));
    expect(world.calls).toEqual([]);
  });

  test("deletes no part of what was to be updated, and is no longer declared", async () => {
    const planned = setUpPlans();
    const { Thing, stage, world } = planned;
    for (const phase of ["create", "update"]) world.on(`${phase} whole`, async () => void (await Thing("part")));
    await stage.up(() => Thing("whole", { value: 1 }));
    const run = heldTo(planned, () => Thing("whole", { value: 2 }));
    await expect(run(() => {})).rejects.toMatchObject(mismatch('has no action for "app/dev/whole/part"'));
    expect(world.calls).toEqual([]);
  });

  test("destroys no part of what was to be updated, unless its handler asks", async () => {
    const planned = setUpPlans();
    const { Thing, stage, world } = planned;
    world.on("create whole", async () => {
      await Thing("part");
      await Thing("other");
    });
    await stage.up(() => Thing("whole", { value: 1 }));
    world.on("update whole", async () => {
      await Thing("part");
      await stage.engine.destroy(await Thing("other"));
    });
    const update = () => Thing("whole", { value: 2 });
    const destroying = heldTo(planned, update)(() => stage.engine.destroy());
    await expect(destroying).rejects.toMatchObject(mismatch('has no action for "app/dev/whole/'));
    expect(world.calls).toEqual([]);
    await heldTo(planned, update)(update);
    expect(world.calls).toEqual(["update whole", "delete other"]);
  });

  test("deletes the children that a planned handler dropped, with their own children", async () => {
    const planned = setUpPlans();
    const { Thing, stage, world } = planned;
    world.on("create whole", async () => void (await Thing("part")));
    world.on("create part", async () => void (await Thing("piece")));
    await stage.up(() => Thing("whole", { value: 1 }));
    const update = () => Thing("whole", { value: 2 });
    await heldTo(planned, update)(update);
    expect(world.calls).toEqual(["update whole", "delete piece", "delete part"]);
  });

  test("takes nothing in a scope for a part of a resource of that name", async () => {
    const planned = setUpPlans();
    const { Thing, stage, world } = planned;
    const run = heldTo(planned, () => Thing("a"));
    const other = run(() => stage.engine.run("a", async () => void (await Thing("b"))));
    await expect(other).rejects.toMatchObject(mismatch('has no action for "app/dev/a/b"'));
    expect(world.calls).toEqual([]);
  });

  test("forgets nothing that is retained and was to stay", async () => {
    const planned = setUpPlans();
    const { Thing, stage } = planned;
    const retained = () => Thing("a", {}, { retainOnDelete: true });
    await stage.up(retained);
    const run = heldTo(planned, () => Promise.all([retained(), Thing("b")]));
    await expect(run(() => Thing("b"))).rejects.toMatchObject(
      mismatch("the run was about to remove it from the state"),
    );
    await heldTo(planned, () => Thing("b"))(() => Thing("b"));
    expect(recordsOf(await stage.up(() => Thing("b"))).map(({ key }) => key)).toEqual(["b"]);
  });

  test("gives nothing another name that was to keep its own", async () => {
    const planned = setUpPlans();
    const { Thing, stage } = planned;
    await stage.up(() => Thing("a"));
    const named = () => Thing("b", {}, { aliases: ["a"] });
    const run = heldTo(planned, () => Thing("a"));
    await expect(run(named)).rejects.toMatchObject(mismatch('rename it from "app/dev/a"'));
    await heldTo(planned, named)(named);
    expect(recordsOf(await stage.up(named)).map(({ key }) => key)).toEqual(["b"]);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("takes what a program has added to a value that was not known, for a number as it is for a text", async () => {
    const planned = setUpPlans();
    const Port = Resource<{ readonly port: number }, object>(newKind(), {
      create: () => ({ port: 8080 }),
      delete() {},
    });
    const program = async () => {
      const { port } = await Port("port", {});
      await planned.Thing("a", { value: [port + 1, `x:${1 + port}/y`] });
    };
    await heldTo(planned, program)(program);
    expect(planned.world.calls).toEqual(["create a"]);
  });

  test("deletes an old copy, and not what took its place", async () => {
    const planned = setUpPlans({ replaceOn: ["name"] });
    const { Thing, stage, world } = planned;
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("delete a");
    await stage.failures(() => Thing("a", { name: "y" }));
    world.calm();
    const run = heldTo(planned, () => Thing("a", { name: "y" }));
    await expect(run(() => {})).rejects.toMatchObject(mismatch('has the delete of an old copy of "app/dev/a"'));
    expect(world.names).toContain("a#2");
    await stage.up(() => Thing("a", { name: "y" }));
    expect(world.names).toEqual(["a#2"]);
  });

  test.each<[string, (address: string) => unknown]>([
    ["a map", (address) => new Map([["at", [address]]])],
    ["a set", (address) => new Set([address])],
    ["bytes", (address) => Buffer.from(`at ${address}`)],
    ["a text that is long only as long as it is not known", (address) => `${"x".repeat(990)}${address}`],
    ["a long text, where it is cut", (address) => `${"x".repeat(190)}${address}${"x".repeat(1000)}`],
    ["a long text, after that", (address) => `${"x".repeat(300)}${address}${"x".repeat(1000)}`],
  ])("takes a value that was not known in %s", async (_what, made) => {
    const planned = setUpPlans();
    const { Thing, stage } = planned;
    const Network = newNetwork();
    const program = async () => {
      const { address } = await Network("net", { name: "main" });
      await Thing("a", { value: made(address) });
    };
    await heldTo(planned, program)(program);
    expect(stage.summary).toEqual({ created: 2 });
  });

  test.each<[string, (last: number) => unknown]>([
    ["at the end of a long set", (last) => new Set([...Array(150).keys(), last])],
    ["deep in maps", (last) => [...Array(12).keys()].reduce<unknown>((inner) => new Map([["in", inner]]), last)],
  ])("notices another value %s", async (_what, made) => {
    const planned = setUpPlans();
    const { Thing, world } = planned;
    const run = heldTo(planned, () => Thing("a", { value: made(1000) }));
    await expect(run(() => Thing("a", { value: made(2000) }))).rejects.toMatchObject(mismatch("with other props"));
    expect(world.calls).toEqual([]);
  });
});
