/** The list of stages: it is checked before anything begins. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { type FleetOptions, fleet } from "../../../plugins/fleet/index.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

/** A fleet that counts the programs which have begun. */
function listed(stages: unknown, more: Partial<FleetOptions<unknown>> = {}) {
  const store = memoryStore();
  const begun: { readonly stage: string; readonly input: unknown }[] = [];
  const made = fleet<unknown>("listed", {
    stages: stages as FleetOptions<unknown>["stages"],
    program: (app, input) => void begun.push({ stage: app.stage, input }),
    ...more,
    options: { stateStore: store, ...more.options },
  });
  return { made, store, begun };
}

const one = (more: object = {}): object => ({ stage: "a", input: 1, ...more });

describe("a list that cannot be run starts nothing", () => {
  const long = "x".repeat(10_000);
  test.each<readonly [what: string, stages: unknown, code: string, message: string]>([
    ["a duplicate", [one(), one()], "INVALID_OPTION", 'The stage "a" is in the list twice. Nothing was started.'],
    ["a slash in a name", [one({ stage: "a/b" })], "INVALID_NAME", '"a/b"'],
    ["a NUL in a name", [one({ stage: "a\0" })], "INVALID_NAME", "a\\u0000"],
    ["a parent folder", [one({ stage: ".." })], "INVALID_NAME", '".."'],
    ["a long name", [one({ stage: long })], "INVALID_NAME", "it has 10000 characters"],
    ["an empty name", [one({ stage: "" })], "INVALID_NAME", "it is empty"],
    ["a reserved name", [one({ stage: "@fleet-requests" })], "INVALID_NAME", 'begins with "@fleet", which is reserved'],
    ["a number as name", [one({ stage: 7 })], "INVALID_NAME", "it is of type number"],
    ["a missing name", [{ input: 1 }], "INVALID_OPTION", "Item 0 of the stages must be { stage, input }"],
    ["a string", [one(), "b"], "INVALID_OPTION", "Item 1 of the stages must be { stage, input }, not a string"],
    ["null", [null], "INVALID_OPTION", "Item 0 of the stages must be { stage, input }, not null"],
    ["a function without a list", () => 5, "INVALID_OPTION", 'The option "stages" of fleet() must give a list'],
    ["a function as input", [one({ input: () => 1 })], "UNSERIALIZABLE", "function"],
  ])("%s", async (_, stages, code, message) => {
    const { made, store, begun } = listed(stages);
    const error: unknown = await made.up().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(message);
    expect(String(error).length).toBeLessThan(2_000);
    expect(begun).toEqual([]);
    expect([...(await snapshot(store)).keys()].filter((key) => !key.startsWith("listed/%40fleet/"))).toEqual([]);
    expect(await made.status()).toBeUndefined();
  });

  test("a list that throws in the middle", async () => {
    let isClosed = false;
    const { made, begun } = listed(async function* () {
      try {
        yield one();
        throw new Error("The query was cut off.");
      } finally {
        isClosed = true;
      }
    });
    await expect(made.up()).rejects.toThrow("The query was cut off.");
    expect(begun).toEqual([]);
    expect(isClosed).toBe(true);
    expect(await made.status()).toBeUndefined();
  });

  test.each([
    [
      "stages",
      { stages: () => fail() },
      'The function "stages" of the fleet "listed" failed, and nothing was started: no key',
    ],
    [
      "stages that yields one stage before",
      {
        stages: async function* () {
          yield { stage: "a", input: { plan: "x" } };
          fail();
        },
      },
      'The function "stages" of the fleet "listed" failed, and nothing was started: no key',
    ],
    [
      "limit.key",
      { limit: { key: () => fail() } },
      'The function "limit.key" of the fleet "listed" failed for the stage "a", and nothing was started: no key',
    ],
    [
      "after",
      { after: () => fail() },
      'The function "after" of the fleet "listed" failed for the stage "a", and nothing was started: no key',
    ],
    [
      "limit.key with nonsense",
      { limit: { key: () => 5 as unknown as string } },
      'The function "limit.key" of fleet() must return a string; for "a" it returned a number.',
    ],
    [
      "after with nonsense",
      { after: () => ["a", 5] as unknown as string[] },
      'The function "after" of fleet() must return names of stages; for "a" it returned a number.',
    ],
    ["after with a promise", { after: async () => "b" }, 'for "a" it returned'],
    ["after with itself", { after: () => "a" }, '"a" waits for "a"'],
    ["after with an unknown stage", { after: () => "z" }, 'The stage "a" waits for "z", which is not a stage'],
  ])("%s", async (_, more, message) => {
    const { made, begun } = listed([one()], more as Partial<FleetOptions<unknown>>);
    const error: unknown = await made.up().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    expect(String(error)).toContain(message);
    expect(begun).toEqual([]);
  });

  function fail(): never {
    throw new Error("no key");
  }
});

