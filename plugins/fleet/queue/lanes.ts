/** Hands the stages of a fleet to workers through a queue, and collects their outcomes. */
import {
  CANCEL,
  type QueueServer,
  queueFailed,
  type StageEvents,
  type StageQueue,
} from "../../../adapters/bullmq/index.js";
import { ignore, messageOf, monotonicNow, sleep, withResolvers } from "../../../core/base/index.js";
import type { Lanes } from "../conducting.js";
import type { FleetRunOptions, StageOutcome } from "../contract.js";
import type { Entry } from "../listing.js";
import { readFailure } from "../notes.js";
import { type FleetRecord, lineageOf, type RecordOptions, type RunRecord } from "../record.js";
import { addedJob, jobId, jobText, parseResult } from "./job.js";
import { connectQueue, queueName } from "./server.js";

/** Jobs in the queue at once, waiting and running. */
const WINDOW = 500;

/** Milliseconds to wait for more hints before the jobs are read. */
const GATHER = 10;

/** Milliseconds between two looks at jobs without a hint: grows while such a look finds nothing. */
const SHORTEST_SWEEP = 1_000;
const LONGEST_SWEEP = 15_000;

/** Milliseconds without any outcome after which the conductor looks for workers. */
const NO_WORKERS = 5_000;

/** Milliseconds to wait for the outcomes of cancelled stages. */
const CANCEL_TIMEOUT = 30_000;

interface Pending {
  readonly id: string;
  readonly stage: string;
  readonly text: string;
  readonly sentAt: number;
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
  const server = await connectQueue(given.url);
  const name = queueName(fleet, given.version, record.lineage ?? (await lineageOf(fleet, given.look)));
  const queue = server.queue(name);
  const events = server.events(name);
  const warn = (error: Error): void =>
    given.options.onWarning?.("QUEUE_FAILED", `The queue reports: ${messageOf(error)}`);
  queue.on("error", warn);
  events.on("error", warn);
  try {
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    if (record.isWritable) await removeOthers(server, record, name);
  } catch (error) {
    await Promise.allSettled([queue.close(), events.close()]);
    await server.close();
    throw queueFailed("could not be used", error);
  }
  return new Collector({ fleet, server, queue, events, name, options: given.options, look: given.look });
}

/** Removes the queue of an earlier version, which no conductor uses any more. A worker may still end its jobs. */
async function removeOthers(server: QueueServer, record: FleetRecord, name: string): Promise<void> {
  const before = record.queue;
  if (before === name) return;
  await record.setQueue(name);
  if (before === undefined) return;
  const old = server.queue(before);
  old.on("error", ignore);
  try {
    await old.obliterate({ force: true });
  } finally {
    await old.close();
  }
}

