import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { forget } from "../../../plugins/admin/operations/records/forget.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import {
  CLOSING_CHECKPOINTS,
  keysOf,
  NO_CHECKPOINTS,
  type Run,
  testLedgers,
  toolSettings,
} from "../../helpers/stores/ledgers.js";
import {
  type Fault,
  faultyStore,
  recordingStore,
  type StoreCall,
  storeAround,
} from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { until } from "../../helpers/time/until.js";

const ledgers = testLedgers();
const both = [{ append: true }, { append: false }] as const;

const ran = (store: StateStore, names: string | readonly string[], limits = NO_CHECKPOINTS): Promise<Run> =>
  ledgers.ran(store, names, { limits });

/** Runs of other processes, each of which records one of the names. */
async function others(store: StateStore, ...names: string[]): Promise<void> {
  for (const name of names) await ran(store, name, CLOSING_CHECKPOINTS);
}

/** A store like some services: it accepts the condition of `create` and ignores it. */
function careless(inner: StateStore): StateStore {
  return { ...inner, create: (key, value) => inner.set(key, value).then(() => true) };
}

describe.each(both)("a store that overwrites what exists (%j)", (options) => {
  it("is found out before anything but the session's open is written, whenever it is tried", async () => {
    const { store, take } = recordingStore(careless(memoryStore(options)));
    for (let time = 0; time < 3; time++) {
      const run = await ledgers.run(store);
      take();
      const [code, message] = await rejectedCode(run.put("a"));
      expect([code, message]).toEqual(["STORE_NOT_ATOMIC", expect.stringContaining("The store memory overwrites")]);
      expect(take().filter((call) => !/^(get|list)/.test(call))).toHaveLength(2);
      expect(recorded(await loadFrom(store))).toEqual([]);
    }
  });

  it("is found out where a state was copied to it from a sound one, which is not tried again", async () => {
    const inner = memoryStore(options);
    await ran(inner, "a");
    const { store, take } = recordingStore(inner);
    await ran(store, "b");
    expect(take().filter((call) => call.startsWith("create journal/"))).toHaveLength(options.append ? 1 : 2);
    const run = await ledgers.run({ ...careless(inner), location: "elsewhere" });
    expect((await rejectedCode(run.put("c")))[0]).toBe("STORE_NOT_ATOMIC");
  });

  it("is found out by another version, on a state that was written elsewhere", async () => {
    const inner = memoryStore(options);
    await ran(inner, "a");
    for (let time = 0; time < 2; time++) {
      const run = await ledgers.run(careless(inner), { version: "2.0.0" });
      expect((await rejectedCode(run.put("b")))[0]).toBe("STORE_NOT_ATOMIC");
    }
  });
});

describe("a store is tried", () => {
  it("once by each version, with one request", async () => {
    const { store, take } = recordingStore(memoryStore());
    const creates: number[] = [];
    for (const version of ["1.0.0", "1.0.0", "2.0.0", "2.0.0"]) {
      const run = await ledgers.begun(store, version, { version, limits: NO_CHECKPOINTS });
      creates.push(take().filter((call) => call.startsWith("create")).length);
      await run.close();
      take();
    }
    // The first run also creates the stage's first entry, which stays alone.
    expect(creates).toEqual([3, 1, 2, 1]);
  });
});

