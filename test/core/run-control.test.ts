/** The control that a plugin gets over a run. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EnginePlugin, RunControl, StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { recorder, rejection, testApps } from "../helpers/apps/apps.js";
import { gate, quiet } from "../helpers/time/gate.js";

const { engine, open } = testApps();

interface Watching {
  readonly plugin: EnginePlugin;
  readonly control: RunControl;
}

function watching(): Watching {
  const controls: RunControl[] = [];
  return {
    plugin: definePlugin({ name: "watching", apply: (host) => void controls.push(host.control) }),
    get control() {
      const [control] = controls;
      if (!control) throw new Error("The plugin is not installed.");
      return control;
    },
  };
}

interface Text {
  readonly text: string;
}

let kinds = 0;

/** A type whose handlers wait for `work`. */
function waiting(work: (phase: string) => unknown) {
  return Resource<Text, Text>(`run-control:Thing${++kinds}`, async function (_id, { text }) {
    await work(this.phase);
    return this.phase === "delete" ? this.destroy() : { text };
  });
}

const head =
  'The run of "shop/dev" cannot continue, because nothing else can happen in this process. Find the await that can never end, and change it. The run still waits for:';

describe("what a run waits for", () => {
  test("is told by its names: what is at work first, what waits for a deferred function last", async () => {
    const [work, input] = [gate(), gate<string>()];
    const watched = watching();
    const Thing = waiting(() => work.opened);
    const app = await open({ plugins: [watched.plugin] });
    const later = app.defer(() => "late");
    const all = [
      Thing("behind", { text: later }),
      Thing("working", { text: "now" }),
      Thing("fed", { text: input.opened }),
      engine.run("section", () => work.opened),
      app.run(() => work.opened),
    ];
    await quiet();
    const [first, ...lines] = watched.control.status.standstill?.split("\n") ?? [];
    work.open();
    input.open("there");
    await app.finalize();
    await Promise.all(all);
    expect(first).toBe(head);
    expect(lines.slice(0, -1)).toEqual([
      '  - "shop/dev/working", which is running',
      '  - "shop/dev/fed", which waits for a promise in its props',
      '  - the run of "shop/dev/section"',
      '  - the run of "shop/dev"',
      '  - "shop/dev/behind", which waits for a deferred function',
    ]);
    expect(lines.at(-1)).toMatch(
      /^finalize\(\) runs deferred functions only after all of these have settled \(not run yet: 1\)\. /,
    );
    expect(watched.control.status.standstill).toBeUndefined();
  });

  test("is a delete, or a deferred function of a scope, too", async () => {
    const stateStore = memoryStore();
    let seen: string | undefined;
    const watched = watching();
    const Thing = waiting((phase) => {
      if (phase === "delete") seen = watched.control.status.standstill;
    });
    const before = await open({ stateStore });
    await Thing("old", { text: "old" });
    await before.finalize();

    const app = await open({ stateStore, plugins: [watched.plugin] });
    const deferred: unknown[] = [];
    void app.defer(() => void deferred.push(watched.control.status.standstill));
    await engine.run("section", (scope) => {
      void scope.defer(() => void deferred.push(watched.control.status.standstill));
    });
    await app.finalize();
    expect(seen).toBe(`${head}\n  - the delete of "shop/dev/old"`);
    const deferredOf = (scope: string): unknown =>
      expect.stringContaining(`${head}\n  - a deferred function of "${scope}"`);
    expect(deferred).toHaveLength(2);
    expect(deferred).toEqual(expect.arrayContaining([deferredOf("shop/dev/section"), deferredOf("shop/dev")]));
  });

  test("is a hook or the store where nothing else is left", async () => {
    const watched = watching();
    await (await open({ plugins: [watched.plugin] })).set("key", 1);
    expect(watched.control.status.standstill).toBe(`${head}\n  - a hook or the state store`);
  });

  test("is not told of more than twenty by name", async () => {
    const work = gate();
    const watched = watching();
    const Thing = waiting(() => work.opened);
    const app = await open({ plugins: [watched.plugin] });
    const all = Array.from({ length: 23 }, (_, index) => Thing(`thing${index}`, { text: "" }));
    await quiet();
    const lines = watched.control.status.standstill?.split("\n") ?? [];
    work.open();
    await app.finalize();
    await Promise.all(all);
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe("  - and 3 more");
  });
});