interface Parts {
  readonly fleet: string;
  readonly server: QueueServer;
  readonly queue: StageQueue;
  readonly events: StageEvents;
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
  /** Ids of jobs that have ended, according to the events of the queue, which may be incomplete. */
  readonly #hints = new Set<string>();
  /** Jobs whose outcomes are recorded. */
  #toRemove: string[] = [];
  readonly #over = new AbortController();
  #news = withResolvers<void>();
  readonly #working: Promise<void>;
  #isInterrupted = false;
  /** True if a job has ended, or it was said that there are no workers. */
  #hasHeard = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const hint = ({ jobId: id }: { readonly jobId: string }): void => {
      if (!this.#pending.has(id)) return;
      this.#hints.add(id);
      this.#news.resolve();
    };
    parts.events.on("completed", hint);
    parts.events.on("failed", hint);
    this.#working = this.#work();
  }

  run({ stage, command, input }: Entry, run: RunRecord): Promise<StageOutcome> {
    const id = jobId(run.id, run.attempt, stage);
    if (this.#isInterrupted) return Promise.resolve(STOPPED);
    const { promise, resolve } = withResolvers<StageOutcome>();
    this.#toAdd.push({
      id,
      stage,
      text: jobText({ run: run.id, command, stage, input }),
      sentAt: monotonicNow(),
      resolve,
    });
    this.#news.resolve();
    return promise;
  }

  recorded({ stage }: Entry, run: RunRecord): void {
    this.#toRemove.push(jobId(run.id, run.attempt, stage));
  }

  /** Takes back the jobs that no worker has begun. Running stages end by themselves, unless they are cancelled. */
  interrupt(run: RunRecord): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    void this.#interrupt(run);
  }

  messageOf(stage: string): Promise<string | undefined> {
    return readFailure(this.#parts.fleet, stage, this.#parts.look);
  }

  async close(): Promise<void> {
    const { queue, events, server } = this.#parts;
    this.#over.abort();
    this.#news.resolve();
    await this.#working;
    await this.#remove().catch(ignore);
    await Promise.allSettled([queue.close(), events.close()]);
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
      await relay.publish(CANCEL, { run: run.id }, { retain: CANCEL_TIMEOUT });
    } finally {
      await relay.close();
    }
    for (let waited = 0; waited < CANCEL_TIMEOUT && this.#pending.size > 0; waited += SHORTEST_SWEEP)
      await sleep(SHORTEST_SWEEP, this.#over.signal);
  }

  /** Adds, reads and removes jobs until it is closed. */
  async #work(): Promise<void> {
    let pause = SHORTEST_SWEEP;
    let sweptAt = monotonicNow();
    while (!this.#over.signal.aborted) {
      this.#news = withResolvers();
      try {
        await this.#add();
        await this.#read([...this.#hints], false);
        await this.#remove();
        if (monotonicNow() - sweptAt > pause) {
          const found = await this.#read(this.#older(SHORTEST_SWEEP), true);
          pause = found > 0 ? SHORTEST_SWEEP : Math.min(pause * 2, LONGEST_SWEEP);
          sweptAt = monotonicNow();
          await this.#lookForWorkers();
        }
      } catch (error) {
        this.#warn(error);
        await sleep(SHORTEST_SWEEP, this.#over.signal);
      }
      if (this.#toAdd.length > 0) continue;
      const rest = new AbortController();
      await Promise.race([this.#news.promise, sleep(SHORTEST_SWEEP, rest.signal)]);
      rest.abort();
      await sleep(GATHER, this.#over.signal);
    }
  }

  /** Returns the ids of the jobs that were sent some milliseconds ago. */
  #older(age: number): readonly string[] {
    return [...this.#pending.values()].flatMap(({ id, sentAt }) => (monotonicNow() - sentAt > age ? id : []));
  }

  async #lookForWorkers(): Promise<void> {
    if (this.#hasHeard || this.#older(NO_WORKERS).length === 0) return;
    this.#hasHeard = true;
    if ((await this.#parts.queue.getWorkersCount()) > 0) return;
    const { fleet, options } = this.#parts;
    options.onWarning?.(
      "NO_WORKERS",
      `No worker of this version takes the jobs of the fleet "${fleet}". Start workers with the same program: engine worker FILE --queue URL`,
    );
  }

  async #add(): Promise<void> {
    const adding = this.#toAdd;
    if (adding.length === 0 || this.#isInterrupted) return;
    this.#toAdd = [];
    for (const one of adding) this.#pending.set(one.id, one);
    await this.#parts.queue.addBulk(adding.map(({ id, text }) => addedJob(id, text)));
  }

  /**
   * Reads the outcomes of jobs. Returns how many have ended.
   *
   * @param addsLost whether jobs are added again that the queue does not have any more, e.g. because it was flushed
   */
  async #read(ids: readonly string[], addsLost: boolean): Promise<number> {
    const { queue } = this.#parts;
    const jobs = await Promise.all(ids.map((id) => queue.getJob(id)));
    const lost: Pending[] = [];
    let ended = 0;
    for (const [index, job] of jobs.entries()) {
      const id = ids[index] ?? "";
      this.#hints.delete(id);
      const pending = this.#pending.get(id);
      if (!pending) continue;
      if (!job) lost.push(pending);
      else if (job.finishedOn !== undefined) {
        ended++;
        this.#settle(pending, parseResult(job.failedReason ? undefined : job.returnvalue));
      }
    }
    if (addsLost && lost.length > 0 && !this.#isInterrupted)
      await queue.addBulk(lost.map(({ id, text }) => addedJob(id, text)));
    return ended;
  }

  #settle(one: Pending, outcome: StageOutcome): void {
    this.#hasHeard = true;
    this.#pending.delete(one.id);
    one.resolve(outcome);
  }

  async #remove(): Promise<void> {
    const ids = this.#toRemove;
    this.#toRemove = [];
    await Promise.all(ids.map((id) => this.#parts.queue.remove(id)));
  }

  #warn(error: unknown): void {
    this.#parts.options.onWarning?.("QUEUE_FAILED", `The queue cannot be used at the moment: ${messageOf(error)}`);
  }
}

const STOPPED: StageOutcome = { outcome: "stopped", duration: 0 };
