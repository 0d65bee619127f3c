import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { trim } from "../../../core/state/checkpoint/checkpoint.js";
import { emptyHead, type Head } from "../../../core/state/index.js";
import { checkpointAt, keys, keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { until } from "../../helpers/time/until.js";

const ledgers = testLedgers();

/** A store with entries 1 to `entries` and these checkpoints. */
async function stored(entries: number, checkpoints: readonly number[]): Promise<StateStore> {
  const store = memoryStore();
  for (let seq = 1; seq <= entries; seq++) await store.create(keys.entry(seq), `entry ${seq}`);
  for (const seq of checkpoints) await checkpointAt(store, seq);
  return store;
}

async function trimmed(store: StateStore, folded: Partial<Head>, keep: number): Promise<void> {
  await trim({ store, keys, app: "app", stage: "dev", keep }, { ...emptyHead("app", "dev"), guards: [1], ...folded });
}

async function left(store: StateStore, folded: Partial<Head>, keep = 3): Promise<string[]> {
  await trimmed(store, folded, keep);
  return (await keysIn(store)).map((key) => key.replace("journal/", "").replace("checkpoint/", "c"));
}

describe("trimming", () => {
  it("leaves everything while there are fewer checkpoints than it keeps", async () => {
    expect(await left(await stored(4, [2, 3]), { seq: 4 })).toEqual(["c2", "c3", "1", "2", "3", "4"]);
  });

  it("leaves the newest checkpoints and the entries after the oldest of these", async () => {
    expect(await left(await stored(8, [2, 3, 5, 7]), { seq: 7 })).toEqual([
      "c3",
      "c5",
      "c7",
      "1",
      "4",
      "5",
      "6",
      "7",
      "8",
    ]);
    expect(await left(await stored(8, [2, 3, 5, 7]), { seq: 7 }, 1)).toEqual(["c7", "1", "8"]);
  });

  it("leaves every guard, however old", async () => {
    const guards = [1, 2, 4, 6];
    expect(await left(await stored(8, [3, 5, 7]), { seq: 7, guards }, 1)).toEqual(["c7", "1", "2", "4", "6", "8"]);
  });

  it("goes no further than its session has folded itself", async () => {
    // The session was taken over: it does not know the guards that came since.
    const store = await stored(9, [2, 4, 6, 8]);
    expect(await left(store, { seq: 4 }, 1)).toEqual(["c4", "c6", "c8", "1", "5", "6", "7", "8", "9"]);
  });

  it("leaves other people's keys", async () => {
    const store = await stored(4, [2, 3, 4]);
    for (const key of ["app/dev/journal/notes", "app/dev/lease/x", "app/dev2/journal/000000000001", "app/notes"]) {
      await store.set(key, "");
    }
    await left(store, { seq: 4 }, 1);
    expect(
      await store.getMany(["app/dev/journal/notes", "app/dev/lease/x", "app/dev2/journal/000000000001", "app/notes"]),
    ).toEqual(["", "", "", ""]);
  });

  it("takes checkpoints before entries, and asks for nothing that it does not need", async () => {
    const { store, take } = recordingStore(await stored(8, [2, 3, 5, 7]));
    await trimmed(store, { seq: 7 }, 2);
    expect(take()).toEqual(["list", "deleteMany checkpoint/2 and 1 more", "deleteMany journal/2 and 3 more"]);
    await trimmed(store, { seq: 7 }, 2);
    expect(take()).toEqual(["list"]);
  });
});

describe("what a stage keeps", () => {
  it("after many runs is three checkpoints, the entries after the oldest of them, and the guards", async () => {
    const store = memoryStore();
    for (let number = 1; number <= 12; number++) {
      const run = await ledgers.begun(store, `${number}`, { limits: CLOSING_CHECKPOINTS, histories: 0 });
      // Every fourth one dies; the next one takes over.
      if (number % 4 !== 0) await run.close();
    }
    const { head } = await loadFrom(store);
    const checkpoints = (await keysIn(store)).filter((key) => key.startsWith("checkpoint"));
    expect(checkpoints).toHaveLength(3);
    const oldest = Number(checkpoints[0]?.slice("checkpoint/".length));
    const expected = Array.from({ length: head.seq }, (_, index) => index + 1).filter(
      (seq) => seq > oldest || head.guards.includes(seq),
    );
    expect(head.guards).toHaveLength(3);
    expect((await keysIn(store)).filter((key) => key.startsWith("journal"))).toEqual(
      expected.map((seq) => `journal/${seq}`),
    );
    expect((await keysIn(store)).length).toBe(checkpoints.length + expected.length);
  });

  it("does not hold the leases of sessions that were closed or taken over", async () => {
    const store = memoryStore();
    const first = await ledgers.begun(store, "a", { ttl: 8, limits: NO_CHECKPOINTS });
    const lease = (): Promise<string | undefined> =>
      keysIn(store).then((all) => all.find((key) => key.startsWith("lease")));
    await until(lease);
    await first.ledger.abandon();
    const next = await ledgers.begun(store, "b", { limits: NO_CHECKPOINTS });
    expect(await lease()).toBeDefined();
    await next.close();
    expect(await lease()).toBeUndefined();
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
  });
});
