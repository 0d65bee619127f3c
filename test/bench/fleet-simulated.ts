/** Conducts a fleet of simulated stages in simulated time: what the conductor costs, and how long a real one takes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { Heap, timeOfDay, uuid } from "../../core/base/index.js";
import type { Lanes } from "../../plugins/fleet/conductor/conducting.js";
import { Conductor } from "../../plugins/fleet/conductor/conductor.js";
import type { Entry } from "../../plugins/fleet/conductor/listing.js";
import { parseWaves, waveOf } from "../../plugins/fleet/conductor/waves.js";
import type { StageOutcome } from "../../plugins/fleet/index.js";
import { FleetRecord } from "../../plugins/fleet/record.js";

interface Given {
  readonly stages: number;
  /** Number of workers, each of which runs 16 stages at once. */
  readonly workers: number;
  /** Milliseconds that a stage takes on average. */
  readonly takes: number;
}

const AT_ONCE = 16;
const INPUT = JSON.stringify({ plan: "small", region: "eu-central-1", hostname: "tenant.example.com" });

export async function simulated({ stages, workers, takes }: Given): Promise<object> {
  const waves = parseWaves(["5%", "25%", "100%"]);
  // A store in memory would count as memory of the conductor.
  const folder = await mkdtemp(join(tmpdir(), "bench-fleet-"));
  const store = fsStoreAt(folder);
  const record = await FleetRecord.open("tenants", { stateStore: store, env: {} }, "up");
  const entries = Array.from({ length: stages }, (_, index): Entry => {
    const stage = `tenant-${index}`;
    const wave = waveOf("tenants", stage, waves);
    return { stage, wave, command: "up", key: "", after: NONE, refs: NONE, input: INPUT, digest: "digest" };
  });
  const world = new World(workers * AT_ONCE, takes);
  const lanes: Lanes = { window: workers * AT_ONCE * 2, run: () => world.run(), interrupt: () => {} };
  const run = { id: uuid(), command: "up", version: "1", attempt: 0, state: "running", began: timeOfDay() } as const;
  let heap = 0;
  const watch = setInterval(() => {
    heap = Math.max(heap, process.memoryUsage().rss);
  }, 50);
  const before = process.cpuUsage();
  const report = await new Conductor({
    fleet: "tenants",
    entries,
    run: { ...run, begun: 0, waves: [], left: [] },
    forgives: false,
    waves,
    limits: {},
    maxFailures: "10%",
    record,
    lanes,
    options: {},
  }).conduct();
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  await record.close();
  await rm(folder, { recursive: true });
  return {
    state: report.state,
    ...report.stages,
    hours: world.now / 3_600_000,
    cpuPerStage: (user + system) / stages,
    megabytes: Math.round(heap / 2 ** 20),
  };
}

const NONE: readonly string[] = [];

/** Workers in simulated time: the next stage ends as soon as nothing else is to be done. */
class World {
  now = 0;
  readonly #takes: number;
  /** Times at which the slots of the workers are free. */
  readonly #slots = new Heap<number>((one, other) => one < other);
  readonly #running = new Heap<{ readonly ends: number; resolve(outcome: StageOutcome): void }>(
    (one, other) => one.ends < other.ends,
  );
  #isWaiting = false;

  constructor(slots: number, takes: number) {
    this.#takes = takes;
    for (let slot = 0; slot < slots; slot++) this.#slots.push(0);
  }

  run(): Promise<StageOutcome> {
    const begins = Math.max(this.now, this.#slots.pop() ?? 0);
    const ends = begins - Math.log(1 - Math.random()) * this.#takes;
    this.#slots.push(ends);
    const ended = new Promise<StageOutcome>((resolve) => this.#running.push({ ends, resolve }));
    this.#wait();
    return ended;
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      const next = this.#running.pop();
      if (!next) return;
      this.now = Math.max(this.now, next.ends);
      next.resolve({ outcome: "changed", duration: this.#takes, resources: { created: 5 } });
      this.#wait();
    });
  }
}
