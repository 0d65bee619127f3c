/** Store requests of a run: the cost of the protocol, which does not depend on the size of the state. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { keys } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, putting, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();

async function ran(store: StateStore, names: readonly string[], limits = CLOSING_CHECKPOINTS): Promise<void> {
  const run = await ledgers.run(store, { limits });
  if (names.length > 0) await run.ledger.commit(names.map(putting), "now");
  await run.close();
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `r${index}`);
}

describe("an unchanged run", () => {
  it.each([1, 100, 5_000])(
    "of %i resources makes three requests on a store with segments, and writes nothing",
    async (count) => {
      const { store, take } = recordingStore(memoryStore());
      await ran(store, names(count));
      take();
      await ran(store, []);
      expect(take()).toEqual(["list checkpoint", "get journal/3", "get checkpoint/2"]);
    },
  );

  it("makes a fourth on a store that may carry out a request long after it was given up", async () => {
    const { store, take } = recordingStore(memoryStore({ append: false }));
    await ran(store, names(10));
    take();
    await ran(store, []);
    expect(take()).toEqual(["list", "get journal/4", "get checkpoint/3", "list"]);
  });

  it("makes three on a store without segments that ignores late writes, and a fourth if it lists a later entry", async () => {
    const inner = { ...memoryStore({ append: false }), ignoresLateWrites: true };
    const { store, take } = recordingStore(inner);
    await ran(store, names(10));
    take();
    await ran(store, []);
    expect(take()).toEqual(["list", "get journal/4", "get checkpoint/3"]);
    await inner.create(keys.entry(5), "an entry behind a lost one");
    await expect(ran(store, [])).rejects.toMatchObject({ code: "STATE_CORRUPT" });
  });

  it("makes one for each entry that no checkpoint stands for on a store without segments, and four", async () => {
    const { store, take } = recordingStore(memoryStore({ append: false }));
    for (const name of ["a", "b", "c"]) await ran(store, [name], NO_CHECKPOINTS);
    take();
    await ran(store, []);
    expect(take()).toEqual(["list", "getMany journal/1 and 6 more", "get journal/8", "list"]);
  });

  it("of a stage that was never written makes two", async () => {
    for (const append of [true, false]) {
      const { store, take } = recordingStore(memoryStore({ append }));
      await ran(store, []);
      expect(take()).toEqual([append ? "list checkpoint" : "list", "get journal/1"]);
    }
  });

  it("reads the entries that no checkpoint stands for, and looks again", async () => {
    const { store, take } = recordingStore(memoryStore());
    for (const name of ["a", "b", "c"]) await ran(store, [name], NO_CHECKPOINTS);
    take();
    await ran(store, []);
    expect(take()).toEqual([
      "list checkpoint",
      "get journal/1",
      "getMany journal/2 and 1 more",
      "getMany journal/4 and 3 more",
      "list",
    ]);
  });
});

describe("a run that changes something", () => {
  async function changing(append: boolean, changes: number, limits = CLOSING_CHECKPOINTS): Promise<string[]> {
    const { store, take } = recordingStore(memoryStore({ append }));
    for (const name of ["a", "b", "c", "d"]) await ran(store, [name]);
    take();
    const run = await ledgers.run(store, { limits });
    for (let index = 0; index < changes; index++) await run.put(`${index}`);
    await run.close();
    return take();
  }

  it("makes one append for each group of changes on a store with segments", async () => {
    expect(await changing(true, 3)).toEqual([
      ...["list checkpoint", "get journal/6", "get checkpoint/5"],
      // The first group opens the session, and is checked with a listing.
      ...["create journal/6", "list"],
      ...["append journal/6", "append journal/6"],
      // The close; its checkpoint, the deletes that it allows, and the copy for people.
      ...["append journal/6", "create checkpoint/6", "list"],
      ...["deleteMany checkpoint/3", "deleteMany journal/4", "create history/6"],
    ]);
  });

  it("makes one create for each group of changes on a store without", async () => {
    expect(await changing(false, 3)).toEqual([
      ...["list", "get journal/10", "get checkpoint/9", "list"],
      ...["create journal/10", "list"],
      ...["create journal/11", "create journal/12"],
      ...["create journal/13", "create checkpoint/13", "list"],
      ...["deleteMany checkpoint/5", "deleteMany journal/6 and 1 more", "create history/13"],
    ]);
  });

  it("makes one more request for each further change, whatever it has done before", async () => {
    for (const append of [true, false]) {
      const few = await changing(append, 5, NO_CHECKPOINTS);
      const many = await changing(append, 205, NO_CHECKPOINTS);
      expect(many.length - few.length).toBe(200);
    }
  });
});

describe("a run that takes over", () => {
  it("makes an entry for its open and one for its first changes, and reads the segment before again", async () => {
    const { store, take } = recordingStore(memoryStore());
    await ran(store, ["a"]);
    await ledgers.begun(store, "b");
    take();
    const run = await ledgers.run(store);
    expect(take()).toEqual([
      "list checkpoint",
      "get journal/3",
      "getMany journal/4 and 1 more",
      "get checkpoint/2",
      "list",
    ]);
    await run.put("c");
    expect(take()).toEqual([
      "create journal/4",
      ...[
        "list checkpoint",
        "get journal/3",
        "getMany journal/4 and 1 more",
        "get journal/3",
        "get checkpoint/2",
        "list",
      ],
      // Adds nothing to the old segment: makes it durable.
      "append journal/3",
      "create journal/5",
    ]);
  });
});