test("an empty list is done", async () => {
  const { made } = listed([]);
  expect(await made.up()).toMatchObject({ state: "done", stages: { total: 0 } });
  expect(await made.destroy()).toMatchObject({ state: "done", stages: { total: 0 } });
});

test.each([
  ["while it waits for an item", () => new Promise<never>(() => {})],
  ["while it yields items", () => Promise.resolve()],
])("a list that never ends is left when the signal is aborted, %s", async (_, next) => {
  const controller = new AbortController();
  let count = 0;
  const { made, begun } = listed(async function* () {
    for (;;) {
      yield one({ stage: `s${count++}` });
      if (count === 10) controller.abort();
      await (count < 10 ? undefined : next());
    }
  });
  const report = await made.up({ signal: controller.signal });
  expect(report).toMatchObject({ state: "interrupted", stages: { total: 0 } });
  expect(begun).toEqual([]);
  expect(await made.status()).toBeUndefined();
});

test("inputs arrive as they were, also undefined, dates and maps", async () => {
  const inputs = [undefined, null, new Date(5), new Map([["a", new Set([1])]]), 12n, "$secret", { $secret: 1 }, [NaN]];
  const { made, begun } = listed(inputs.map((input, index) => ({ stage: `s${index}`, input })));
  expect(await made.up()).toMatchObject({ state: "done", stages: { total: inputs.length, unchanged: inputs.length } });
  const sorted = begun.toSorted((a, b) => a.stage.localeCompare(b.stage));
  expect(sorted.map(({ input }) => input)).toEqual(inputs);
  expect(sorted[2]?.input).toBeInstanceOf(Date);
});

test("an input of 10 MB fails its stage only", async () => {
  const { made, begun } = listed([one(), one({ stage: "big", input: "x".repeat(10_000_000) })]);
  const report = await made.up();
  expect(report).toMatchObject({ state: "failed", stages: { failed: 1 } });
  expect(report.failures[0]?.message).toBe(
    "The input has 10000002 characters, and at most 262144 are allowed. Pass a reference to the data instead.",
  );
  expect(begun.map(({ stage }) => stage)).toEqual(["a"]);
});

test("a schema fills in defaults, also an asynchronous one, and a stage that it refuses fails", async () => {
  const validate = async (value: unknown) =>
    value === 0 ? { issues: [{ message: "too small" }] } : { value: { plan: "small", ...Object(value) } };
  const keys: unknown[] = [];
  const { made, begun } = listed([one({ input: {} }), one({ stage: "b", input: 0 })], {
    input: { "~standard": { version: 1, vendor: "test", validate } },
    limit: {
      key: (input) => {
        keys.push(input);
        return "one";
      },
      concurrency: 1,
    },
  });
  expect(await made.up()).toMatchObject({ state: "failed", stages: { failed: 1, unchanged: 1 } });
  expect(begun).toEqual([{ stage: "a", input: { plan: "small" } }]);
  expect(keys).toEqual([{ plan: "small" }]);
});

test("a list that is an array can be run again and again, and is read once for each run", async () => {
  let reads = 0;
  const { made, begun } = listed(() => {
    reads++;
    return [one()];
  });
  await made.up();
  await made.plan();
  expect(reads).toBe(2);
  expect(begun).toHaveLength(2);
});
