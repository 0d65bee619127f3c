import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { putting } from "../../helpers/stores/ledgers.js";
import { finish, journal, pass, stopTime } from "../../helpers/time/journal-in-time.js";

beforeEach(stopTime);
afterEach(() => {
  vi.useRealTimers();
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
