import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { adoptHint } from "../../../core/handler/index.js";
import { Resource } from "../../../core/resource/index.js";
import { createTestApp } from "../../../plugins/testing/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { shelf } from "../../helpers/stores/shelf.js";

const NAME = "app-a-dev";

function setUp(options: Parameters<typeof shelf>[0] = {}) {
  const { Item, ...things } = shelf(options);
  things.there.set(NAME, "theirs");
  return { ...things, Item, stage: new Stage(), declare: () => Item("a", { text: "ours" }) };
}

describe("with adopt, what is there already", () => {
  test.each([
    { of: "the resource", option: { adopt: true }, options: {} },
    { of: "the engine", option: {}, options: { adopt: true } },
  ])("is found, updated and recorded, by the option of $of", async ({ option, options }) => {
    const { Item, stage, there, calls, seen } = setUp();
    await stage.up(() => Item("a", { text: "ours" }, option), options);
    expect(calls).toEqual(["read a", "update a"]);
    expect(seen).toMatchObject([
      { recovering: false, output: undefined, adopt: true },
      { recovering: false, output: { name: NAME, text: "theirs" }, changes: [] },
    ]);
    expect(stage.told).toEqual(["started a", "adopted a"]);
    expect(stage.heard("resource:started")).toMatchObject([{ action: "adopt" }]);
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(there.get(NAME)).toBe("ours");
    const output = { name: NAME, text: "ours" };
    expect(stage.record("a")).toMatchObject({ status: "ready", attempt: 0, output });
    await stage.up(() => Item("a", { text: "ours" }));
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("is found by the option of a scope, there and below, and nowhere else", async () => {
    const { Item, stage, there, calls } = setUp();
    there.set("app-s-a-dev", "theirs");
    const failures = await stage.failures(async () => {
      await stage.engine.run("s", { adopt: true }, () => Item("a", { text: "ours" }));
      await Item("a", { text: "ours" });
    });
    // For the other one, read only checks whether the name is taken: the engine does not adopt it.
    expect(calls).toEqual(["read a", "update a", "read a", "create a"]);
    expect(failures).toMatchObject([{ fqn: "app/dev/a" }]);
  });

  test("is refused by a resource that says false in an engine that says true", async () => {
    const { Item, stage, there, calls } = setUp();
    await stage.failures(() => Item("a", { text: "ours" }, { adopt: false }), { adopt: true });
    expect(calls).toEqual(["read a", "create a"]);
    expect(there.get(NAME)).toBe("theirs");
  });

  test("is not found by a type without read, which creates", async () => {
    const { declare, stage, calls } = setUp({ read: false });
    await stage.failures(declare, { adopt: true });
    expect(calls).toEqual(["create a"]);
  });

  test("is recorded as it is where the type has no update", async () => {
    const { declare, stage, there, calls } = setUp({ update: false });
    const app = await stage.open({ adopt: true });
    expect(await app.run(declare)).toEqual({ name: NAME, text: "theirs" });
    await app.finalize();
    expect(calls).toEqual(["read a"]);
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(there.get(NAME)).toBe("theirs");
    await stage.up(declare);
    expect(stage.summary).toEqual({ unchanged: 1 });
    await stage.up();
    expect(there.size).toBe(0);
  });

  test("is created where there is nothing", async () => {
    const { declare, stage, there, calls } = setUp();
    there.clear();
    await stage.up(declare, { adopt: true });
    // One read to adopt, and one for the leftovers of an interrupted run.
    expect(calls).toEqual(["read a", "read a", "create a"]);
    expect(stage.summary).toEqual({ created: 1 });
  });

  test("is taken over by a resource whose create it has let fail before", async () => {
    const { declare, stage, there, calls, news } = setUp();
    await stage.failures(declare);
    news();
    await stage.up(declare, { adopt: true });
    expect(calls).toEqual(["read a", "read a", "update a"]);
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(there.get(NAME)).toBe("ours");
    expect(stage.record("a")).toMatchObject({ status: "ready", attempt: 0, error: undefined });
  });
});

test("with adopt, what an interrupted update has renamed is taken over under its record", async () => {
  const names = new Set<string>();
  const asked: string[] = [];
  const failing = { after: false };
  interface Named {
    readonly name: string;
  }
  const Role = Resource<Named, Named>(newKind(), {
    create({ props: { name } }) {
      names.add(name);
      return { name };
    },
    update({ props: { name }, output }) {
      if (!names.delete(output.name)) throw new Error(`${output.name} is not there`);
      names.add(name);
      if (failing.after) throw new Error("the connection was lost");
      return { name };
    },
    delete: ({ output: { name } }) => void names.delete(name),
    read({ output, props }) {
      const { name } = output ?? props;
      asked.push(name);
      return names.has(name) ? { name } : undefined;
    },
  });
  const stage = new Stage();
  const declare = (name: string, adopt: boolean) => () => Role("role", { name }, { adopt });
  const { uid } = recordOf(await stage.up(declare("old", false)), "role") ?? {};
  failing.after = true;
  await stage.failures(declare("new", false));
  failing.after = false;
  expect(String(await stage.failures(declare("new", false)))).toContain("old is not there");
  failing.after = true;
  await stage.failures(declare("new", true));
  failing.after = false;
  asked.length = 0;
  const app = await stage.up(declare("new", true));
  expect([asked, stage.summary]).toEqual([["old", "new"], { adopted: 1 }]);
  expect(recordOf(app, "role")).toMatchObject({ uid, status: "ready", output: { name: "new" } });
  await stage.up(() => {}, { phase: "destroy" });
  expect(names).toEqual(new Set());
});

describe("an adoption that", () => {
  test("fails leaves nothing recorded, for what was there before must not be deleted for it", async () => {
    const { declare, stage, there, on, calm, news } = setUp();
    on("update", () => {
      throw new Error("no permission");
    });
    const message = 'adopt of "app/dev/a" failed: no permission';
    const failures = await stage.failures(declare, { adopt: true });
    expect(failures).toMatchObject([{ code: "HANDLER_FAILED", message }]);
    expect(stage.keys).toEqual([]);
    expect(stage.summary).toEqual({ failed: 1 });
    calm();
    await stage.up();
    expect(there.get(NAME)).toBe("theirs");
    news();
    await stage.up(declare, { adopt: true });
    expect(stage.summary).toEqual({ adopted: 1 });
  });

  test("fails after a create has failed leaves that as it was", async () => {
    const { declare, stage, on } = setUp();
    await stage.failures(declare);
    const before = stage.record("a");
    on("update", () => {
      throw new Error("no permission");
    });
    await stage.failures(declare, { adopt: true });
    expect(stage.record("a")).toEqual(before);
  });

  test("asks to replace what is there is refused: that is not the engine's to delete", async () => {
    const { declare, stage, there, calls, on } = setUp();
    on("update", (context) => context.replace());
    const failures = await stage.failures(declare, { adopt: true });
    expect(failures).toMatchObject([{ code: "INVALID_CALL", fqn: "app/dev/a" }]);
    expect(String(failures[0])).toContain("not adopted");
    expect(calls).toEqual(["read a", "update a"]);
    await stage.up();
    expect(there.get(NAME)).toBe("theirs");
  });

  test("is vetoed has changed nothing", async () => {
    const { declare, stage, there, calls } = setUp();
    const actions: string[] = [];
    const vetoed = (app: Scope) => {
      app.hooks.beforeApply.tap("veto", ({ action }) => {
        actions.push(action);
        throw new Error("not today");
      });
      return declare();
    };
    await stage.failures(vetoed, { adopt: true });
    expect(actions).toEqual(["adopt"]);
    expect(calls).toEqual(["read a"]);
    expect(there.get(NAME)).toBe("theirs");
    await stage.up();
    expect(there.get(NAME)).toBe("theirs");
  });
});

const named = (name: string) => Object.assign(new Error("the name is in use"), { name });

describe("the hint to adopt", () => {
  test.each([
    ["the code EEXIST", Object.assign(new Error("no"), { code: "EEXIST" })],
    ["the name EntityAlreadyExists", named("EntityAlreadyExists")],
    ["the name BucketAlreadyOwnedByYou", named("BucketAlreadyOwnedByYou")],
    ["the status 409", Object.assign(new Error("conflict"), { status: 409 })],
    ["the status code 409", Object.assign(new Error("conflict"), { statusCode: 409 })],
    ["the words", new Error("the queue already exists")],
  ])("is given for an error with %s", (_what, error) => {
    expect(adoptHint(error)).toContain("{ adopt: true }");
  });

  test.each([
    ["another error", new Error("the disk is full")],
    ["another status", Object.assign(new Error("gone"), { status: 404 })],
    ["something that is no error", "no"],
    ["nothing at all", undefined],
  ])("is not given for %s", (_what, error) => {
    expect(adoptHint(error)).toBe("");
  });

  test("ends the message of a create that met what is there, where a read could find it", async () => {
    const { Item, there } = shelf();
    there.set("n", "theirs");
    const [error] = await new Stage().failures(() => Item("a", { name: "n", text: "ours" }));
    expect(error).toMatchObject({
      message:
        'create of "app/dev/a" failed: n is taken. To take over a resource that exists already, declare it with { adopt: true } or pass --adopt.',
    });
  });

  test("is not given for a type without read, nor where adopt was on", async () => {
    const blind = shelf({ read: false });
    const seeing = shelf();
    blind.there.set("n", "theirs");
    seeing.on("create", () => void seeing.there.set("n", "of somebody quicker"));
    const stage = new Stage();
    const failures = await stage.failures(async () => {
      blind.Item("a", { name: "n", text: "ours" });
      seeing.Item("b", { name: "n", text: "ours" }, { adopt: true });
    });
    expect(failures.map(String)).toEqual([expect.stringMatching(/n is taken$/), expect.stringMatching(/n is taken$/)]);
  });
});

test.each([{ update: true }, { update: false }])(
  "a run that is killed when it has adopted converges in the next up (update: $update)",
  async ({ update }) => {
    const { Item, there } = shelf({ update });
    there.set("n", "theirs");
    await using app = await createTestApp();
    const declare = () => Item("a", { name: "n", text: "ours" }, { adopt: true });
    app.faults.kill(Item.kind, "update");
    await expect(app.run(declare)).rejects.toMatchObject({ code: "ABORTED" });
    await app.run(declare);
    expect(app.actions).toEqual(["adopted a"]);
    expect(there).toEqual(new Map([["n", update ? "ours" : "theirs"]]));
    await app.run(declare);
    expect(app.actions).toEqual(["unchanged a"]);
  },
);
