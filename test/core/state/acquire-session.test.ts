import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { fate, identity, isEngineError, startOf } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import type { LedgerSettings } from "../../../core/state/ledger.js";
import { rejection } from "../../helpers/apps/apps.ts";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { keys } from "../../helpers/stores/journals.js";
import { elsewhere, keysOf, ownerOf, type Run, testLedgers } from "../../helpers/stores/ledgers.js";
import { fakeClock } from "../../helpers/time/fake-clock.js";

const ledgers = testLedgers();
const TTL = 20_000;
const SINCE = "2026-01-02T03:04:05.678Z";
const alive = () => ownerOf(identity());
const remote = () => ownerOf(elsewhere());

/** A session of that owner, and the clock of another run that meets it. */
async function met(owner: LedgerSettings["owner"], append = true) {
  const store = memoryStore({ append });
  const run = await ledgers.begun(store, "a", { owner });
  const clock = fakeClock();
  const started = clock.now();
  return { store, owner: run, clock, passed: () => clock.now() - started };
}

function told(run: Run, type: string): number {
  return run.events.filter((event) => event.type === type).length;
}

describe("a session whose process has ended", () => {
  it("is taken over at once", async () => {
    const { store, clock } = await met(ownerOf(ledgers.dead));
    const run = await ledgers.run(store, { clock });
    expect(clock.sleeps).toEqual([]);
    expect(told(run, "state:taken-over")).toBe(1);
    await run.put("b");
    expect(keysOf(run.ledger)).toEqual(["a", "b"]);
  });

  it("does not hold up runs that only read", async () => {
    const { store } = await met(alive());
    const run = await ledgers.run(store, { writes: false });
    expect(keysOf(run.ledger)).toEqual(["a"]);
    expect(run.events).toEqual([]);
  });
});

describe("a session whose process lives on this machine", () => {
  it.each(["before the first look", "after it"])(
    "is taken over at once by those who wait for it already, if that process is killed %s",
    async (when) => {
      const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
      await once(child, "spawn");
      const { pid = 0 } = child;
      const doomed = ownerOf({ ...identity(), pid, started: startOf(pid) });
      const { store, clock, passed } = await met(doomed);
      const kill = (): void => {
        child.kill("SIGKILL");
        while (fate(doomed, identity()) !== "gone");
      };
      const events = createEventBus();
      if (when === "after it") clock.onWake = kill;
      else events.source.on("state:waiting", kill);
      let isTaken = false;
      events.source.on("state:taken-over", () => {
        isTaken = true;
      });
      await ledgers.run(store, { clock, events, lockTimeout: 60_000 });
      expect(passed()).toBeLessThan(TTL / 8 + 1_000);
      expect(isTaken).toBe(true);
    },
  );

  it("is not waited for unless asked", async () => {
    const { store, clock } = await met(alive());
    const error = await rejection(ledgers.run(store, { clock }));
    if (!isEngineError(error, "STATE_LOCKED")) throw error;
    const { message, holder } = error;
    const session = { session: expect.any(String), command: "up", version: expect.any(String), ttl: TTL };
    const { user, host, pid } = identity();
    expect(holder).toEqual({ ...session, user, host, pid, process: "runs", since: SINCE });
    for (const part of ["app/dev", `process ${pid}`, SINCE, "silent for"]) {
      expect(message).toContain(part);
    }
    expect(clock.sleeps).toEqual([]);
  });

  it("is waited for as long as asked", async () => {
    const { store, clock, passed } = await met(alive());
    expect((await rejectedCode(ledgers.run(store, { clock, lockTimeout: 5_000 })))[0]).toBe("STATE_LOCKED");
    expect(passed()).toBe(5_000);
  });

  it("is followed as soon as it closes", async () => {
    const { store, owner, clock, passed } = await met(alive());
    clock.onWake = async () => {
      if (passed() > 3_000) await owner.close();
    };
    const run = await ledgers.run(store, { clock, lockTimeout: 60_000 });
    expect(passed()).toBeLessThan(3_000 + TTL / 8 + 1_000);
    expect([told(run, "state:waiting"), told(run, "state:taken-over")]).toEqual([1, 0]);
  });

  it("is said to be waited for no more once it has closed", async () => {
    const { store, owner, clock } = await met(alive());
    clock.onWake = () => owner.close();
    const run = await ledgers.run(store, { clock, lockTimeout: 60_000 });
    const tells = run.events.filter(({ type }) => type === "state:waiting" || type === "state:waited");
    expect(tells.map(({ type }) => type)).toEqual(["state:waiting", "state:waited"]);
    for (const tell of tells) expect(tell).toMatchObject({ holder: { pid: process.pid, since: SINCE } });
  });

  it("is read again seldom while it works and works", async () => {
    const { store, owner, clock } = await met(alive());
    let count = 0;
    clock.onWake = async () => owner.put(`${count++}`);
    await rejectedCode(ledgers.run(store, { clock, lockTimeout: 60_000 }));
    expect(clock.sleeps.length).toBeLessThan(140);
  });
});

