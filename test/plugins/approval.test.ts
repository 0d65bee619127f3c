import { describe, expect, test } from "vitest";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { type ApprovalOptions, approval } from "../../plugins/approval/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";

/** @param answer of the person who is asked */
function setUp(answer: boolean | undefined, options?: ApprovalOptions, others: readonly EnginePlugin[] = []) {
  const asked: string[] = [];
  const answering = definePlugin({
    name: "answering",
    apply: ({ hooks }) =>
      hooks.ask.tap("answering", ({ question, details }) => {
        asked.push([question, ...details].join("\n"));
        return answer;
      }),
  });
  const world = new World();
  const Thing = world.type({ replaceOn: ["name"] });
  const stage = new Stage({ plugins: [approval(options), answering, ...others] });
  return { asked, world, Thing, stage };
}

describe("what a prune would delete", () => {
  test("is asked about once, with all of it, and goes where the answer is yes", async () => {
    const { asked, world, Thing, stage } = setUp(true);
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(asked).toEqual([]);
    await stage.up();
    const lines = ["a", "b"].map((id) => `delete   app/dev/${id}  (${Thing.kind}, orphan)`);
    expect(asked).toEqual([["Delete these 2 resources?", ...lines].join("\n")]);
    expect(world.names).toEqual([]);
  });

  test.each([
    [false, "you did not approve it"],
    [undefined, "there is no terminal to approve it on"],
  ])("stays where the answer is %s", async (answer, why) => {
    const { world, Thing, stage } = setUp(answer);
    await stage.up(() => Thing("a"));
    expect(await stage.failures(() => {})).toMatchObject([{ code: "VETOED", message: expect.stringContaining(why) }]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is not asked about in a plan, nor where other plugins keep it, refuse it, or it needs no approval", async () => {
    let does: "keep" | "veto" = "keep";
    const other = definePlugin({
      name: "other",
      apply: ({ hooks }) =>
        hooks.beforePrune.tap("other", ({ items, keep, veto }) => {
          if (does === "veto") veto("not today");
          else for (const item of items) keep(item, "needed");
        }),
    });
    const { asked, Thing, stage } = setUp(false, {}, [other]);
    await stage.up(() => Thing("a"));
    await stage.up(() => {}, { plan: true });
    await stage.up();
    does = "veto";
    await stage.failures(() => {});
    expect(asked).toEqual([]);
    const free = setUp(false, { needed: ["db:Database"], reasons: ["orphan"] });
    await free.stage.up(() => free.Thing("a"));
    await free.stage.up();
    expect([free.asked, free.world.names]).toEqual([[], []]);
  });

  test("is listed up to fifty, however many there are", async () => {
    const { asked, Thing, stage } = setUp(true);
    await stage.up(() => Promise.all(Array.from({ length: 300 }, (_, index) => Thing(`n${index}`))));
    await stage.up();
    expect(asked[0]?.split("\n")).toHaveLength(52);
    expect(asked[0]).toContain("and 250 more");
  });
});

describe("a replace", () => {
  test("that deletes the old copy at finalize is asked about there", async () => {
    const { asked, world, Thing, stage } = setUp(false);
    await stage.up(() => Thing("a"));
    await stage.failures(() => Thing("a", { name: "y" }));
    expect(asked).toEqual([expect.stringContaining("replaced)")]);
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("that deletes it first is asked about before, once, and refused with nothing lost", async () => {
    const { asked, world, Thing, stage } = setUp(false);
    world.on("create a", async () => void (await Thing("child")));
    await stage.up(() => Thing("a"));
    const program = () => Thing("a", { name: "y" }, { deleteBeforeReplace: true });
    expect(await stage.failures(program)).toMatchObject([{ code: "VETOED", fqn: "app/dev/a" }]);
    expect(asked).toHaveLength(1);
    expect(world.names).toEqual(["a#2", "child#1"]);
  });
});

describe("a replace that deletes first", () => {
  test("needs an approval for the old copy's kind, also where the new one is of another", async () => {
    const world = new World();
    const [Database, Other] = [world.type(), world.type()];
    const stage = new Stage({ plugins: [approval({ needed: [Database.kind] })] });
    await stage.up(() => Database("a"));
    const program = () => Other("a", {}, { deleteBeforeReplace: true });
    expect(await stage.failures(program)).toMatchObject([{ code: "VETOED", fqn: "app/dev/a" }]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("needs one for the children of the old copy, and lists them", async () => {
    const seen: string[] = [];
    const world = new World();
    const [Database, Service] = [world.type(), world.type({ replaceOn: ["name"] })];
    world.on("create service", async () => void (await Database("db")));
    const approved: ApprovalOptions["approved"] = (items) => {
      seen.push(...items.map(({ fqn, reason }) => `${reason} ${fqn}`));
      return false;
    };
    const stage = new Stage({ plugins: [approval({ needed: [Database.kind], approved })] });
    await stage.up(() => Service("service", { name: "x" }));
    const program = () => Service("service", { name: "y" }, { deleteBeforeReplace: true });
    expect(await stage.failures(program)).toMatchObject([{ code: "VETOED", fqn: "app/dev/service" }]);
    expect(seen).toEqual(["replaced app/dev/service/db"]);
    expect(world.names).toEqual(["db#1", "service#2"]);
  });
});

describe("a destroy", () => {
  test("is asked about once, and an approval from elsewhere stands for the answer", async () => {
    const seen: string[] = [];
    const approved: ApprovalOptions["approved"] = async (items) => {
      seen.push(...items.map(({ id, reason }) => `${reason} ${id}`));
      return true;
    };
    const { asked, world, Thing, stage } = setUp(undefined, { approved });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    await stage.open({ phase: "destroy" });
    expect([asked, seen, world.names]).toEqual([[], ["destroy a", "destroy b"], []]);
    const refused = setUp(undefined);
    await refused.stage.up(() => refused.Thing("a"));
    await expect(refused.stage.open({ phase: "destroy" })).rejects.toMatchObject({ errors: [{ code: "VETOED" }] });
    expect(refused.world.names).toEqual(["a#1"]);
  });
});
