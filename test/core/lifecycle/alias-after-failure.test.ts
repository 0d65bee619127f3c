import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { File } from "../../../plugins/resources/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { lost, newKind, type TypeOptions } from "../../helpers/apps/world.js";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { projects } from "../../plugins/resources/project.ts";

const newProject = projects();

const FIRST = { deleteBeforeReplace: true };
const was = (...aliases: string[]) => ({ aliases });

/** "a" exists; it was renamed to "b" without an alias, and the create of "b" failed. */
async function renamedInVain(options: TypeOptions) {
  const { world, Thing, stage } = newWorld(options);
  const first = recordOf(await stage.up(() => Thing("a", { value: 1 })), "a");
  world.fails("create b", "the name is taken");
  await stage.failures(() => Thing("b", { value: 1 }));
  world.news();
  return { world, Thing, stage, first };
}

describe("an alias that is added only after the create under the new name has failed", () => {
  test("takes over what is recorded where the type finds nothing of that create", async () => {
    const { world, Thing, stage, first } = await renamedInVain({ read: true });
    const app = await stage.up(() => Thing("b", { value: 1 }, was("a")));
    expect(world.news()).toEqual(["read b"]);
    expect(recordsOf(app)).toEqual([{ ...first, key: "b" }]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    await stage.up(() => Thing("b", { value: 1 }));
    expect(stage.heard("state:committed")).toEqual([]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is what a plan shows, which changes nothing, and what a run that keeps to that plan does", async () => {
    const { world, Thing, stage } = await renamedInVain({ read: true });
    const program = () => Thing("b", { value: 1 }, was("a"));
    const planFile = join(await newFolder(), "plan.json");
    await stage.up(program, { plan: true, planOut: planFile });
    const [made] = stage.heard("plan:made");
    expect(made).toMatchObject({ actions: [], renamed: [{ fqn: "app/dev/b" }] });
    await stage.up(program, { planFile });
    expect(world.names).toEqual(["a#1"]);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("loses nothing of a create that has taken effect: that goes on, and the earlier one is an orphan", async () => {
    const { world, Thing, stage } = await renamedInVain({ read: true });
    world.calm();
    lost(world, "create b");
    await stage.failures(() => Thing("b", { value: 1 }));
    expect(world.names).toEqual(["a#1", "b#2"]);
    await stage.up(() => Thing("b", { value: 1 }, was("a")));
    expect(world.names).toEqual(["b#2"]);
    expect(stage.summary).toMatchObject({ deleted: 1 });
  });

  test("is not taken if its type finds an object that the next create would create again", async () => {
    const stage = new Stage();
    const made: string[] = [];
    const Thing = Resource<{ id: string }, object>(newKind(), {
      read: async ({ get, isDeclared }) => (!isDeclared && (await get("half")) ? { id: "half" } : undefined),
      async create({ id, set }) {
        made.push(id);
        if (id !== "b" || made.length > 2) return { id };
        await set("half", "made");
        throw new Error("failed half-way");
      },
      delete: () => {},
    });
    await stage.up(() => Thing("a"));
    await stage.failures(() => Thing("b"));
    await stage.up(() => Thing("b", {}, was("a")));
    expect(made).toEqual(["a", "b", "b"]);
  });

  test("is not taken for the replacement of what had the new name before: another resource has the earlier name", async () => {
    const { world, Thing, stage, failed } = newWorld({ read: true, update: false });
    await stage.up(() => [Thing("a", { value: 1 }), Thing("b", { value: 1 }, FIRST)]);
    await failed("create b", () => [Thing("a", { value: 1 }), Thing("b", { value: 2 }, FIRST)]);
    expect(world.names).toEqual(["a#1"]);
    await stage.up(() => Thing("b", { value: 2 }, { ...FIRST, ...was("a") }));
    expect(world.names).toEqual(["b#3"]);
    expect(stage.summary).toMatchObject({ created: 1, deleted: 1 });
  });

  test("is refused where the earlier name is declared as well", async () => {
    const { Thing, stage, world } = await renamedInVain({ read: true });
    for (const program of [
      () => [Thing("a", { value: 1 }), Thing("b", { value: 1 }, was("a"))],
      () => [Thing("b", { value: 1 }, was("a")), Thing("a", { value: 1 })],
    ]) {
      expect(await stage.failures(program)).toContainEqual(expect.objectContaining({ code: "ALIAS_CONFLICT" }));
    }
    expect(world.names).toEqual(["a#1"]);
  });

  test("is not taken where the type cannot tell what was made, and the error says what to do", async () => {
    const { world, Thing, stage } = await renamedInVain({});
    const [error] = await stage.failures(() => Thing("b", { value: 1 }, was("a")));
    expect(String(error)).toContain('create of "app/dev/b" failed: the name is taken. The record of "app/dev/a"');
    expect(String(error)).toContain("engine state forget app/dev/b");
    expect(world.names).toEqual(["a#1"]);
  });
});

test("a File that was renamed without an alias is refused, and goes on under its new name once it has one", async () => {
  const project = await newProject();
  const index = { path: "index.html", content: "hello" };
  await project.up(() => File("index", index));
  expect((await project.failure(() => File("home", index))).code).toBe("FILE_EXISTS");
  expect((await project.failure(() => File("home", index))).code).toBe("FILE_EXISTS");
  expect((await project.up(() => File("home", index, was("index")))).summary).toEqual({ unchanged: 1 });
  expect(await project.read("index.html")).toBe("hello");
  expect((await project.up(() => File("home", index))).summary).toEqual({ unchanged: 1 });
});
