import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { platform } from "../../../core/base/index.js";
import { type EnginePlugin, liveRoots } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { type SimulateOptions, type SimulationTools, simulate } from "../../../plugins/testing/index.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { found, foundIn } from "./found-in-simulation.js";
import { DoubleMailbox, SoundMailbox, tenants, useMailboxes } from "./simulated-mailboxes.js";

type MemoryStore = ReturnType<typeof memoryStore>;

/** In virtual milliseconds. */
const MINUTE = 60_000;

/** Mailboxes that keep their promises. */
const sound: SimulateOptions = {
  setUp(tools) {
    const { check } = useMailboxes(tools);
    return { programs: tenants(SoundMailbox), check };
  },
};

/** Mailboxes that may be created twice. */
const double: SimulateOptions = {
  setUp(tools) {
    const { check } = useMailboxes(tools);
    return { programs: tenants(DoubleMailbox), check };
  },
};

describe("simulate", () => {
  it.each([
    { store: "files", histories: isLong ? 2_000 : 4 },
    { store: "redis", histories: isLong ? 2_000 : 3 },
    { store: "bucket", histories: isLong ? 2_000 : 3 },
  ] as const)("finds nothing wrong with a sound type, on $store", async ({ store, histories }) => {
    const report = await simulate({ ...sound, store, histories });
    expect(report.histories).toBe(histories);
    // The end of each history alone has five processes.
    expect(report.runs).toBeGreaterThan(6 * histories);
    expect(report.calls).toBeGreaterThan(4 * histories);
    expect(report.trace.join("\n")).toContain("calm destroy is done");
  });

  it("finds a type that says it is idempotent and is not, with the fewest steps, and finds it again", async () => {
    const error = await found(double);
    expect(error.problems.join("\n")).toMatch(/^check \(converged\): mailbox \d+ is not recorded/);
    expect(error.message).toContain(`To reproduce it: simulate({ …, seed: ${error.seed}, histories: 1 })`);
    expect(error.message).toMatch(/one line each:\n( {2}\d[abc]: .*\n){1,2} {2}then, without faults/);
    const again = await found({ ...double, seed: error.seed, histories: 1 });
    expect(again.trace).toEqual(error.trace);
    expect(again.message).toBe(error.message);
  });

  it("finds a plugin that writes in every run", async () => {
    const restless = ({ random }: SimulationTools): EnginePlugin =>
      definePlugin({
        name: "restless",
        apply({ hooks }) {
          hooks.beforeFinalize.tap("restless", ({ scope }) => scope.set("last", random()));
        },
      });
    const error = await found({
      setUp(tools) {
        useMailboxes(tools);
        return { programs: tenants(SoundMailbox), plugins: () => [restless(tools)] };
      },
    });
    expect(error.problems[0]).toMatch(
      /^A run that had nothing to do has written to the store: .*\(opens a session, last of/,
    );
  });

  it("finds a store that forgets what was appended, and nothing wrong with one that does not", async () => {
    const onStore = (append: (rows: MemoryStore) => Partial<MemoryStore>): SimulateOptions => ({
      setUp(tools) {
        const { check } = useMailboxes(tools);
        const rows = memoryStore();
        const store = { ...rows, close: undefined, ...append(rows) };
        return { programs: tenants(SoundMailbox), check, store: () => store };
      },
    });
    const forgetful = onStore((rows) => ({ append: async (key: string) => (await rows.get(key)) !== undefined }));
    expect((await found(forgetful)).message).toContain('on the store "memory"');
    await simulate({ ...onStore(() => ({})), histories: 4 });
  });

  it("says so where a handler waits for something real", async () => {
    const timer = await foundIn(() => pause(5));
    expect(timer.problems[0]).toMatch(
      /^calm run: create of thing waits for a timer of the real machine, at .*simulate\.test\.ts:/,
    );
    const file = await foundIn(() => readFile("package.json", "utf8"));
    expect(file.problems[0]).toContain("create of thing waits for a file of the real machine");
    const later = await foundIn(({ request }) => request(() => 1).then(() => pause(1)));
    expect(later.problems[0]).toContain("create of thing waits for a timer of the real machine");
  });

  it("says so where a handler waits for something that never comes", async () => {
    const error = await foundIn(() => new Promise(() => {}));
    expect(error.problems[0]).toContain(
      "calm run never ended. It waits for an event that never happens, in create of thing.",
    );
  });

  it("gives virtual time to sleep in, and a request that a signal ends", async () => {
    const told: unknown[] = [];
    const Sleeper = Resource("simulate:Sleeper", {
      idempotent: true,
      create: ({ signal }: { signal: AbortSignal }) => tools.request(() => 1, signal).then((value) => ({ value })),
      delete: () => tools.sleep(10 * MINUTE),
    });
    let tools!: SimulationTools;
    // In real time, the sleeps of four histories would exceed any timeout.
    await simulate({
      histories: 4,
      setUp(given) {
        tools = given;
        const program = async () => {
          const before = given.now();
          await Sleeper("one");
          await given.request(() => 1, AbortSignal.abort("enough")).catch((reason: unknown) => told.push(reason));
          await given.sleep(MINUTE);
          told.push(given.now() - before > 0.99 * MINUTE);
        };
        return { programs: [program], check: ({ when, records }) => void told.push(`${when} ${records.length}`) };
      },
    });
    expect(told).toContain("enough");
    expect(told).toContain(true);
    expect(told).not.toContain(false);
    expect(told).toContain("converged 1");
    expect(told.at(-1)).toBe("destroyed 0");
  });

  it("does the same for the same seed, and something else for another one", async () => {
    const [one, same, other] = [
      await simulate({ ...sound, seed: 7, histories: 1 }),
      await simulate({ ...sound, seed: 7, histories: 1 }),
      await simulate({ ...sound, seed: 10, histories: 1 }),
    ];
    expect(same).toEqual(one);
    expect(other.trace).not.toEqual(one.trace);
  });

  it("lets simulations that begin at once take turns", async () => {
    const all = await Promise.all([7, 7].map((seed) => simulate({ ...sound, seed, histories: 2 })));
    expect(all[0]).toEqual(all[1]);
  });

  it("leaves nothing behind, whether something was found or not", async () => {
    const before = platform();
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const listening = listeners();
    await simulate({ ...sound, histories: 3 });
    await found(double);
    await foundIn(() => pause(1));
    expect(platform()).toBe(before);
    expect(listeners()).toEqual(listening);
    expect(liveRoots().size).toBe(0);
  });

  it("refuses what it cannot use", async () => {
    await expect(simulate({ ...sound, seed: 0.5 })).rejects.toThrow(
      '"seed" must be a whole number of at least 0, not 0.5',
    );
    await expect(simulate({ ...sound, histories: 0 })).rejects.toThrow(
      '"histories" must be a whole number of at least 1, not 0',
    );
    await expect(simulate({ setUp: () => ({ programs: [] }) })).rejects.toThrow("at least");
    const early = simulate({
      setUp: async ({ request }) => ({ programs: [() => request(() => 1)], early: await request(() => 1) }),
    });
    await expect(early).rejects.toThrow("request() was called outside a simulated process");
  });
});
