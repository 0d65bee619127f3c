import { describe, expect, it } from "vitest";
import type { EngineOptions, EnginePlugin, PruneContext } from "../../../core/contract/index.js";
import { limitOf } from "../../../core/run/limits/delete-limit.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings } from "../../helpers/apps/things.ts";

const pruning = (tap: (context: PruneContext) => void): EnginePlugin => ({
  name: "pruning",
  apply: ({ hooks }) => hooks.beforePrune.tap("pruning", tap),
});

/** A stage with n1, n2, …; the next run declares only the first `kept` of them. */
async function recorded(count: number) {
  const { Thing, calls } = newThings();
  const stage = new Stage();
  const declare = (kept: number) => async () => {
    for (let number = 1; number <= kept; number++) await Thing(`n${number}`);
  };
  await stage.up(declare(count));
  calls.length = 0;
  const up = (kept: number, options: EngineOptions) => stage.up(declare(kept), options);
  const failures = (kept: number, options: EngineOptions) => stage.failures(declare(kept), options);
  return { stage, calls, up, failures, Thing };
}

describe("a finalize that would prune more than maxDeletes allows", () => {
  it("is refused before anything is deleted", async () => {
    const { failures, calls } = await recorded(5);
    expect(await failures(2, { maxDeletes: 2 })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(calls).toEqual([]);
  });

  it("names the numbers, the resources and the ways out", async () => {
    const { failures } = await recorded(4);
    const [error] = await failures(2, { maxDeletes: 1 });
    expect(error instanceof Error && error.message).toBe(
      [
        "finalize() would delete 2 resources, but maxDeletes allows 1. These resources were not deleted:",
        "  - app/dev/n3",
        "  - app/dev/n4",
        "If declarations are missing by mistake, add them. Otherwise allow more (maxDeletes, --max-deletes), delete some at a time (target), or keep these resources (destroyOrphans: false).",
      ].join("\n"),
    );
  });

  it("names no more than 20", async () => {
    const { failures } = await recorded(23);
    const [error] = await failures(0, { maxDeletes: "50%" });
    const { message } = error instanceof Error ? error : new Error();
    expect(message).toContain("would delete 23 resources, but maxDeletes allows 11 (50% of 23)");
    expect(message.match(/^ {2}- app/gm)).toHaveLength(20);
    expect(message).toContain("\n  - and 3 more\n");
  });
});

describe("a finalize that keeps to maxDeletes", () => {
  const keeping = pruning(({ items, keep }) => {
    for (const item of items) if (item.id === "n2") keep(item, "needed");
  });

  it.each<[string, number, EngineOptions, string[]]>([
    ["goes ahead where the limit is met exactly", 1, { maxDeletes: 2 }, ["n3", "n2"]],
    ["goes ahead where nothing is to be pruned, be it 0", 3, { maxDeletes: 0 }, []],
    [
      "goes ahead where a plugin confirms it",
      0,
      { maxDeletes: 2, plugins: [pruning(({ confirm }) => confirm())] },
      ["n3", "n2", "n1"],
    ],
    ["does not count an item that beforePrune keeps", 1, { maxDeletes: 1, plugins: [keeping] }, ["n3"]],
    [
      "does not count an orphan that stays, for destroyOrphans is false",
      1,
      { maxDeletes: 0, destroyOrphans: false },
      [],
    ],
    ["does not count what targets leave out", 1, { maxDeletes: 1, target: ["**/n2"] }, ["n2"]],
  ])("%s", async (_what, kept, options, deleted) => {
    const { up, calls } = await recorded(3);
    await up(kept, options);
    expect(calls).toEqual(deleted.map((id) => `delete app/dev/${id}`));
  });
});

describe("a limit", () => {
  it.each<[number | `${number}%`, number, number]>([
    [3, 10, 3],
    ["20%", 10, 2],
    ["20%", 9, 1],
    ["20%", 4, 0],
    ["29%", 100, 29],
    ["12.5%", 8, 1],
    ["100%", 7, 7],
    ["0%", 7, 0],
  ])("of %s, with %i recorded, is %i", (given, count, limit) => {
    expect(limitOf(given, count)).toBe(limit);
  });

  it("in percent is of what was recorded when the run began", async () => {
    const { stage, Thing, calls } = await recorded(4);
    const program = async () => {
      for (const id of ["n1", "n2", "x1", "x2", "x3", "x4"]) await Thing(id);
    };
    expect(await stage.failures(program, { maxDeletes: "25%" })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(calls.filter((call) => call.startsWith("delete"))).toEqual([]);
  });

  it("does not hold for the phase destroy", async () => {
    const { stage, calls } = await recorded(2);
    await stage.destroy({ maxDeletes: 0 });
    expect(calls).toHaveLength(2);
  });
});

describe("what does not count", () => {
  it("is what is only forgotten", async () => {
    const { Thing, calls } = newThings();
    const stage = new Stage();
    await stage.up(() => Thing("a", {}, { retainOnDelete: true }));
    await stage.up(() => {}, { maxDeletes: 0 });
    expect(stage.summary).toEqual({ retained: 1 });
    expect(calls).toHaveLength(1);
  });

  it("is the old copy of what this very run has replaced", async () => {
    const { Thing, calls } = newThings();
    const stage = new Stage();
    const program = (text: string) => () => Thing("a", { text }, { replaceOnChanges: ["text"] });
    await stage.up(program("one"));
    await stage.up(program("two"), { maxDeletes: 0 });
    expect(calls.at(-1)).toBe("delete app/dev/a");
  });
});

describe("what counts", () => {
  it("is an old copy that an earlier run has left", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    const program = (text: string) => () => Thing("a", { text }, { replaceOnChanges: ["text"] });
    await stage.up(program("one"));
    await stage.up(program("two"), { noop: true });
    expect(await stage.failures(program("two"), { maxDeletes: 0 })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
  });

  it("is each child of an orphan", async () => {
    const { sites } = newSites();
    const stage = new Stage();
    await stage.up(() => sites.Thing("site"));
    const [error] = await stage.failures(() => {}, { maxDeletes: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining("would delete 2 resources") });
  });
});

it.each<[string, EngineOptions, object]>([
  ["the limit as a number, and what counts against it", { maxDeletes: "75%" }, { limit: 3, counted: ["n3", "n4"] }],
  ["no limit where there is none", {}, { limit: undefined, counted: [] }],
])("beforePrune gets %s", async (_what, options, expected) => {
  const found: object[] = [];
  const plugin = pruning(({ limit, counted }) => {
    found.push({ limit, counted: counted.map(({ id }) => id) });
  });
  await (await recorded(4)).up(2, { ...options, plugins: [plugin] });
  expect(found).toEqual([expected]);
});

describe("a plan", () => {
  it("holds the error that a run would fail with, and the deletes all the same", async () => {
    const { stage, failures } = await recorded(3);
    expect(await failures(1, { maxDeletes: 1, plan: true })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    const [plan] = stage.heard("plan:made");
    expect(plan?.errors).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(plan?.counts.delete).toBe(2);
  });
});
