/** Hands the stages of a fleet to workers through a queue, and collects their outcomes. */
import { CANCEL, type QueueServer, queueFailed, ready, type StageQueue } from "../../../adapters/bullmq/queue.js";
import { ignore, messageOf, monotonicNow, sleep, waitAtMost, withResolvers } from "../../../core/base/index.js";
import type { LaneCrew, Lanes } from "../conductor/conducting.js";
import type { Entry } from "../conductor/listing.js";
import type { FleetRunOptions, StageOutcome } from "../contract.js";
import { readFailure } from "../notes.js";
import { type FleetRecord, lineageOf, type RecordOptions, type RunRecord } from "../record.js";
import { addedJob, jobId, jobText, parseJob, parseResult, runName } from "./job.js";
import { missingWorkers } from "./missing-workers.js";
import { connectQueue, queueName, removeOthers } from "./server.js";
import { WorkerWatch } from "./worker-watch.js";

/** Jobs in the queue at once, waiting and running. */
const WINDOW = 2_000;

/** Milliseconds to wait for more stages before their jobs are added; longer while workers have enough to do. */
const GATHER = 10;
const GATHER_MORE = 200;
/** Number of jobs in the queue with which workers have enough to do. */
const ENOUGH = 500;

/** Milliseconds between two looks at the jobs that ended last: grows while none has ended. */
const SHORTEST_LOOK = 20;
const LONGEST_LOOK = 1_000;

/** Number of jobs that ended last, which are listed at once. If all are own ones, more are listed. */
const NEWEST = 200;

/** Milliseconds between two sweeps, which look for lost jobs: grows while they find none. */
const SHORTEST_SWEEP = 1_000;
const LONGEST_SWEEP = 15_000;

/** Milliseconds without any outcome after which the conductor looks for workers. */
const NO_WORKERS = 5_000;

/** Milliseconds to wait for the outcomes of cancelled stages, and for the end of a failed connection. */
const [CANCEL_TIMEOUT, CLOSE] = [30_000, 1_000];

interface Pending {
  readonly id: string;
  readonly text: string;
  readonly sentAt: number;
  /** Number of its workers that died. */
  stalls: number;
  resolve(outcome: StageOutcome): void;
}

/** @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED` */
export async function queueLanes(
  fleet: string,
  record: FleetRecord,
  given: {
    readonly url: string;
    readonly version: string;
    readonly options: FleetRunOptions;
    readonly look: RecordOptions;
  },
): Promise<Lanes> {
  const lineage = record.lineage ?? (await lineageOf(fleet, given.look));
  const server = await connectQueue(given.url, { together: true });
  const name = queueName(fleet, given.version, lineage);
  const queue = server.queue(name);
  const warn = (error: Error): void =>
    given.options.onWarning?.("QUEUE_FAILED", `The queue reports: ${messageOf(error)}`);
  queue.on("error", warn);
  try {
    await ready(queue);
    if (record.isWritable) await removeOthers(server, record, name);
  } catch (error) {
    await server.close();
    await waitAtMost(CLOSE, queue.close().catch(ignore));
    throw queueFailed("could not be used", error);
  }
  return new Collector({ fleet, server, queue, name, options: given.options, look: given.look });
}

interface Parts {
  readonly fleet: string;
  readonly server: QueueServer;
  readonly queue: StageQueue;
  readonly name: string;
  readonly options: FleetRunOptions;
  readonly look: RecordOptions;
}

