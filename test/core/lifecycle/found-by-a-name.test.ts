/** Resources that are found by the name of another one, which can be renamed in place. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { newFolder } from "../../helpers/processes/new-folder.js";

interface Base {
  readonly name: string;
}

const FIRST = { deleteBeforeReplace: true };

function setUp() {
  const bases = new Set<string>();
  const parts = new Set<string>();
  const calls: string[] = [];
  const failing: { update: boolean; delete: (() => void) | undefined } = { update: false, delete: undefined };
  const Db = Resource<Base, Base & { readonly size?: number }>(newKind(), {
    refersByMember: true,
    create({ props: { name } }) {
      bases.add(name);
      return { name };
    },
    update({ props: { name }, output }) {
      if (failing.update) throw new Error("no update");
      calls.push("update db");
      bases.delete(output.name);
      bases.add(name);
      for (const part of [...parts].filter((one) => one.startsWith(`${output.name}/`))) {
        parts.delete(part);
        parts.add(`${name}${part.slice(output.name.length)}`);
      }
      return { name };
    },
    delete: () => {},
    outputs: ({ props: { name } }) => ({ name }),
  });
  const Part = Resource<{ readonly path: string }, { readonly base: string; readonly also?: unknown }>(newKind(), {
    replaceOn: ["base"],
    refersByMember: true,
    create({ id, props: { base } }) {
      const path = `${base}/${id}`;
      if (parts.has(path)) throw new Error(`${path} already exists`);
      parts.add(path);
      return { path };
    },
    update: ({ output }) => output,
    delete({ id, output: { path } }) {
      calls.push(`delete ${id}`);
      failing.delete?.();
      if (failing.delete) throw new Error("no delete");
      parts.delete(path);
    },
    read: ({ output }) => (output && parts.has(output.path) ? output : undefined),
    recognizesOwn: true,
    outputs: ({ output }) => output ?? {},
  });
  const stage = new Stage();
  const planned = async (program: () => unknown) => {
    const planOut = join(await newFolder(), "plan.json");
    const made = await stage.plan(program, { planOut });
    const first = made.actions.find(({ id }) => id === "db")?.deletesFirst?.map((fqn) => fqn.slice("app/dev/".length));
    calls.length = 0;
    await stage.up(program, { planFile: planOut });
    return first;
  };
  /** Renames "db"; "schema" is found by that name. */
  const program = (name: string) => async () => {
    const db = await Db("db", { name });
    await Part("schema", { base: db.name }, FIRST);
  };
  return { Db, Part, stage, planned, program, calls, parts, failing };
}

describe("a plan with an update that takes away a name", () => {
  test("deletes first, in their order, what is found by it and what depends on that", async () => {
    const { Db, Part, planned, stage, calls, parts } = setUp();
    const program = (name: string) => async () => {
      const db = await Db("db", { name });
      const schema = await Part("schema", { base: db.name }, FIRST);
      await Part("table", { base: db.name, also: schema.path }, FIRST);
      await Part("other", { base: "other" }, FIRST);
    };
    await stage.up(program("old"));
    expect(await planned(program("new"))).toEqual(["table", "schema"]);
    expect(calls).toEqual(["delete table", "delete schema", "update db"]);
    expect([...parts].sort()).toEqual(["new/schema", "new/table", "other/other"]);
    expect(stage.summary).toMatchObject({ updated: 1, replaced: 2 });
  });

  test("reaches what has the name through something that is only updated", async () => {
    const { Db, Part, planned, stage, calls, parts } = setUp();
    const program = (name: string) => async () => {
      const db = await Db("db", { name });
      const view = await Part("view", { base: "views", also: db.name });
      await Part("table", { base: db.name, also: view.path }, FIRST);
    };
    await stage.up(program("old"));
    expect(await planned(program("new"))).toEqual(["table"]);
    expect(calls).toEqual(["delete table", "update db"]);
    expect([...parts].sort()).toEqual(["new/table", "views/view"]);
  });

  test("leaves what is created first, and what has nothing of the name", async () => {
    const { Db, Part, stage } = setUp();
    const program = (name: string, other: string) => async () => {
      const db = await Db("db", { name });
      await Part("first", { base: db.name });
      await Part("other", { base: other }, { ...FIRST, dependsOn: [db] });
    };
    await stage.up(program("old", "one"));
    const made = await stage.plan(program("new", "two"));
    expect(made.actions.map(({ action, id, deletesFirst }) => [action, id, deletesFirst])).toEqual([
      ["update", "db", undefined],
      ["replace", "first", undefined],
      ["replace", "other", undefined],
    ]);
  });

  test("deletes nothing before an update that keeps the name", async () => {
    const { Db, Part, stage } = setUp();
    const program = (size: number, base: string) => async () => {
      const db = await Db("db", { name: "old", size });
      await Part("schema", { base: base || db.name }, FIRST);
    };
    await stage.up(program(1, ""));
    const { actions } = await stage.plan(program(2, "elsewhere"));
    expect(actions.map(({ action, deletesFirst }) => [action, deletesFirst])).toEqual([
      ["update", undefined],
      ["replace", undefined],
    ]);
  });

  test("has its deletes counted, and nothing is deleted where they are too many", async () => {
    const { stage, planned, program, parts } = setUp();
    await stage.up(program("old"));
    await expect(stage.plan(program("new"), { maxDeletes: 0 })).rejects.toMatchObject({
      errors: [{ code: "TOO_MANY_DELETES" }],
    });
    expect([...parts]).toEqual(["old/schema"]);
    expect(await planned(program("new"))).toEqual(["schema"]);
  });

  test("whose update fails leaves its dependents to the next run, which creates them", async () => {
    const { stage, planned, program, parts, failing } = setUp();
    await stage.up(program("old"));
    failing.update = true;
    await expect(planned(program("new"))).rejects.toThrow("no update");
    expect([...parts]).toEqual([]);
    failing.update = false;
    await stage.up(program("new"));
    expect([[...parts], stage.heard("warning")]).toEqual([["new/schema"], []]);
  });
});

test("a delete that was interrupted ends with a warning if what it looked for is gone or renamed", async () => {
  const { Db, Part, stage, program, parts, failing } = setUp();
  await stage.up(program("old"));
  const stopping = new AbortController();
  failing.delete = () => stopping.abort(new Error("stopped"));
  const replacing = async () => {
    await Db("db", { name: "old" });
    await Part("schema", { base: "elsewhere" }, FIRST);
  };
  await expect(stage.up(replacing, { signal: stopping.signal })).rejects.toThrow();
  failing.delete = undefined;
  parts.clear();
  await stage.up(program("new"));
  expect([...parts]).toEqual(["new/schema"]);
  expect(stage.heard("warning")).toMatchObject([{ code: "DELETE_FOUND_NOTHING", fqn: "app/dev/schema" }]);
});
