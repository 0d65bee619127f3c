import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TelemetryEvent, TelemetrySink } from "../../core/contract/index.js";
// Loaded by a first run, so that the test's loader does not delay the measured ones.
import "../../plugins/telemetry/delivery.js";
import { type EngineOptions, engine, memoryStore, Resource } from "../../plugins/index.js";
import { isSpent } from "../../plugins/telemetry/hold-time.js";
import { setSpentPatience } from "../helpers/time/hold-time.js";

const Thing = Resource("test:SinkThing", { create: ({ id }) => ({ id }), delete: () => {} });

let config = "";
let said: string[] = [];
beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), "scope-engine-sinks-"));
  said = [];
  // A run waits for its sink, however long a busy machine takes. A sink that never answers is tested with the real
  // limit.
  setSpentPatience(-60_000);
});
afterEach(() => rm(config, { recursive: true, force: true }));

const given = (telemetry: EngineOptions["telemetry"]): EngineOptions => ({
  stage: "dev",
  stateStore: memoryStore(),
  argv: [],
  env: { XDG_CONFIG_HOME: config },
  logger: { info: () => {}, error: (line) => void said.push(line) },
  telemetry,
});

async function run(options: EngineOptions): Promise<void> {
  const app = await engine("sinks", options);
  await app.run(() => Thing("thing", {}));
  await app.finalize();
}

function taking(): TelemetrySink & { readonly events: TelemetryEvent[] } {
  const events: TelemetryEvent[] = [];
  return { name: "taking", events, send: async (sent) => void events.push(...sent) };
}

describe("a sink of the program's own", () => {
  it("takes the report of a run that reads nothing of the process", async () => {
    const sink = taking();
    await run(given(sink));
    expect(sink.events.map(({ name }) => name)).toEqual(["run started", "run finished"]);
    expect(sink.events.at(-1)?.properties).toMatchObject({ store: "memory", created: 1, kinds: { other: 1 } });
    expect(said).toEqual([expect.stringContaining("This message is shown once.")]);
  });

  it("takes each generation of an app by itself", async () => {
    const sink = taking();
    const app = await engine("sinks", given(sink));
    await app.run(() => Thing("thing", {}));
    await app.finalize();
    await app.run(() => Thing("thing", {}));
    await app.finalize();
    const ends = sink.events.filter(({ name }) => name === "run finished").map(({ properties }) => properties);
    expect(ends.map(({ created, unchanged }) => ({ created, unchanged }))).toEqual([
      { created: 1, unchanged: 0 },
      { created: 0, unchanged: 1 },
    ]);
  });

  it("takes plans, and neither references nor looks for drift", async () => {
    const sink = taking();
    const options = given(sink);
    await run(options);
    sink.events.length = 0;
    await engine.plan("sinks", options, () => Thing("thing", {}));
    await engine.drift("sinks", options);
    expect(sink.events.map(({ properties }) => properties.phase)).toEqual(["plan", "plan"]);
  });

  it("takes nothing where the options or variables say so", async () => {
    const sink = taking();
    const options = given(sink);
    await run({ ...options, noTrack: true });
    await run({ ...options, telemetry: false });
    await run({ ...options, env: { ...options.env, DO_NOT_TRACK: "1" } });
    await run({ ...options, env: { ...options.env, ENGINE_TELEMETRY_DISABLED: "yes" } });
    await run({ ...options, env: {} });
    expect({ events: sink.events, said }).toEqual({ events: [], said: [] });
  });

  it.each(["0", "false", ""])("takes reports with DO_NOT_TRACK=%j", async (value) => {
    const sink = taking();
    const options = given(sink);
    await run({ ...options, env: { ...options.env, DO_NOT_TRACK: value, ENGINE_TELEMETRY_DISABLED: value } });
    expect(sink.events.map(({ name }) => name)).toEqual(["run started", "run finished"]);
  });

  it.each<[string, Partial<TelemetrySink>]>([
    ["throws", { send: () => Promise.reject(new Error("no")) }],
    [
      "throws at once",
      {
        send: () => {
          throw new Error("no");
        },
      },
    ],
    ["hangs", { send: () => new Promise(() => {}) }],
    ["is never ready", { prepare: () => new Promise(() => {}), send: () => new Promise(() => {}) }],
    ["cannot be made ready", { prepare: () => Promise.reject(new Error("no")) }],
    [
      "blocks",
      {
        send: async () => {
          // Longer than the limit.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
        },
      },
    ],
  ])("is no error where it %s", async (_what, parts) => {
    setSpentPatience(0);
    await run(given({ name: "bad", send: async () => {}, ...parts }));
    expect(said).toHaveLength(1);
  });

  it.each([[true], [{}], [{ name: "x" }], [{ send: () => {} }], ["yes"]])("cannot be %j", async (telemetry) => {
    const options = { ...given(undefined), ...Object({ telemetry }) };
    await expect(engine("sinks", options)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});

describe("a process of many runs", () => {
  it("asks a sink that never answers for none but its first run, and is held up no more", async () => {
    setSpentPatience(0);
    let asked = 0;
    const sink: TelemetrySink = {
      name: "slow",
      send: () => {
        asked++;
        return new Promise(() => {});
      },
    };
    for (let turn = 0; turn < 20; turn++) await run(given(sink));
    expect(asked).toBe(1);
    expect(isSpent()).toBe(true);
  });

  it("asks a sink that answers for each of its first runs", async () => {
    const sink = taking();
    for (let turn = 0; turn < 5; turn++) await run(given(sink));
    expect(sink.events.filter(({ name }) => name === "run finished")).toHaveLength(5);
  });
});
