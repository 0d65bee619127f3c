import { beforeEach, describe, expect, test } from "vitest";
import type { HandlerBase, HandlersDefinition } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { said, setUpPlans } from "../../helpers/apps/planning.ts";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.ts";
import { codeOf } from "../../helpers/checks/codes.ts";

interface Queue {
  readonly url: string;
}

interface Props {
  readonly size?: number;
}

/** Calls with the handlers that made them: `create cloud`, `delete local`, … */
let calls: string[] = [];
let failing: string | undefined;
/** Existing queues. */
const things = new Set<string>();

beforeEach(() => {
  [calls, failing] = [[], undefined];
  things.clear();
});

function handlers(where: string): HandlersDefinition<Queue, Props> {
  const called = (what: string, { local }: HandlerBase): void => {
    calls.push(`${what} ${where}`);
    expect(local).toBe(where === "local");
    if (failing === `${what} ${where}`) throw new Error("no");
  };
  return {
    create(context) {
      const url = `${where}:${context.uid}`;
      things.add(url);
      called("create", context);
      return { url };
    },
    read(context) {
      called("read", context);
      const url = `${where}:${context.uid}`;
      return things.has(url) ? { url } : undefined;
    },
    update(context) {
      called("update", context);
      return context.output;
    },
    delete(context) {
      called("delete", context);
      things.delete(context.output.url);
    },
  };
}

const newQueue = (more: Partial<HandlersDefinition<Queue, Props>> = {}) =>
  Resource<Queue, Props>(newKind(), { ...handlers("cloud"), recognizesOwn: true, local: handlers("local"), ...more });
const where = (): string[] => [...things].map((thing) => thing.split(":")[0] ?? "");

describe("a resource with handlers for local scopes", () => {
  type More = Partial<HandlersDefinition<Queue, Props>>;

  // Each step is one up: the declared size, and where it is. "first" deletes the old copy before the new one is
  // created.
  test.each<[string, More, string, string, string[]]>([
    [
      "is made, updated and deleted by them where the scope is local",
      {},
      "1 local, 2 local, 2 local, none local",
      "create local, update local, delete local",
      [],
    ],
    [
      "is replaced when local becomes true, and who made the old copy deletes it",
      {},
      "1 cloud, 1 local, 1 local",
      "create cloud, create local, delete cloud",
      ["local"],
    ],
    [
      "is replaced when local becomes false, and who made the old copy deletes it",
      {},
      "1 local, 1 cloud, 1 cloud",
      "create local, create cloud, delete local",
      ["cloud"],
    ],
    [
      "is replaced with the old copy first where its options say so",
      {},
      "1 cloud, 1 local first",
      "create cloud, delete cloud, create local",
      ["local"],
    ],
    [
      "takes none of the other handlers: without update it is replaced, without delete forgotten",
      { local: { create: handlers("local").create } },
      "1 local, 2 local, none local",
      "create local, create local",
      ["local", "local"],
    ],
  ])("%s", async (_what, more, steps, expected, left) => {
    const [Queue, dev] = [newQueue(more), new Stage()];
    for (const step of steps.split(", ")) {
      const [size, place, first] = step.split(" ");
      const options = { deleteBeforeReplace: first === "first" };
      const declare = () => (size === "none" ? undefined : Queue("a", { size: Number(size) }, options));
      await dev.up(declare, { local: place === "local" });
      if (size !== "none") expect(dev.record("a")?.local ?? false).toBe(place === "local");
    }
    expect(calls).toEqual(expected.split(", "));
    expect(where()).toEqual(left);
  });

  test("is pruned and destroyed by who made it, whatever the run is", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    await dev.up(() => [Queue("a", {}), Queue("b", {})], { local: true });
    await dev.up(() => Queue("b", {}), { local: true, noop: true });
    await dev.up(() => {}, { destroyOrphans: false });
    await dev.up(() => {});
    expect(calls.slice(2)).toEqual(["delete local", "delete local"]);
    await dev.up(() => Queue("c", {}));
    await dev.open({ phase: "destroy", local: true });
    expect(calls.slice(4)).toEqual(["create cloud", "delete cloud"]);
  });

  test("is not replaced while it is protected", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    await dev.up(() => Queue("a", {}, { protect: true }));
    const failures = await dev.failures(() => Queue("a", {}, { protect: true }), { local: true });
    expect(failures).toMatchObject([{ code: "PROTECTED" }]);
    expect(where()).toEqual(["cloud"]);
  });

  test("does not keep what is to be ignored of a copy made elsewhere", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    await dev.up(() => Queue("a", { size: 1 }), { local: true });
    await dev.up(() => Queue("a", { size: 2 }, { ignoreChanges: ["size"] }));
    expect(dev.record("a")?.props).toEqual({ size: 2 });
  });

  test("that was being made elsewhere is looked for there, and what is found is deleted there", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    failing = "create cloud";
    await dev.failures(() => Queue("a", {}));
    failing = undefined;
    await dev.up(() => Queue("a", {}), { local: true });
    expect(calls).toEqual(["create cloud", "create local", "read cloud", "delete cloud"]);
    expect([where(), dev.keys]).toEqual([["local"], ["a"]]);
  });

  test("whose delete failed elsewhere is deleted there after it is made", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    await dev.up(() => Queue("a", {}));
    failing = "delete cloud";
    await dev.failures(() => {});
    failing = undefined;
    await dev.up(() => Queue("a", {}), { local: true });
    expect(calls.slice(2)).toEqual(["read cloud", "create local", "delete cloud"]);
  });

  test("is adopted where it is declared", async () => {
    const there: HandlersDefinition<Queue, Props> = { ...handlers("local"), read: () => ({ url: "local:there" }) };
    const [Queue, dev] = [newQueue({ local: there }), new Stage()];
    await dev.up(() => Queue("a", {}), { local: true, adopt: true });
    expect(dev.record("a")).toMatchObject({ local: true, output: { url: "local:there" } });
    expect(dev.summary).toEqual({ adopted: 1 });
  });

  test("is refreshed by who made it", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    await dev.up(() => Queue("a", {}), { local: true });
    things.clear();
    await dev.up(() => Queue("a", {}), { local: true, refresh: true });
    expect(calls).toEqual(["create local", "read local", "create local"]);
    await dev.up(() => Queue("a", {}), { refresh: true });
    expect(calls.slice(3)).toEqual(["read local", "create cloud", "delete local"]);
  });

  test("is what it is in a scope of another option", async () => {
    const [Queue, dev] = [newQueue(), new Stage()];
    const program = async () => {
      await Queue("a", {});
      await dev.engine.run("inner", { local: true }, () => Queue("b", {}));
    };
    await dev.up(program);
    await dev.up(program);
    expect(dev.summary).toEqual({ unchanged: 2 });
    await dev.up(() => {});
    expect(calls).toEqual(["create cloud", "create local", "delete local", "delete cloud"]);
  });
});

