/** Consequences of a fenced ledger for its run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isEngineError, RunFailedError } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { folderEach, cwd as rootDir } from "../../e2e/own-folder.ts";
import { recorder, rejection } from "../../helpers/apps/apps.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { elsewhere, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { fakeClock } from "../../helpers/time/fake-clock.js";
import { type Gate, gate } from "../../helpers/time/gate.js";
import { until } from "../../helpers/time/until.js";

const ledgers = testLedgers();
folderEach("fenced");

interface Call {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly end: Gate;
}

let kinds = 0;

/** A type whose handlers end on a test's command. */
function slowThings() {
  const started: Call[] = [];
  const waiting: (() => void)[] = [];
  const Thing = Resource<{ name: string }, { text?: string }>(`fenced:Thing${++kinds}`, {
    async create({ id, signal }) {
      const end = gate();
      started.push({ id, signal, end });
      for (const go of waiting.splice(0)) go();
      await end.opened;
      return { name: `the ${id}` };
    },
    async delete() {},
  });
  const reached = async (count: number): Promise<void> => {
    while (started.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { Thing, started, reached };
}

/** A run on another machine takes over the silent run. */
async function takeOver(store: StateStore): Promise<void> {
  await ledgers.begun(store, "theirs", { here: elsewhere(), clock: fakeClock() });
}

async function recoveryFiles(): Promise<string[]> {
  return (await readdir(rootDir)).filter((name) => name.startsWith("engine-recovery."));
}

function start(store: StateStore, plugins = [recorder().plugin]) {
  return createEngine()("app", { stage: "dev", stateStore: store, rootDir, argv: [], env: {}, plugins });
}

describe.each([true, false])("a run that was taken over (segments: %s)", (append) => {
  it("stops before its next effect, tells running handlers, keeps their results beside the project, and fails", async () => {
    const inner = memoryStore({ append });
    const { store, calls } = recordingStore(inner);
    const { Thing, started, reached } = slowThings();
    const heard = recorder();
    const app = await start(store, [heard.plugin]);
    const program = app.run(async () => {
      const first = Thing("first", {});
      const second = Thing("second", {});
      await reached(2);
      await takeOver(inner);
      // Its result is queued; the next intent, written with it, meets the fence.
      started[0]?.end.open();
      await first;
      const third = Thing("third", {});
      expect(await rejection(third)).toMatchObject({ code: "FENCED" });
      expect(started[1]?.signal.aborted).toBe(true);
      started[1]?.end.open();
      await second;
    });
    await program.catch(() => {});
    const writes = calls.filter(({ op }) => op !== "get" && op !== "list").length;
    const error = await rejection(app.finalize());
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error instanceof RunFailedError && error.errors.some((one) => isEngineError(one, "FENCED"))).toBe(true);
    // No handler began and nothing was written after that.
    expect(started.map(({ id }) => id)).toEqual(["first", "second"]);
    expect(calls.filter(({ op }) => op !== "get" && op !== "list")).toHaveLength(writes);
    expect(heard.warnings()).toContain("RECOVERY_FILE");
    const [file = ""] = await recoveryFiles();
    const { results } = JSON.parse(await readFile(join(rootDir, file), "utf8"));
    const outputs = results.flatMap((result: { changes: { set?: { output?: unknown } }[] }) =>
      result.changes.flatMap(({ set }) => set?.output ?? []),
    );
    expect(outputs).toEqual([{ name: "the first" }, { name: "the second" }]);
    expect(recorded(await loadFrom(inner)).sort()).toEqual(["first", "second", "theirs"]);
  });

  it("fails where only its close met the fence, and leaves no recovery file, for all is recorded", async () => {
    const inner = memoryStore({ append });
    const { Thing, started, reached } = slowThings();
    const app = await start(inner);
    await app.run(async () => {
      const first = Thing("first", {});
      await reached(1);
      started[0]?.end.open();
      await first;
    });
    // Queued changes are written within 25 ms.
    await until(async () => (await loadFrom(inner)).contents.at("first")?.status === "ready");
    await takeOver(inner);
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", cause: { code: "FENCED" } });
    expect(await recoveryFiles()).toEqual([]);
  });
});

describe("a run whose store fails", () => {
  it("stops before its next effect, keeps its results beside the project, and the next run of the process goes on", async () => {
    const inner = memoryStore();
    let isDown = false;
    const append = inner.append?.bind(inner);
    const store = Object.assign(
      { ...inner },
      {
        append: async (...args: Parameters<NonNullable<typeof append>>) => {
          if (isDown) throw new Error("disk full");
          return append?.(...args) ?? false;
        },
      },
    );
    const { Thing, started, reached } = slowThings();
    const app = await start(store);
    await app
      .run(async () => {
        const first = Thing("first", {});
        await reached(1);
        isDown = true;
        started[0]?.end.open();
        await first;
        await Thing("second", {});
      })
      .catch(() => {});
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", cause: { code: "STORE_FAILED" } });
    expect(started).toHaveLength(1);
    expect(await recoveryFiles()).toHaveLength(1);
    isDown = false;
    const heard = recorder();
    const again = await start(store, [heard.plugin]);
    expect(await again.run(() => Thing("first", {}))).toEqual({ name: "the first" });
    await again.finalize();
    expect(started).toHaveLength(1);
    expect(heard.warnings()).toEqual(["RECOVERED"]);
    expect(await recoveryFiles()).toEqual([]);
    expect((await loadFrom(inner)).head.open).toBeUndefined();
  });
});
