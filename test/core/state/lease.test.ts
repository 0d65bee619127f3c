import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { Lease, watch } from "../../../core/state/session/lease.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { entries } from "../../helpers/stores/journals.js";
import { faultyStore, recordingStore } from "../../helpers/stores/store-around.js";
import { chained, genesis, openRecord } from "../../helpers/terminal/lines.js";
import { type FakeClock, fakeClock } from "../../helpers/time/fake-clock.js";

const keys = ledgerKeys("app", "dev");
const TTL = 20_000;

describe("a lease", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("counts up every quarter of the TTL, and is gone when it ends", async () => {
    const { store, take } = recordingStore(memoryStore());
    const lease = new Lease({ store, keys }, "s", TTL);
    await vi.advanceTimersByTimeAsync(TTL / 4 - 1);
    expect(take()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await store.get(keys.lease("s"))).toBe("1");
    await vi.advanceTimersByTimeAsync(TTL / 2);
    expect(await store.get(keys.lease("s"))).toBe("3");
    await lease.end(true);
    expect(await store.get(keys.lease("s"))).toBeUndefined();
    await vi.advanceTimersByTimeAsync(TTL);
    expect(await store.get(keys.lease("s"))).toBeUndefined();
  });

  it("makes no request in a run that is over before the first beat", async () => {
    const { store, take } = recordingStore(memoryStore());
    await new Lease({ store, keys }, "s", TTL).end(true);
    expect(take()).toEqual([]);
  });

  it("is deleted after a run without a beat if other runs can listen for that, unless it was fenced", async () => {
    const { store, take } = recordingStore({ ...memoryStore(), whenDeleted: async () => {} });
    await new Lease({ store, keys }, "s", TTL).end(false);
    expect(take()).toEqual([]);
    await new Lease({ store, keys }, "s", TTL).end(true);
    expect(take()).toEqual([expect.stringMatching(/^deleteMany .*lease\/s/)]);
  });

  it("stays where its session was fenced, which deletes nothing", async () => {
    const store = memoryStore();
    const lease = new Lease({ store, keys }, "s", TTL);
    await vi.advanceTimersByTimeAsync(TTL / 4);
    await lease.end(false);
    expect(await store.get(keys.lease("s"))).toBe("1");
  });

  it("is not taken away before a beat that is under way has landed", async () => {
    const inner = memoryStore();
    const { store, hold, reached } = gatedStore(inner);
    hold(/^set/);
    const lease = new Lease({ store, keys }, "s", TTL);
    await vi.advanceTimersByTimeAsync(TTL);
    const beat = await reached("set lease/s");
    const ended = lease.end(true);
    await beat.answer();
    await ended;
    expect(await inner.get(keys.lease("s"))).toBeUndefined();
  });

  it("goes on beating after a beat that failed", async () => {
    let fails = true;
    const store = faultyStore(memoryStore(), ({ op }) => (op === "set" && fails ? "refused" : undefined));
    const lease = new Lease({ store, keys }, "s", TTL);
    await vi.advanceTimersByTimeAsync(TTL / 2);
    fails = false;
    await vi.advanceTimersByTimeAsync(TTL / 4);
    expect(await store.get(keys.lease("s"))).toBe("3");
    await lease.end(true);
  });

  it("asks, after a silence, whether another session has begun, and then beats no more", async () => {
    const { store, take } = recordingStore(entries());
    const [first, second] = chained({ seq: 1, session: "s", open: openRecord({ genesis }) }, { seq: 2, session: "t" });
    await store.create(keys.entry(1), first?.text ?? "");
    const clock = fakeClock();
    const lease = new Lease({ store, keys }, "s", TTL, clock);
    clock.pass(TTL);
    await vi.advanceTimersByTimeAsync(TTL / 4);
    expect(await store.get(keys.lease("s"))).toBe("1");
    await store.deleteMany([keys.lease("s")]);
    await store.create(keys.entry(2), second?.text ?? "");
    clock.pass(TTL);
    take();
    await vi.advanceTimersByTimeAsync(TTL);
    expect(take()).toEqual(["list", "get journal/2"]);
    await lease.end(false);
  });

  it.each([
    { others: true, left: undefined },
    { others: false, left: "1" },
  ])(
    "takes a beat back that came late, where another session has begun meanwhile: $others",
    async ({ others, left }) => {
      const inner = entries();
      const [first, second] = chained(
        { seq: 1, session: "s", open: openRecord({ genesis }) },
        { seq: 2, session: "t" },
      );
      await inner.create(keys.entry(1), first?.text ?? "");
      const { store, hold, reached } = gatedStore(inner);
      hold(/^set/);
      const clock = fakeClock();
      const lease = new Lease({ store, keys }, "s", TTL, clock);
      await vi.advanceTimersByTimeAsync(TTL / 4);
      const beat = await reached("set lease/s");
      clock.pass(TTL);
      if (others) await inner.create(keys.entry(2), second?.text ?? "");
      await beat.answer();
      await lease.end(false);
      expect(await inner.get(keys.lease("s"))).toBe(left);
    },
  );

  it("that cannot be deleted is not a reason to fail", async () => {
    const store = faultyStore(memoryStore(), ({ op }) => (op === "deleteMany" ? "refused" : undefined));
    const lease = new Lease({ store, keys }, "s", TTL);
    await vi.advanceTimersByTimeAsync(TTL / 4);
    await lease.end(true);
  });
});

