import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { keys, keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { keysOf, putting, recordAt, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { quiet } from "../../helpers/time/gate.js";

const ledgers = testLedgers();

describe("a ledger", () => {
  it("shows what was queued at once, and resolves when it is durable", async () => {
    const inner = memoryStore();
    const gated = gatedStore(inner);
    const run = await ledgers.run(gated.store);
    gated.hold(/^create/);
    let durable = false;
    const committed = run.put("a").then(() => {
      durable = true;
    });
    expect(run.ledger.read("a")).toEqual(recordAt("a"));
    const create = await gated.reached(/^create/);
    await quiet();
    expect(durable).toBe(false);
    gated.hold(undefined);
    await create.answer();
    await committed;
  });

  it("is durable in all that was queued earlier when something queued later is", async () => {
    const store = memoryStore();
    const run = await ledgers.run(store);
    void run.ledger.commit([putting("a")], "soon");
    void run.ledger.commit([{ op: "data", owner: "/", key: "n", value: 1 }], "soon");
    await run.put("b");
    const { contents } = await loadFrom(store);
    expect([...contents.records.keys()]).toEqual(["uid-a", "uid-b"]);
    expect(contents.data.get("/")?.get("n")).toBe(1);
  });

  it("drains without closing", async () => {
    const store = memoryStore({ append: false });
    const run = await ledgers.run(store);
    void run.ledger.commit([putting("a")], "soon");
    await run.ledger.drain();
    expect(recorded(await loadFrom(store))).toEqual(["a"]);
    expect((await loadFrom(store)).head.open).toBeDefined();
  });

  it("does not change what another run has loaded", async () => {
    const store = memoryStore();
    const reading = await ledgers.run(store, { writes: false });
    await ledgers.begun(store, "a");
    expect(keysOf(reading.ledger)).toEqual([]);
  });

  it("reports its progress to listeners", async () => {
    const run = await ledgers.run(memoryStore());
    await run.put("a", "b");
    await run.put("c");
    const commits = run.events.flatMap((event) =>
      event.type === "state:committed" ? [[event.seq, event.changes]] : [],
    );
    expect(commits).toEqual([
      [2, 2],
      [2, 1],
    ]);
  });
});

describe("a store that fails at once, as that of files does on a full disk", () => {
  it("breaks the run as one that fails later: what waits is rejected, and all that comes after it", async () => {
    const inner = memoryStore();
    const full = new Error("disk full");
    let isFull = false;
    const append: typeof inner.append = (...chunk) => {
      if (isFull) throw full;
      return inner.append?.(...chunk) ?? false;
    };
    const run = await ledgers.run(Object.assign({ ...inner }, { append }));
    await run.put("a", "b");
    isFull = true;
    const late = [run.put("c"), run.ledger.commit([putting("d")], "soon"), run.ledger.drain()];
    expect(await Promise.allSettled(late)).toEqual(Array(3).fill({ status: "rejected", reason: full }));
    expect(run.broken).toEqual([full]);
    isFull = false;
    await expect(run.put("e")).rejects.toBe(full);
    expect(recorded(await loadFrom(inner))).toEqual(["a", "b"]);
  });
});

describe("two runs of one process on one store", () => {
  it("do not get in each other's way where one of them changes nothing, whatever the other one deletes", async () => {
    const store = memoryStore();
    const first = await ledgers.run(store);
    await first.ledger.commit([putting("a"), { op: "data", owner: "/s", key: "n", value: 1 }], "now");
    await first.close();
    const [deleting, idle] = [await ledgers.run(store), await ledgers.run(store)];
    await idle.ledger.acquire();
    await idle.close();
    await deleting.ledger.commit(
      [
        { op: "drop", uid: "uid-a" },
        { op: "forget", owner: "/s" },
      ],
      "now",
    );
    await deleting.close();
    expect((await loadFrom(store)).contents.isEmpty).toBe(true);
  });

  it("each continue what the other has closed, over and over", async () => {
    const store = memoryStore();
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await ledgers.run(store), await ledgers.run(store)];
      await one.put(`${round}a`);
      await one.close();
      await two.put(`${round}b`);
      await two.close();
    }
    const all = [0, 1, 2, 3, 4].flatMap((round) => [`${round}a`, `${round}b`]);
    expect(recorded(await loadFrom(store)).sort()).toEqual(all);
  });

  it("opened at the same moment, are put in an order by the store", async () => {
    for (const append of [true, false]) {
      const store = memoryStore({ append });
      const runs = await Promise.all(["a", "b", "c", "d"].map(() => ledgers.run(store)));
      const outcomes = await Promise.allSettled(
        runs.map(async (run, index) => {
          await run.put(`${index}`);
          await run.close();
          return `${index}`;
        }),
      );
      const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(done.length).toBeGreaterThan(0);
      expect(recorded(await loadFrom(store))).toEqual(expect.arrayContaining(done));
    }
  });
});

describe("a stage", () => {
  it("never sees, lists, writes or deletes a key of another one", async () => {
    const { store, calls } = recordingStore(memoryStore({ append: false }));
    const others = ["de", "dev2", "dev/x", "DEV", "prod"];
    for (const stage of others) await ledgers.ran(store, "theirs", { stage });
    const before = await snapshot(store);
    calls.length = 0;
    for (let number = 0; number < 6; number++) {
      const run = await ledgers.begun(store, `${number}`);
      if (number % 2 === 0) await run.close();
    }
    const foreign = calls.flatMap((call) => call.keys).filter((key) => !key.startsWith(keys.root));
    expect(foreign).toEqual([]);
    const after = [...(await snapshot(store))].filter(([key]) => !key.startsWith(keys.root));
    expect(after).toEqual([...before]);
  });
});

/** This many changes, to be recorded together. */
const many = (count: number) => Array.from({ length: count }, (_, at) => putting(`k${at}`));

it("a close comes after all that was queued before it is written", async () => {
  const store = memoryStore();
  const run = await ledgers.begun(store, "a");
  void run.ledger.commit([putting("b")], "now");
  const closing = run.close();
  for (const change of many(9000)) void run.ledger.commit([change], "soon");
  await closing;
  await quiet();
  expect(run.ledger.hasToClose).toBe(false);
  const next = await ledgers.run(store);
  expect(next.ledger.contents.records.size).toBe(9002);
  expect(next.ledger.hasToClose).toBe(false);
});

it("no checkpoint comes in mid-run because the first append has brought much", async () => {
  const store = memoryStore();
  await ledgers.ran(store, "a");
  const before = (await keysIn(store)).filter((key) => key.includes("checkpoint"));
  const run = await ledgers.run(store);
  await run.ledger.commit(many(9000), "now");
  await run.put("x");
  await run.put("y");
  await quiet();
  expect((await keysIn(store)).filter((key) => key.includes("checkpoint"))).toEqual(before);
});