describe.each(both)("an open that was written too late to be the end (%j)", (options) => {
  /** A run that is about to write its open while others write so much that its place is trimmed. */
  async function late() {
    const inner = memoryStore(options);
    await ran(inner, "a", CLOSING_CHECKPOINTS);
    const gated = gatedStore(inner);
    const run = await ledgers.run(gated.store);
    gated.hold(/^create journal/);
    return { inner, gated, run };
  }

  it("does not count; its run goes on at the end, with what it had queued", async () => {
    const { inner, gated, run } = await late();
    const writing = run.put("b");
    const open = await gated.reached(/^create journal/);
    await others(inner, "c", "d", "e", "f");
    expect(await inner.get(open.key)).toBeUndefined();
    gated.hold(undefined);
    await open.answer();
    await writing;
    expect(keysOf(run.ledger)).toEqual(["a", "b", "c", "d", "e", "f"]);
    await run.close();
    const left = await loadFrom(inner);
    expect(recorded(left).sort()).toEqual(["a", "b", "c", "d", "e", "f"]);
    // Later runs delete its leftovers.
    await others(inner, "g", "h", "i");
    expect(await inner.get(open.key)).toBeUndefined();
  });

  it("does not count; its run changes nothing where the others touched what it had read", async () => {
    const { inner, gated, run } = await late();
    run.ledger.read("f");
    const writing = rejectedCode(run.put("b"));
    const open = await gated.reached(/^create journal/);
    await others(inner, "c", "d", "e", "f");
    gated.hold(undefined);
    await open.answer();
    expect((await writing)[0]).toBe("STATE_MOVED");
    expect(recorded(await loadFrom(inner)).sort()).toEqual(["a", "c", "d", "e", "f"]);
  });

  it("counts after all where only the checkpoints were late", async () => {
    const inner = memoryStore(options);
    const slow = gatedStore(inner);
    slow.hold(/^create checkpoint/);
    const closings: Promise<Run>[] = [];
    for (const name of ["a", "b", "c"]) {
      closings.push(ran(slow.store, name, CLOSING_CHECKPOINTS));
      await until(() => slow.held.length === closings.length);
    }
    const gated = gatedStore(inner);
    const run = await ledgers.run(gated.store);
    run.ledger.read("d");
    gated.hold(/^list$/);
    const writing = run.put("d");
    const verify = await gated.reached("list");
    slow.hold(undefined);
    for (const call of [...slow.held]) await call.answer();
    await Promise.all(closings);
    gated.hold(undefined);
    await verify.answer();
    await writing;
    await run.close();
    expect(recorded(await loadFrom(inner)).sort()).toEqual(["a", "b", "c", "d"]);
  });
});

describe.each(both)("a request that fails while a session opens (%j)", (options) => {
  let looks = 0;
  const isVerify = ({ op, key }: StoreCall): boolean => op === "list" && key === "app/dev/";
  const cases: [string, (call: StoreCall, creates: number) => Fault | undefined, closes: boolean][] = [
    ["its create", ({ op }, creates) => (op === "create" && creates === 1 ? "refused" : undefined), false],
    ["the answer to its create", ({ op }, creates) => (op === "create" && creates === 1 ? "lost" : undefined), false],
    [
      "the second try of its create",
      ({ op }, creates) => (op === "create" && creates === 2 ? "refused" : undefined),
      true,
    ],
    [
      "its first look at what is there",
      (call, creates) => (isVerify(call) && creates > 0 && looks++ === 0 ? "refused" : undefined),
      true,
    ],
    // It cannot know whether others continued: its close could land among their entries.
    ["every look at what is there", (call, creates) => (isVerify(call) && creates > 0 ? "refused" : undefined), false],
  ];

  it.each(cases)("fails the run: %s", async (_, fault, closes) => {
    const inner = memoryStore(options);
    await ran(inner, "a");
    let creates = 0;
    const run = await ledgers.run(
      faultyStore(inner, (call) => {
        if (call.op === "create") creates++;
        return fault(call, creates);
      }),
      { version: "2.0.0", owner: { ...ledgers.dead, boot: "far away", since: "" } },
    );
    await expect(run.put("b")).rejects.toThrow(/was refused|was lost/);
    expect(run.broken).toHaveLength(1);
    const { head } = await loadFrom(inner);
    // If the session could still be closed, no run waits for a lease.
    if (closes) expect(head.open).toBeUndefined();
    await ledgers.ran(inner, "c", { version: "2.0.0" });
    expect(recorded(await loadFrom(inner))).toContain("c");
  });

  it("fails the run, and closes: the load of a takeover", async () => {
    const inner = memoryStore();
    await ledgers.begun(inner, "a");
    let isOpening = false;
    const run = await ledgers.run(
      faultyStore(inner, ({ op, key }) => {
        isOpening ||= op === "create";
        return isOpening && op === "list" && key.endsWith("/checkpoint/") ? "refused" : undefined;
      }),
    );
    await expect(run.put("b")).rejects.toThrow("list was refused");
    const { head, unsettled } = await loadFrom(inner);
    expect(head.open).toBeUndefined();
    expect(unsettled.map(({ seq }) => seq)).toEqual([2]);
    // It could not record the length of the segment before it; the next run does.
    await ran(inner, "c");
    expect(await loadFrom(inner)).toMatchObject({ unsettled: [], head: { open: undefined } });
    expect(recorded(await loadFrom(inner))).toEqual(["a", "c"]);
  });
});

