import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { putting } from "../../helpers/stores/ledgers.js";
import { finish, journal, pass, stopTime, type TestJournal, written } from "../../helpers/time/journal-in-time.js";

beforeEach(stopTime);
afterEach(() => {
  vi.useRealTimers();
});

/** A journal whose last two appends both took this long. */
async function seasoned(milliseconds: number): Promise<TestJournal> {
  const made = journal(milliseconds <= 1);
  for (const key of ["x", "y"]) {
    void made.add(key, "now");
    await pass(1);
    await finish(made, milliseconds);
  }
  made.appends.length = 0;
  return made;
}

describe("changes that are queued", () => {
  it("in one turn of the event loop leave together", async () => {
    const made = journal(false);
    void made.add("a", "now");
    await Promise.resolve();
    void made.add("b", "soon");
    void made.add("c", "now");
    expect(written(made)).toEqual([]);
    await pass(0);
    expect(written(made)).toEqual(["a b c"]);
  });

  it("while an append is under way leave together with the next", async () => {
    const made = journal(false);
    void made.add("a", "now");
    await pass(0);
    for (const key of ["b", "c", "d"]) void made.add(key, "now");
    await pass(10);
    expect(written(made)).toEqual(["a"]);
    await finish(made, 0);
    expect(written(made)).toEqual(["a", "b c d"]);
  });

  it("are durable when their own append has ended, and not before", async () => {
    const made = journal(false);
    const seen: string[] = [];
    void made.add("a", "now").then(() => seen.push("a"));
    await pass(0);
    void made.add("b", "now").then(() => seen.push("b"));
    await finish(made, 5);
    expect(seen).toEqual(["a"]);
    await finish(made, 5);
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("a result that is not awaited", () => {
  it("waits 25 ms for company on a slow store", async () => {
    const made = journal(true);
    void made.add("a", "soon");
    await pass(24);
    expect(written(made)).toEqual([]);
    await pass(1);
    expect(written(made)).toEqual(["a"]);
  });

  it("leaves with the next intent, which does not wait", async () => {
    const made = journal(true);
    void made.add("a", "soon");
    await pass(10);
    void made.add("b", "now");
    await pass(0);
    expect(written(made)).toEqual(["a b"]);
  });

  it("is not kept waiting on a fast store", async () => {
    const made = journal(false);
    void made.add("a", "soon");
    await pass(0);
    expect(written(made)).toEqual(["a"]);
  });

  it("waits on a store that has turned out to be slow, and not on one that has turned out to be fast", async () => {
    const slow = await seasoned(5);
    void slow.add("a", "soon");
    await pass(20);
    expect(written(slow)).toEqual([]);
    const fast = await seasoned(0);
    void fast.add("a", "soon");
    await pass(0);
    expect(written(fast)).toEqual(["a"]);
  });

  it("does not wait because one append was slow, as the first of a session is, with its fsync", async () => {
    const made = journal(false);
    void made.add("a", "now");
    await pass(0);
    await finish(made, 8);
    void made.add("b", "soon");
    await pass(0);
    expect(written(made)).toEqual(["a", "b"]);
  });

  it("that gathered while a slow append was under way waits, too, from its end on", async () => {
    const made = journal(true);
    void made.add("a", "now");
    await pass(0);
    void made.add("b", "soon");
    await finish(made, 100);
    await pass(24);
    expect(written(made)).toEqual(["a"]);
    await pass(1);
    expect(written(made)).toEqual(["a", "b"]);
  });
});

describe("draining", () => {
  it("writes at once what waits, and ends when that is durable", async () => {
    const made = journal(true);
    void made.add("a", "soon");
    let drained = false;
    void made.journal.drain().then(() => {
      drained = true;
    });
    await pass(0);
    expect(written(made)).toEqual(["a"]);
    expect(drained).toBe(false);
    await finish(made, 5);
    expect(drained).toBe(true);
  });

  it("waits for what is under way, and for what gathered meanwhile", async () => {
    const made = journal(true);
    void made.add("a", "now");
    await pass(0);
    const first = made.journal.drain();
    void made.add("b", "soon");
    const both = made.journal.drain();
    await finish(made, 5);
    await first;
    await finish(made, 5);
    await both;
    expect(written(made)).toEqual(["a", "b"]);
  });

  it("ends at once where nothing is queued", async () => {
    await journal(true).journal.drain();
  });
});

describe("an append that fails", () => {
  it("rejects what it held, what waits, and everything after it, and nothing more is written", async () => {
    const made = journal(false);
    const outcomes: Promise<PromiseSettledResult<void>[]>[] = [];
    const note = (...results: Promise<void>[]): unknown => outcomes.push(Promise.allSettled(results));
    note(made.add("a", "now"));
    await pass(0);
    note(made.add("b", "now"), made.add("c", "soon"), made.journal.drain());
    const failed = new Error("disk full");
    made.appends[0]?.failed.open(failed);
    await pass(0);
    note(made.add("d", "now"), made.journal.drain());
    const settled = (await Promise.all(outcomes)).flat();
    expect(settled).toEqual(Array(6).fill({ status: "rejected", reason: failed }));
    await pass(1_000);
    expect(written(made)).toEqual(["a"]);
  });

  it("leaves all that is not durable to be looked at, in its order", async () => {
    const made = journal(false);
    void made.add("durable", "now");
    await pass(0);
    await finish(made, 0);
    void made.add("a", "now").catch(() => {});
    await pass(0);
    void made.add("b", "now").catch(() => {});
    made.appends.at(-1)?.failed.open(new Error("disk full"));
    await pass(0);
    // Handlers that were running when it failed end later.
    void made.add("c", "soon").catch(() => {});
    const left = made.journal.unwritten.map((changes) =>
      changes.map((change) => change.op === "put" && change.record.key),
    );
    expect(left).toEqual([["a"], ["b"], ["c"]]);
  });
});

describe("more than one append should hold", () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => putting(`k${from + index}`));

  it("leaves in several, in its order, the next as soon as the one before is done", async () => {
    const made = journal(true);
    const first = made.journal.add(many(0, 4096), "soon");
    const second = made.add("k4096", "soon");
    let done = "";
    void first.then(() => (done += "first "));
    void second.then(() => (done += "second"));
    await finish(made, 5);
    expect(done).toBe("first ");
    await finish(made, 5);
    expect(done).toBe("first second");
    expect(made.appends.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: 4097 }, (_, index) => `k${index}`));
    expect(made.appends.map(({ keys }) => keys.length)).toEqual([4096, 1]);
  });

  it("keeps together what was added together", async () => {
    const made = journal(true);
    void made.journal.add(many(0, 4000), "now");
    void made.journal.add(many(4000, 9000), "now");
    await finish(made, 5);
    expect(made.appends.map(({ keys }) => keys.length)).toEqual([9000]);
  });

  it("drains all of it", async () => {
    const made = journal(true);
    for (let at = 0; at < 3; at++) void made.journal.add(many(at * 4096, (at + 1) * 4096), "soon");
    const drained = made.journal.drain();
    for (let at = 0; at < 3; at++) await finish(made, 5);
    await drained;
    expect(made.appends).toHaveLength(3);
    expect(made.journal.hasQueued).toBe(false);
  });

  it("is all left to be looked at where one of them fails, and all rejected", async () => {
    const made = journal(true);
    const added = [0, 1, 2].map((at) => made.journal.add(many(at * 4096, (at + 1) * 4096), "now"));
    const outcomes = Promise.allSettled(added);
    await finish(made, 5);
    made.appends.at(-1)?.failed.open(new Error("disk full"));
    await pass(0);
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(made.journal.unwritten.flat()).toHaveLength(2 * 4096);
  });
});