interface Observed {
  readonly clock: FakeClock;
  /** The owner's current lease text; a test changes it while time passes. */
  sign: () => string | Promise<string>;
  readonly looks: number[];
  watch(patience?: number): Promise<string>;
}

function observed(ttl = TTL): Observed {
  const clock = fakeClock();
  const controller = new AbortController();
  const made: Observed = {
    clock,
    looks: [],
    sign: () => "same",
    watch: (patience = Number.POSITIVE_INFINITY) =>
      watch({
        sign: async () => {
          made.looks.push(clock.now());
          return made.sign();
        },
        ttl,
        timeout: patience,
        signal: controller.signal,
        clock,
      }),
  };
  return made;
}

describe("watching a session", () => {
  it("finds it silent after a whole TTL, and not a look later", async () => {
    const owner = observed();
    expect(await owner.watch()).toBe("silent");
    expect(owner.clock.now() - (owner.looks[0] ?? 0)).toBe(TTL);
  });

  it("looks often at first and then eight times in a TTL", async () => {
    const owner = observed();
    await owner.watch();
    expect(owner.clock.sleeps.slice(0, 4)).toEqual([50, 100, 200, 400]);
    expect(Math.max(...owner.clock.sleeps)).toBe(TTL / 8);
    expect(owner.looks.length).toBeLessThan(20);
  });

  it("ends at the first sign of life", async () => {
    const owner = observed();
    owner.clock.onWake = (now) => {
      if (now > 6_000) owner.sign = () => "other";
    };
    expect(await owner.watch()).toBe("moved");
    expect(owner.clock.now()).toBeLessThan(6_000 + TTL / 8 + 1);
  });

  it("counts no time between looks that lie further apart than a third of the TTL", async () => {
    // The watching machine sleeps for hours, several times: that says nothing about the owner.
    const owner = observed();
    let naps = 0;
    owner.clock.onWake = () => {
      if (naps++ < 3) owner.clock.pass(3_600_000);
    };
    expect(await owner.watch()).toBe("silent");
    expect(owner.clock.now() - 1_000 - 3 * 3_600_000).toBeGreaterThanOrEqual(TTL);
  });

  it("counts time up to a third of the TTL between two looks, and none beyond", async () => {
    for (const [nap, counts] of [
      [TTL / 3, true],
      [TTL / 3 + 1, false],
    ] as const) {
      const owner = observed();
      let isFirst = true;
      owner.clock.onWake = () => {
        if (isFirst) owner.clock.pass(nap - 50);
        isFirst = false;
      };
      await owner.watch();
      expect(Math.round(owner.clock.now() - 1_000)).toBe(counts ? TTL : Math.round(TTL + nap));
    }
  });

  it("takes no failed look for silence", async () => {
    const owner = observed();
    owner.clock.onWake = (now) => {
      const isDown = now > 3_000 && now < 15_000;
      owner.sign = isDown ? () => Promise.reject(new Error("no answer")) : () => "same";
    };
    expect(await owner.watch()).toBe("silent");
    // From 3 s on, 12 s passed without a sign, with a check before and after.
    expect(owner.clock.now() - 1_000).toBeGreaterThan(TTL + 12_000 - 1_000);
  });

  it("sees that the owner moved while looks failed", async () => {
    const owner = observed();
    owner.clock.onWake = (now) => {
      owner.sign =
        now > 3_000 && now < 15_000
          ? () => Promise.reject(new Error("no answer"))
          : () => (now < 3_000 ? "same" : "other");
    };
    expect(await owner.watch()).toBe("moved");
  });

  it("fails with a store that has not answered for a whole TTL", async () => {
    const owner = observed();
    owner.clock.onWake = () => {
      owner.sign = () => Promise.reject(new Error("no answer"));
    };
    await expect(owner.watch()).rejects.toThrow("no answer");
    expect(owner.clock.now() - 1_000).toBeLessThan(TTL * 1.5);
  });

  it("ends when the patience ends, at that moment", async () => {
    const owner = observed();
    expect(await owner.watch(7_777)).toBe("late");
    expect(owner.clock.now() - 1_000).toBe(7_777);
  });
});