describe("a store that does not show the entry with the next number", () => {
  it("is given up on after a while", async () => {
    const inner = memoryStore();
    await ran(inner, "a");
    const store = storeAround(inner, async (_call, act) => act());
    Object.assign(store, { create: async () => false });
    const run = await ledgers.run(store);
    expect((await rejectedCode(run.put("b")))[0]).toBe("STORE_FAILED");
    expect(await keysIn(inner)).toHaveLength((await snapshot(inner)).size);
  });
});

describe("a run that tries its store with an entry of its own, which others have taken away since: they have gone on,", () => {
  it.each([true, false])(
    "goes on at the end, and does not take that for a store that overwrites (segments: %s)",
    async (append) => {
      const inner = memoryStore({ append });
      await others(inner, "a");
      const gated = gatedStore(inner);
      const late = await ledgers.run(gated.store, { version: "2.0.0" });
      gated.hold(/^create journal/);
      const writing = late.put("late");
      const open = await gated.reached(/^create journal/);
      await others(inner, "b", "c", "d", "e");
      await open.act();
      expect(await inner.get(open.key)).toBeDefined();
      await others(inner, "f", "g", "h", "i");
      expect(await inner.get(open.key)).toBeUndefined();
      gated.hold(undefined);
      await open.answer();
      await writing;
      const all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "late"];
      expect(keysOf(late.ledger)).toEqual(all);
      await late.close();
      expect(recorded(await loadFrom(inner)).sort()).toEqual(all);
    },
  );

  it.each([
    ["what was its to do may be recorded", true, "its first actions may be recorded as begun."],
    ["nothing was changed where it was not first", false, "This run changed nothing."],
  ])("says, where others have changed what it had read, that %s", async (_, isFirst, said) => {
    const inner = memoryStore();
    await others(inner, "a");
    const gated = gatedStore(inner);
    const late = await ledgers.run(gated.store);
    late.ledger.read("b");
    gated.hold(/^create journal/);
    const writing = late.put("late");
    const refused = { code: "STATE_MOVED", message: expect.stringContaining(said) };
    const isRefused = expect(writing).rejects.toMatchObject(refused);
    const open = await gated.reached(/^create journal/);
    if (isFirst) await open.act();
    await others(inner, "b");
    gated.hold(undefined);
    await open.answer();
    await isRefused;
    expect(recorded(await loadFrom(inner)).sort()).toEqual(isFirst ? ["a", "b", "late"] : ["a", "b"]);
  });

  it.each([
    ["may be recorded", true, "The changes of this command may have been recorded before that."],
    ["was not recorded where it was not first", false, "This command changed nothing."],
  ])("says of what a tool was to change, where others have changed the stage, that it %s", async (_, isFirst, said) => {
    const inner = memoryStore();
    await others(inner, "a", "b");
    const gated = gatedStore(inner);
    gated.hold(/^create journal/);
    const forgetting = forget(toolSettings(gated.store), { patterns: ["a"] });
    const refused = { code: "STATE_MOVED", message: expect.stringContaining(said) };
    const isRefused = expect(forgetting).rejects.toMatchObject(refused);
    const open = await gated.reached(/^create journal/);
    if (isFirst) await open.act();
    await others(inner, "c");
    gated.hold(undefined);
    await open.answer();
    await isRefused;
    expect(recorded(await loadFrom(inner)).sort()).toEqual(isFirst ? ["b", "c"] : ["a", "b", "c"]);
  });
});
