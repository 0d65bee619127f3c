/** A store that fails at any one write and stays down until the next run: that run knows all completed work. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { type Fault, faultyStore } from "../../helpers/stores/store-around.js";

const WRITES = new Set(["create", "append", "set", "deleteMany"]);
/** More writes than the run makes. */
const MOST = 100;

function setUp(append: boolean, rootDir: string) {
  let left = Number.POSITIVE_INFINITY;
  let first: Fault = "refused";
  const stateStore = faultyStore(memoryStore({ append }), ({ op }) => {
    if (!WRITES.has(op)) return undefined;
    left -= 1;
    return left > 0 ? undefined : left === 0 ? first : "refused";
  });
  const { world, Thing, stage } = newWorld({ replaceOn: ["name"] }, { stateStore, rootDir, concurrency: 2 });
  const failAt = (write: number, how: Fault): void => {
    left = write;
    first = how;
  };
  return { world, Thing, stage, failAt };
}

type Things = ReturnType<typeof setUp>;

const before = ({ Thing }: Things) =>
  Promise.all([Thing("kept"), Thing("changed"), Thing("gone"), Thing("other", { name: "x" })]);

/**
 * Updates, replaces, creates in parallel and in sequence, declares a child, sets data, and leaves a resource to prune.
 */
async function program({ world, Thing, stage }: Things): Promise<void> {
  world.on("create parent", async () => void (await Thing("child")));
  await Promise.all([Thing("kept"), Thing("changed", { value: 2 }), Thing("other", { name: "y" })]);
  await Promise.all(["a", "b", "c", "d", "parent"].map((id) => Thing(id)));
  await stage.engine.run("scope", async (scope) => {
    await scope.set("steps", 1);
    await Thing("last");
  });
}

/** Returns true if the run made that many writes, and so failed at the last of them. */
async function failing(append: boolean, write: number, how: Fault, rootDir: string): Promise<boolean> {
  const things = setUp(append, rootDir);
  const { world, stage, failAt } = things;
  await stage.up(() => before(things));
  world.news();
  failAt(write, how);
  const run = stage.up(() => program(things)).then(() => false);
  const failed = await run.catch(() => true);
  failAt(Number.POSITIVE_INFINITY, how);
  const app = await stage.up(() => program(things));
  // A handler whose child cannot be recorded fails before it does anything; the engine repeats it.
  const called = world.calls.filter((call) => call !== "create parent");
  const repeated = called.filter((call, index) => called.indexOf(call) !== index);
  expect({ write, repeated }).toEqual({ write, repeated: [] });
  const warnings = stage.heard("warning").flatMap(({ code, fqn }) => (fqn === "app/dev/parent" ? [] : code));
  // A write whose answer was lost may have recorded intents whose handlers never ran.
  const known = how === "lost" ? ["RECOVERED", "REPEATED_CREATE"] : ["RECOVERED"];
  expect(warnings.filter((code) => !known.includes(code))).toEqual([]);
  const ids = ["a", "b", "c", "changed", "d", "kept", "other", "parent"];
  expect(
    recordsOf(app)
      .map(({ key, status }) => `${key} ${status}`)
      .sort(),
  ).toEqual([...ids, "parent/child", "scope/last"].map((key) => `${key} ready`));
  expect(world.names.map((name) => name.replace(/#.*/, ""))).toEqual([...ids, "child", "last"].sort());
  expect(await readdir(rootDir)).toEqual([]);
  world.news();
  await stage.up(() => program(things));
  expect([world.calls, stage.told.filter((told) => !told.startsWith("unchanged"))]).toEqual([[], []]);
  return failed;
}

describe.each([true, false])("a store that fails in the middle of a run (it appends: %s)", (append) => {
  test.each(["refused", "lost"] as const)(
    "makes the next run repeat nothing, whichever write it is (%s)",
    async (how) => {
      const folder = await newFolder();
      let failures = 0;
      for (let write = 1; write < MOST && (await failing(append, write, how, folder)); write++) failures = write;
      expect(failures).toBeGreaterThan(5);
      expect(failures).toBeLessThan(MOST - 1);
    },
  );
});

test("a store that rejects a read in words of its own is STORE_FAILED, with these words behind it", async () => {
  const stateStore = { ...memoryStore(), list: () => refusing(new Error("no network")) };
  await expect(new Stage({ stateStore }).open()).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: "The state could not be read: no network",
    cause: { message: "no network" },
  });
});

function refusing(error: Error): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