class Collector implements Lanes {
  readonly window = WINDOW;
  readonly #parts: Parts;
  readonly #pending = new Map<string, Pending>();
  /** Jobs to add with the next request. */
  #toAdd: Pending[] = [];
  readonly #over = new AbortController();
  #news = withResolvers<void>();
  readonly #working: Promise<void>;
  readonly #watch: WorkerWatch;
  #isInterrupted = false;
  /** True if a job has ended, or it was said that there are no workers. */
  #hasHeard = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#watch = new WorkerWatch(parts.queue, (message) => parts.options.onWarning?.("WORKER_GONE", message));
    this.#working = this.#work();
  }

  run({ stage, command, input }: Entry, run: RunRecord): Promise<StageOutcome> {
    const name = runName(run);
    const id = jobId(name, stage);
    if (this.#isInterrupted) return Promise.resolve(STOPPED);
    const { promise, resolve } = withResolvers<StageOutcome>();
    const text = jobText({ run: name, command, stage, input });
    this.#toAdd.push({ id, text, sentAt: monotonicNow(), stalls: 0, resolve });
    this.#news.resolve();
    return promise;
  }

  /** Takes back the jobs that no worker has begun. Running stages end by themselves, unless they are cancelled. */
  interrupt(run: RunRecord): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    void this.#interrupt(run);
  }

  get crew(): LaneCrew {
    const { active = 0, count, lost } = this.#watch;
    return { running: active, workers: count, lost };
  }

  async messageOf(stage: string): Promise<string | undefined> {
    return (await readFailure(this.#parts.fleet, stage, this.#parts.look))?.message;
  }

  async close(): Promise<void> {
    const { queue, server } = this.#parts;
    this.#over.abort();
    this.#news.resolve();
    await this.#working;
    // All outcomes are recorded. Another conductor that misses its own adds its jobs again.
    for (const type of ["completed", "failed"] as const) await queue.clean(0, 0, type).catch(ignore);
    await queue.close().catch(ignore);
    await server.close();
  }

  async #interrupt(run: RunRecord): Promise<void> {
    try {
      await this.#takeBack();
      if (run.state === "cancelled") await this.#cancel(run);
    } catch (error) {
      this.#warn(error);
    }
    const open = [...this.#pending.values(), ...this.#toAdd];
    this.#pending.clear();
    this.#toAdd = [];
    for (const { resolve } of open) resolve(STOPPED);
  }

  /** Removes the jobs that no worker has begun. */
  async #takeBack(): Promise<void> {
    const { queue } = this.#parts;
    const all = [...this.#pending.values()];
    await Promise.all(all.map(({ id }) => queue.remove(id).catch(ignore)));
    const found = await Promise.all(all.map(({ id }) => queue.getJobState(id)));
    for (const [index, one] of all.entries()) if (found[index] === "unknown") this.#settle(one, STOPPED);
  }

  /** Interrupts the stages that workers are running, and waits for their outcomes. */
  async #cancel(run: RunRecord): Promise<void> {
    const { server, name } = this.#parts;
    const relay = server.relay(name);
    relay.on("error", ignore);
    try {
      await relay.publish(CANCEL, { run: runName(run) }, { retain: CANCEL_TIMEOUT });
    } finally {
      await relay.close();
    }
    for (let waited = 0; waited < CANCEL_TIMEOUT && this.#pending.size > 0; waited += SHORTEST_SWEEP)
      await sleep(SHORTEST_SWEEP, this.#over.signal);
  }

  /** Adds and reads jobs until it is closed. */
  async #work(): Promise<void> {
    let look = SHORTEST_LOOK;
    let sweep = SHORTEST_SWEEP;
    let sweptAt = monotonicNow();
    while (!this.#over.signal.aborted) {
      this.#news = withResolvers();
      try {
        await this.#add();
        if (this.#pending.size > 0) await this.#watch.look();
        const { ended } = await this.#read(await this.#newest(), false);
        const next = ended > 0 ? SHORTEST_LOOK : Math.min(look * 2, LONGEST_LOOK);
        // A queue that was flushed becomes quiet.
        if (next === LONGEST_LOOK && look < LONGEST_LOOK) sweep = SHORTEST_SWEEP;
        look = next;
        if (monotonicNow() - sweptAt > sweep) {
          const { lost } = await this.#read(await this.#begun(), true);
          sweep = lost > 0 ? SHORTEST_SWEEP : Math.min(sweep * 2, LONGEST_SWEEP);
          sweptAt = monotonicNow();
          await this.#lookForWorkers();
        }
      } catch (error) {
        this.#warn(error);
        look = LONGEST_LOOK;
      }
      const hasEnough = this.#pending.size > ENOUGH;
      if (this.#toAdd.length === 0) await waitAtMost(hasEnough ? GATHER_MORE : look, this.#news.promise);
      if (this.#toAdd.length > 0) await sleep(hasEnough ? GATHER_MORE : GATHER, this.#over.signal);
    }
  }

  /** Returns the ids of own jobs that ended last. Events of the queue would be incomplete, and cost more. */
  async #newest(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (let start = 0; start <= found.size && found.size < this.#pending.size; start += NEWEST) {
      const ids = await this.#parts.queue.getRanges(["completed", "failed"], start, start + NEWEST - 1);
      for (const id of ids) if (this.#pending.has(id)) found.add(id);
    }
    return [...found];
  }

  /** Returns the ids of own jobs that do not wait any more: a worker took them, or the queue lost them. */
  async #begun(): Promise<readonly string[]> {
    const older = this.#older(SHORTEST_SWEEP);
    const waiting = new Set(await this.#parts.queue.getRanges(["waiting"], 0, -1));
    return older.filter((id) => !waiting.has(id));
  }

  /** Returns the ids of the jobs that were sent some milliseconds ago. */
  #older(age: number): readonly string[] {
    return [...this.#pending.values()].flatMap(({ id, sentAt }) => (monotonicNow() - sentAt > age ? id : []));
  }

  async #lookForWorkers(): Promise<void> {
    if (this.#hasHeard || this.#older(NO_WORKERS).length === 0) return;
    this.#hasHeard = true;
    const message = await missingWorkers(this.#parts);
    if (message !== undefined) this.#parts.options.onWarning?.("NO_WORKERS", message);
  }

  async #add(): Promise<void> {
    const adding = this.#toAdd;
    if (adding.length === 0 || this.#isInterrupted) return;
    this.#toAdd = [];
    for (const one of adding) this.#pending.set(one.id, one);
    await this.#addJobs(adding);
  }

  /**
   * Reads the outcomes of jobs. Returns how many have ended, and how many the queue has lost, e.g. because it was
   * flushed. @param addsLost whether lost jobs are added again
   */
  async #read(ids: readonly string[], addsLost: boolean): Promise<{ readonly ended: number; readonly lost: number }> {
    const { queue } = this.#parts;
    const jobs = await Promise.all(ids.map((id) => queue.getJob(id)));
    const lost: Pending[] = [];
    let ended = 0;
    for (const [index, job] of jobs.entries()) {
      const id = ids[index] ?? "";
      const pending = this.#pending.get(id);
      if (!pending) continue;
      if (!job) lost.push(pending);
      else if (job.finishedOn !== undefined) {
        ended++;
        this.#settle(pending, parseResult(job.returnvalue));
      } else if (job.stalledCounter > pending.stalls) {
        pending.stalls = job.stalledCounter;
        this.#watch.stalled(stageOf(pending));
      }
    }
    if (addsLost && lost.length > 0 && !this.#isInterrupted) await this.#addJobs(lost);
    return { ended, lost: lost.length };
  }

  async #addJobs(jobs: readonly Pending[]): Promise<void> {
    const { queue, server } = this.#parts;
    await queue.addBulk(jobs.map(({ id, text }) => addedJob(id, text, server.kept)));
  }

  #settle(one: Pending, outcome: StageOutcome): void {
    this.#hasHeard = true;
    this.#pending.delete(one.id);
    one.resolve(outcome);
  }

  #warn(error: unknown): void {
    this.#parts.options.onWarning?.("QUEUE_FAILED", `The queue cannot be used at the moment: ${messageOf(error)}`);
  }
}

function stageOf({ text }: Pending): string {
  return parseJob(text)?.stage ?? "";
}

const STOPPED: StageOutcome = { outcome: "stopped", duration: 0 };