test("a type without handlers for local scopes is not replaced when local changes", async () => {
  const Plain = Resource(newKind(), { create: ({ local }) => ({ local }), delete: () => {} });
  const stage = new Stage();
  await stage.up(() => Plain("a"), { local: true });
  expect(stage.record("a")?.local).toBeUndefined();
  await stage.up(() => Plain("a"));
  expect(stage.summary).toEqual({ unchanged: 1 });
});

describe("a plan", () => {
  test("says why it replaces, and takes only what the handlers in question say beforehand", async () => {
    const { stage, plan } = setUpPlans();
    const Queue = newQueue({
      outputs: () => ({ url: "cloud:known" }),
      local: { ...handlers("local"), outputs: () => ({ url: "local:known" }) },
    });
    const urls: string[] = [];
    const program = async () => urls.push((await Queue("a", {})).url);
    await stage.up(program);
    const made = await plan(program, { local: true });
    expect(said(made)).toEqual(["replace a: it was deployed for real, but this run simulates it locally"]);
    expect(made.actions).toMatchObject([{ certain: true }]);
    await stage.up(program, { local: true });
    expect(said(await plan(program))).toEqual([
      "replace a: it was simulated locally, but this run deploys it for real",
    ]);
    expect(urls.filter((url) => url.endsWith("known"))).toEqual(["local:known", "cloud:known"]);
  });

  test("knows nothing of a local copy from what is said of the others", async () => {
    const { plan } = setUpPlans();
    const Queue = newQueue({ outputs: () => ({ url: "cloud:known" }) });
    let url = "";
    await plan(async () => (url = `${(await Queue("a", {})).url}`), { local: true });
    expect(url).not.toBe("cloud:known");
  });
});

test.each<[string, unknown]>([
  ["local without create", { create: () => 1, local: { delete: () => {} } }],
  ["a local that is a function", { create: () => 1, local: () => 1 }],
  ["verify without local.read", { create: () => 1, read: () => 1, verify: true, local: { create: () => 1 } }],
])("%s is refused", (_name, definition) => {
  expect(codeOf(() => Reflect.apply(Resource, undefined, [newKind(), definition]))[0]).toBe("INVALID_DEFINITION");
});