describe("a run", () => {
  test("is alone while no other one is live that does more than read", async () => {
    const [one, other, reader] = [watching(), watching(), watching()];
    const app = await open({ plugins: [one.plugin] });
    expect(one.control.status.isAlone).toBe(true);
    await open({ plugins: [reader.plugin], phase: "read" }, "reader");
    expect([one.control.status.isAlone, reader.control.status.isAlone]).toEqual([true, false]);
    const second = await open({ plugins: [other.plugin] }, "other");
    expect([one.control.status.isAlone, other.control.status.isAlone]).toEqual([false, false]);
    await second.finalize();
    expect(one.control.status.isAlone).toBe(true);
    await app.finalize();
  });

  test("says how many changes have not begun", async () => {
    const work = gate();
    const watched = watching();
    const Thing = waiting(() => work.opened);
    const app = await open({ plugins: [watched.plugin], concurrency: 2 });
    const all = Array.from({ length: 5 }, (_, index) => Thing(`thing${index}`, { text: "" }));
    await quiet();
    const { queued, atWork } = watched.control.status;
    work.open();
    await app.finalize();
    await Promise.all(all);
    expect({ queued, atWork }).toEqual({ queued: 3, atWork: ["shop/dev/thing0", "shop/dev/thing1"] });
    expect(watched.control.status.queued).toBe(0);
  });

  test("that is open cannot be withheld any more", async () => {
    const watched = watching();
    await open({ plugins: [watched.plugin] });
    await watched.control.opened();
    expect(watched.control.status.isOpening).toBe(false);
    expect(watched.control.withhold(new Promise(() => {}))).toBe(false);
  });

  test("has opened where that has failed, too", async () => {
    const watched = watching();
    const broken: StateStore = {
      ...memoryStore(),
      // biome-ignore lint/correctness/useYield: it fails before it has anything to give.
      async *list() {
        throw new Error("no such bucket");
      },
    };
    const opening = open({ plugins: [watched.plugin], stateStore: broken });
    const failed = rejection(opening);
    await expect(watched.control.opened()).resolves.toBeUndefined();
    expect(await failed).toMatchObject({ message: expect.stringContaining("no such bucket") });
  });

  test("tells observers that its program ends, where it is told to", async () => {
    const watched = watching();
    const { plugin, events } = recorder();
    await open({ plugins: [watched.plugin, plugin] });
    watched.control.tellEnd();
    expect(events.at(-1)).toMatchObject({ type: "program:ended", app: "shop", stage: "dev" });
  });

  test.each(["abort", "interrupt"] as const)(
    "that is to end (%s) fails with the reason, and begins nothing",
    async (how) => {
      const watched = watching();
      const phases: string[] = [];
      const Thing = waiting((phase) => void phases.push(phase));
      const app = await open({ plugins: [watched.plugin] });
      watched.control[how]("the disk is full");
      // An abort after a failure is not an interruption: no person asked for it.
      expect(watched.control.status.isInterrupted).toBe(how === "interrupt");
      const late = rejection(Thing("late", { text: "" }));
      expect(await rejection(app.finalize())).toMatchObject({ message: expect.stringContaining("the disk is full") });
      expect(await late).toMatchObject({ code: "ABORTED" });
      expect(phases).toEqual([]);
    },
  );

  test("that was left after Ctrl-C is not taken for done by a finalize() that comes later", async () => {
    const watched = watching();
    const app = await open({ plugins: [watched.plugin] });
    watched.control.interrupt("The run was interrupted by SIGINT.", "SIGINT");
    await watched.control.leave();
    expect(await rejection(app.finalize())).toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "ABORTED", message: "The run was interrupted by SIGINT." }],
    });
  });

  test("that is left at the natural end of its program, and has not failed, rejects nothing", async () => {
    const watched = watching();
    const app = await open({ plugins: [watched.plugin] });
    await watched.control.leave();
    await expect(app.finalize()).resolves.toBeUndefined();
  });
});