describe("a session on another machine", () => {
  it("that shows life is locked, which takes no longer than its next beat", async () => {
    const { store, clock, passed } = await met(remote());
    clock.onWake = async () => {
      if (passed() >= TTL / 4) await store.set("app/dev/lease/any", "1");
    };
    const opening = ledgers.run(
      // The test does not know the name of the session: any lease that is read has moved.
      { ...store, get: (key) => store.get(key.includes("/lease/") ? "app/dev/lease/any" : key) },
      { clock },
    );
    expect(await rejection(opening)).toMatchObject({
      code: "STATE_LOCKED",
      message: expect.stringContaining("ada@far-away (process 1)"),
      holder: { user: "ada", host: "far-away", pid: 1, process: "unknown" },
    });
    expect(passed()).toBeLessThan(TTL / 4 + TTL / 8);
  });

  it("whose journal grows is alive, too", async () => {
    for (const append of [true, false]) {
      const { store, owner, clock } = await met(remote(), append);
      clock.onWake = (now) => (now > 2_000 && now < 3_000 ? owner.put("b") : undefined);
      expect((await rejectedCode(ledgers.run(store, { clock })))[0]).toBe("STATE_LOCKED");
    }
  });

  it("that is silent for its TTL is taken over then", async () => {
    for (const append of [true, false]) {
      const { store, clock, passed } = await met(remote(), append);
      const run = await ledgers.run(store, { clock });
      expect(passed()).toBe(TTL);
      expect([told(run, "state:waiting"), told(run, "state:taken-over")]).toEqual([1, 1]);
      await run.put("b");
      expect(keysOf(run.ledger)).toEqual(["a", "b"]);
    }
  });

  it("is waited for until lockTimeout where it lives, and then locked", async () => {
    const { store, clock, passed } = await met(remote());
    let beat = 0;
    const lively: StateStore = {
      ...store,
      get: async (key) =>
        key.includes("/lease/") ? `${Math.floor(clock.now() / (TTL / 4))} ${beat++ > 1e6}` : store.get(key),
    };
    expect((await rejectedCode(ledgers.run(lively, { clock, lockTimeout: 60_000 })))[0]).toBe("STATE_LOCKED");
    expect(passed()).toBe(60_000);
  });

  it("that ends while another one begins is not waited for again, unless asked", async () => {
    const { store, owner: first, clock } = await met(remote());
    let next: Promise<Run> | undefined;
    clock.onWake = async () => {
      if (next) return;
      await first.close();
      next = ledgers.begun(store, "a", { owner: { ...remote(), host: "farther-away" } });
      await next;
    };
    const [code, message] = await rejectedCode(ledgers.run(store, { clock }));
    expect([code, message]).toEqual(["STATE_LOCKED", expect.stringContaining("farther-away")]);
    expect(clock.now()).toBeLessThan(2_000);
  });
});

describe("waiting", () => {
  it("ends with the reason of the run's signal", async () => {
    const { store } = await met(remote());
    const controller = new AbortController();
    const waiting = ledgers.run(store, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("is not needed for a session that this very process has given up", async () => {
    const { store, owner } = await met(alive());
    await owner.ledger.abandon();
    await ledgers.ran(store, "b", { clock: fakeClock() });
    expect(await store.get(keys.entry(3))).toBeDefined();
  });
});

/** A run that waits for a session missed changes: other runs continued between its load and its first check. */
it.each([
  ["has ended", true, 0],
  ["has ended", false, 0],
  ["has ended, and others have trimmed its entry and the next one,", true, 8],
  ["has ended, and others have trimmed its entry and the next one,", false, 8],
])("a session that %s before the first look is waited for no longer (a store that appends: %s)", async (...given) => {
  const [, append, others] = given;
  const { store, owner, clock, passed } = await met(alive(), append);
  const goOn = async (): Promise<void> => {
    await owner.close();
    for (let n = 0; n < others; n++) await ledgers.ran(store, `other-${n}`);
  };
  const events = createEventBus();
  let meanwhile: Promise<void> | undefined;
  let isWaiting = false;
  events.source.on("state:waiting", () => {
    isWaiting = true;
  });
  const missed = async (): Promise<void> => {
    if (isWaiting) meanwhile ??= goOn();
    await meanwhile;
  };
  const late = Object.assign(Object.create(store), {
    get: (key: string) => missed().then(() => store.get(key)),
  });
  const run = await ledgers.run(late, { clock, events, lockTimeout: 60_000 });
  expect(passed()).toBeLessThan(1_000);
  expect(keysOf(run.ledger)).toHaveLength(1 + others);
});
