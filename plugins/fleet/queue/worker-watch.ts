/** Watches the workers of a queue: how many take jobs, how many jobs run, and which workers died. */
import type { StageQueue } from "../../../adapters/bullmq/queue.js";
import { monotonicNow } from "../../../core/base/index.js";
import { parseJob } from "./job.js";

/** Milliseconds between two looks. A worker is gone if two looks miss it: it may only have lost its connection. */
const LOOK_EVERY = 2_000;
/** Milliseconds between two warnings. Deaths in between share one. */
const WARN_EVERY = 10_000;
/** Running jobs that are searched for those of a worker. */
const MOST_JOBS = 1_000;
const MOST_NAMES = 3;
/** Before the name of a worker in the name of its connection. */
const MARK = ":w:";

export class WorkerWatch {
  readonly #queue: StageQueue;
  readonly #warn: (message: string) => void;
  /** Workers of the last look. */
  #present: ReadonlySet<string> = new Set();
  /** Workers that one look has missed. */
  #missed = new Set<string>();
  /** Stages that workers ran when they were lost, by worker. */
  readonly #lost = new Map<string, string[]>();
  /** Lost workers that no warning has named, and their stages. */
  #untold: { readonly name: string; readonly stages: readonly string[] }[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** Number of jobs that run; undefined until it is known. */
  active: number | undefined;

  constructor(queue: StageQueue, warn: (message: string) => void) {
    this.#queue = queue;
    this.#warn = warn;
  }

  /** Number of workers. */
  get count(): number {
    return this.#present.size;
  }

  /** Number of workers that died while they ran stages. */
  get lost(): number {
    return this.#lost.size;
  }

  /** Counts a stage whose worker died, as the queue noticed later; most of these workers are known already. */
  stalled(stage: string): void {
    for (const stages of this.#lost.values()) {
      const at = stages.indexOf(stage);
      if (at >= 0) return void stages.splice(at, 1);
    }
    this.#lost.set(`#${this.#lost.size}`, []);
    this.#untold.push({ name: "not known by name", stages: [stage] });
  }

  /** Looks again if it is time. */
  async look(): Promise<void> {
    const now = monotonicNow();
    if (now - this.#lookedAt < LOOK_EVERY) return;
    this.#lookedAt = now;
    const [{ active }, clients] = await Promise.all([this.#queue.getJobCounts("active"), this.#queue.getWorkers()]);
    this.active = active;
    const names = new Set(clients.flatMap(({ rawname = "" }) => (rawname.includes(MARK) ? [nameIn(rawname)] : [])));
    // A lost connection looks like a death until it is back.
    for (const name of names) this.#lost.delete(name);
    const gone = [...this.#missed].filter((name) => !names.has(name));
    this.#missed = new Set([...this.#present].filter((name) => !names.has(name)));
    this.#present = names;
    if (gone.length > 0) await this.#lose(gone);
    this.#tell(now);
  }

  /** A worker that ends by itself has ended its stages, or handed them back. */
  async #lose(gone: readonly string[]): Promise<void> {
    const jobs = await this.#queue.getActive(0, MOST_JOBS - 1);
    for (const name of gone) {
      const stages = jobs.flatMap(({ processedBy, data }) =>
        processedBy === name ? [parseJob(data)?.stage ?? ""] : [],
      );
      if (stages.length === 0) continue;
      this.#lost.set(name, stages);
      this.#untold.push({ name, stages: [...stages] });
    }
  }

  #tell(now: number): void {
    if (this.#untold.length === 0 || now - this.#warnedAt < WARN_EVERY) return;
    this.#warnedAt = now;
    const stages = this.#untold.flatMap((one) => one.stages);
    const names = this.#untold.map(({ name }) => name);
    const who = this.#untold.length === 1 ? "A worker" : `${this.#untold.length} workers`;
    this.#warn(
      `${who} died or lost the connection while running ${listed(stages)}: ${listed(names)}. Another worker begins these stages again within 15 s.`,
    );
    this.#untold = [];
  }
}

function nameIn(client: string): string {
  return client.slice(client.lastIndexOf(MARK) + MARK.length);
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
