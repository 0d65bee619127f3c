import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { type Change, readSegment } from "../../../core/state/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { type GatedStore, gatedStore } from "../../helpers/stores/gated-store.js";
import { keys, keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { keysOf, NO_CHECKPOINTS, putting, type Run, testLedgers } from "../../helpers/stores/ledgers.js";
import { withoutAppend } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
const start = (store: StateStore): Promise<Run> => ledgers.run(store, { limits: NO_CHECKPOINTS });
const patching: Change = { op: "patch", uid: "uid-a", set: { error: "theirs" } };

/** A session with a growing segment, whose process counts as dead and still runs. */
async function paused(): Promise<{ inner: StateStore; owner: Run; gated: GatedStore }> {
  const inner = memoryStore();
  const gated = gatedStore(inner);
  const owner = await start(gated.store);
  await owner.put("a");
  return { inner, owner, gated };
}

/** Holds back the next line of a session. The returned function lets it continue, and checks that it is fenced. */
async function late(gated: GatedStore, write: () => Promise<void>): Promise<() => Promise<void>> {
  gated.hold(/^append/);
  const code = rejectedCode(write());
  const line = await gated.reached(/^append/);
  return async () => {
    await line.answer();
    expect((await code)[0]).toBe("FENCED");
  };
}

/** Checks that no later read can differ: nothing is unsettled. */
async function settledState(store: StateStore): Promise<string[]> {
  const read = await loadFrom(store);
  expect(read.unsettled).toEqual([]);
  return recorded(read).sort();
}

describe("a session that takes over a growing segment", () => {
  it("counts what its owner added after it was read, up to the moment of the takeover", async () => {
    const { inner, owner } = await paused();
    const next = await start(inner);
    await owner.put("b");
    await next.put("c");
    expect(keysOf(next.ledger)).toEqual(["a", "b", "c"]);
    expect((await rejectedCode(owner.put("d")))[0]).toBe("FENCED");
    expect(await settledState(inner)).toEqual(["a", "b", "c"]);
    await next.close();
    expect(await settledState(inner)).toEqual(["a", "b", "c"]);
  });

  it("changes nothing where that touched what it has read, and closes, so that no run has to wait for it", async () => {
    const { inner, owner } = await paused();
    const next = await start(inner);
    next.ledger.read("a");
    await owner.ledger.commit([patching], "now");
    expect((await rejectedCode(next.put("c")))[0]).toBe("STATE_MOVED");
    const { head, contents } = await loadFrom(inner);
    expect(head.open).toBeUndefined();
    expect(contents.at("a")).toMatchObject({ error: "theirs" });
    expect(await settledState(inner)).toEqual(["a"]);
    const after = await start(inner);
    await after.put("d");
    expect(after.events.map(({ type }) => type)).toEqual(["state:locked", "state:committed"]);
    expect((await rejectedCode(owner.put("e")))[0]).toBe("FENCED");
  });

  it("does not count what its owner adds after the takeover has read the segment to its end", async () => {
    const { inner, owner, gated } = await paused();
    const goOn = await late(gated, () => owner.put("late"));
    const next = await start(inner);
    await next.put("c");
    await goOn();
    expect(await settledState(inner)).toEqual(["a", "c"]);
  });

  it("does not count a close that its owner adds after that", async () => {
    const { inner, owner, gated } = await paused();
    const goOn = await late(gated, () => owner.close());
    const next = await start(inner);
    await next.put("c");
    const before = (await loadFrom(inner)).head;
    await goOn();
    expect((await loadFrom(inner)).head).toEqual(before);
    await next.put("d");
    expect(await settledState(inner)).toEqual(["a", "c", "d"]);
  });

  it.each<[string, (inner: StateStore) => StateStore]>([
    ["between its open and its first line: the one after it settles both segments", (inner) => inner],
    // A store that was opened without append, on a state that was written with it.
    ["there without segments of its own: the one after it still settles what it left", withoutAppend],
  ])("may die %s", async (_, opened) => {
    const { inner, owner, gated } = await paused();
    const store = opened(inner);
    const dying = gatedStore(store);
    const second = await start(dying.store);
    dying.hold(/^list/);
    void second.put("never").catch(() => {});
    await dying.reached(/^list/);
    const goOn = await late(gated, () => owner.put("late"));
    const third = await start(store);
    await third.put("c");
    await goOn();
    expect(await settledState(inner)).toEqual(["a", "c"]);
    expect((await loadFrom(inner)).head.guards).toEqual([1, 3, 4]);
  });
});

describe("a close that is followed at once", () => {
  it("is not a failure: a run that saw it may begin before its writer has checked the fence", async () => {
    const inner = memoryStore();
    // Like a store whose append waits for the disk before it checks: the next session begins in between.
    const append = async (key: string, chunk: string, fence: string): Promise<boolean> => {
      await inner.append?.(key, chunk, fence);
      if (chunk.includes('"close"')) await (await start(inner)).put("b");
      return (await inner.get(fence)) === undefined;
    };
    const owner = await start(Object.assign({ ...inner }, { append }));
    await owner.put("a");
    await owner.close();
    expect(owner.broken).toEqual([]);
    expect(await settledState(inner)).toEqual(["a", "b"]);
  });
});

describe("a session without segments that takes over", () => {
  it("counts an entry that landed before its own, and goes on behind it", async () => {
    const inner = memoryStore({ append: false });
    const gated = gatedStore(inner);
    const owner = await start(gated.store);
    await owner.put("a");
    gated.hold(/^create/);
    const writing = owner.put("late");
    const entry = await gated.reached(/^create/);
    const next = await start(inner);
    await entry.answer();
    await writing;
    await next.put("b");
    expect(await settledState(inner)).toEqual(["a", "b", "late"]);
    expect(await keysIn(inner)).toEqual(["journal/1", "journal/2", "journal/3", "journal/4", "journal/5"]);
  });
});

describe("switching between segments and single entries", () => {
  it("goes on in the same ledger, from either to either, after a close or a death", async () => {
    const inner = memoryStore();
    const plain = withoutAppend(inner);
    const expected: string[] = [];
    for (const [index, dies] of [false, true, true, false, false, true, false].entries()) {
      for (const store of [inner, plain]) {
        const name = `${index}${store === inner ? "s" : "e"}`;
        const run = await start(store);
        await run.put(name);
        await run.put(`${name}+`);
        if (!dies) await run.close();
        expected.push(name, `${name}+`);
        expect(await settledState(inner)).toEqual(expected.toSorted());
      }
    }
    for (const key of (await snapshot(inner)).keys()) {
      const seq = Number(key.slice(keys.entries.length));
      expect(readSegment(seq, (await inner.get(key)) ?? "")).toBeDefined();
    }
  });
});

describe("a queue that waits for the takeover", () => {
  it("is applied once, on top of what was found", async () => {
    const { inner, owner } = await paused();
    const next = await start(inner);
    await owner.put("b");
    const first = next.put("c");
    const second = next.ledger.commit([putting("d"), { op: "data", owner: "/", key: "n", value: 1 }], "soon");
    await Promise.all([first, second]);
    expect(keysOf(next.ledger)).toEqual(["a", "b", "c", "d"]);
    expect(next.ledger.readData("/", "n")).toBe(1);
  });
});

/** Blocks the thread, like a stopped process. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describe("a run that stood still after its intent", () => {
  const TTL = 40;
  const silent = async (store: StateStore): Promise<Run> => {
    const run = await ledgers.run(store, { ttl: TTL, limits: NO_CHECKPOINTS });
    await run.put("a");
    return run;
  };

  it("is fenced before it calls the handler, where another run has taken over", async () => {
    const store = memoryStore();
    const run = await silent(store);
    await (await start(store)).put("b");
    standStill(TTL);
    const proof = run.ledger.proveOwn("uid-a");
    expect((await rejectedCode(proof ?? Promise.resolve()))[0]).toBe("FENCED");
    expect(run.broken).toMatchObject([{ code: "FENCED" }]);
  });

  it("goes on where no other run has, by a line that changes nothing", async () => {
    const store = memoryStore();
    const run = await silent(store);
    const before = recorded(await loadFrom(store));
    standStill(TTL);
    await run.ledger.proveOwn("uid-a");
    expect(recorded(await loadFrom(store))).toEqual(before);
    expect(run.broken).toEqual([]);
    await run.close();
  });

  it("writes nothing more if it was not silent", async () => {
    const run = await start(memoryStore());
    await run.put("a");
    expect(run.ledger.proveOwn("uid-a")).toBeUndefined();
    await run.close();
  });

  it("is fenced before it calls the handler, where it stood still once more after its proof", async () => {
    const inner = memoryStore();
    let lines = 0;
    let isProof = false;
    const store = Object.assign(
      { ...inner },
      {
        append: async (...args: Parameters<NonNullable<typeof inner.append>>) => {
          const answer = (await inner.append?.(...args)) ?? false;
          if (!isProof || lines++ > 0) return answer;
          standStill(TTL);
          await (await start(inner)).put("b");
          return answer;
        },
      },
    );
    const run = await silent(store as StateStore);
    standStill(TTL);
    isProof = true;
    const proof = run.ledger.proveOwn("uid-a");
    expect((await rejectedCode(proof ?? Promise.resolve()))[0]).toBe("FENCED");
  });
});
