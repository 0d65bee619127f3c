/** Runs a worker: takes the jobs of a fleet from a queue, and runs their stages. */
import { CANCEL, type QueueServer, queueFailed, type StageWorker } from "../../../adapters/bullmq/queue.js";
import {
  ignore,
  isEngineError,
  messageOf,
  processName,
  uuid,
  waitAtMost,
  withResolvers,
} from "../../../core/base/index.js";
import { isLook } from "../conductor/conducting.js";
import type { FleetOptions, FleetWorker, FleetWorkOptions, StageOutcome, WorkerStatus } from "../contract.js";
import { type FleetInputs, openInputs } from "../inputs.js";
import { noteFailure } from "../notes.js";
import { lineageOf, type RecordOptions } from "../record.js";
import { INTERRUPT_LIMIT, type StageRunner, stageRunner } from "../run-stage.js";
import { warnOfFiles } from "../warnings.js";
import { Gate } from "./gate.js";
import { type Job, parseJob, resultOf } from "./job.js";
import { connectQueue, queueName } from "./server.js";
import { replaceWhenStuck } from "./stuck.js";

export interface Working {
  readonly name: string;
  readonly definition: FleetOptions<unknown>;
  readonly version: string;
  readonly look: RecordOptions;
  readonly concurrency: number;
}

/** Milliseconds without a sign of life after which another worker takes over a job. */
const LOCK = 10_000;
const STALLED = 5_000;
const GRACE = 30_000;
/** Milliseconds that interrupted stages may take to end, and to be handed back. */
const LAST = INTERRUPT_LIMIT + 5_000;

/** From this number of lost workers on, a stage runs alone in its worker, so that it is known which one ends it. */
const SUSPICIOUS = 2;
/** A stage fails if it has lost this many workers that ran nothing else. */
const MOST_ALONE = 3;

/** @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED`, `STORE_FAILED` */
export async function startWorker(working: Working, options: FleetWorkOptions): Promise<FleetWorker> {
  const server = await connectQueue(options.queue);
  let inputs: FleetInputs | undefined;
  try {
    inputs = await openInputs(working.name, working.look);
    warnOfFiles(inputs.store, options.onWarning);
    const lineage = await lineageOf(working.name, { ...working.look, stateStore: inputs.store });
    return new StageWorkers({
      working,
      options,
      server,
      inputs,
      name: queueName(working.name, working.version, lineage),
    });
  } catch (error) {
    await inputs?.close().catch(ignore);
    await server.close();
    throw error;
  }
}

/** The part of BullMQ's job that a worker uses. */
interface Taken {
  readonly data: unknown;
  readonly stalledCounter: number;
  /** Number of times that it began to run alone. */
  readonly progress: unknown;
  updateProgress(progress: number): Promise<unknown>;
  moveToWait(token?: string): Promise<unknown>;
}

interface Started {
  readonly working: Working;
  readonly options: FleetWorkOptions;
  readonly server: QueueServer;
  readonly inputs: FleetInputs;
  /** Name of the queue. */
  readonly name: string;
}

class StageWorkers implements FleetWorker {
  readonly done: Promise<WorkerStatus>;
  readonly #working: Working;
  readonly #options: FleetWorkOptions;
  readonly #inputs: FleetInputs;
  readonly #server: QueueServer;
  readonly #runner: StageRunner;
  readonly #make: () => StageWorker;
  #worker: StageWorker;
  readonly #closed = withResolvers<void>();
  readonly #running = new Map<string, AbortController>();
  readonly #cancelled = new Set<string>();
  readonly #gate = new Gate();
  #state: WorkerStatus["state"] = "starting";
  #taken = 0;
  #processing = 0;
  #ended = 0;
  #failed = 0;
  #refused = 0;
  /** True once running stages are interrupted, and their jobs handed back. */
  #handsBack = false;

  constructor({ working, options, server, inputs, name }: Started) {
    this.#working = working;
    this.#options = options;
    this.#inputs = inputs;
    this.#server = server;
    this.#runner = stageRunner(working.name, working.definition, inputs.store, options.onWarning);
    const settings = {
      autorun: false,
      name: workerName(),
      concurrency: options.concurrency ?? working.concurrency,
      lockDuration: LOCK,
      stalledInterval: STALLED,
      // The limit is our own, so that the outcome says what happened.
      maxStalledCount: 1_000_000,
      removeOnComplete: server.kept,
      removeOnFail: server.kept,
    };
    this.#make = () => {
      const worker = server.worker(name, (job, token) => this.#take(job, token), settings);
      worker.on("error", (error) => this.#warn(error));
      return worker.on("closed", () => worker === this.#worker && this.#closed.resolve());
    };
    this.#worker = this.#make();
    this.done = this.#work(name);
    this.done.catch(ignore);
  }

  status(): WorkerStatus {
    const { name: fleet, version } = this.#working;
    const counts = { ended: this.#ended, failed: this.#failed, refused: this.#refused };
    const state = this.#state === "working" && !this.#server.isUp ? "disconnected" : this.#state;
    return { fleet, version, state, running: [...this.#running.keys()].map(stageIn), ...counts };
  }

  async #work(name: string): Promise<WorkerStatus> {
    const over = new AbortController();
    const relay = this.#server.relay(name);
    relay.on("error", (error: unknown) => this.#warn(error));
    try {
      await this.#worker.waitUntilReady();
      await relay.subscribe<{ readonly run: string }>(CANCEL, ({ data }) => this.#cancel(data.run));
      this.#state = "working";
      this.#begin();
      const waiting = async (): Promise<number> => (await this.#server.waiting?.(name)) ?? 0;
      const taken = (): number | undefined => (this.#processing > 0 ? undefined : this.#taken);
      void replaceWhenStuck({ waiting, taken, replace: () => this.#replace() }, over.signal);
      await this.#ends();
      over.abort();
      this.#state = "ending";
      await this.#finish();
    } catch (error) {
      throw queueFailed("could not be used", error);
    } finally {
      over.abort();
      await Promise.allSettled([this.#worker.close(true), relay.close()]);
      await this.#inputs.close().catch(ignore);
      await this.#server.close();
      this.#state = "ended";
    }
    return this.status();
  }

  #begin(): void {
    this.#worker.run().catch((error: unknown) => this.#warn(error));
  }

  /** After restarts of a cluster, BullMQ's worker may wait for ever for the answer to its last request. */
  async #replace(): Promise<void> {
    this.#warn("The worker took no jobs although some wait, so it connects again.");
    const old = this.#worker;
    this.#worker = this.#make();
    this.#begin();
    await waitAtMost(LAST, old.close(true).catch(ignore));
  }

  /** Resolves when the worker is to end. */
  #ends(): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
      void this.#closed.promise.then(resolve);
    });
  }

  /** Lets running stages end, then interrupts them and hands back their jobs. */
  async #finish(): Promise<void> {
    const stopped = this.#worker.pause();
    await waitAtMost(this.#options.grace ?? GRACE, stopped);
    this.#handsBack = true;
    for (const controller of this.#running.values()) controller.abort();
    // The queue may be lost: then another worker takes over the jobs.
    await waitAtMost(LAST, stopped);
  }

  #cancel(run: string): void {
    this.#cancelled.add(run);
    for (const [key, controller] of this.#running) if (key.startsWith(`${run}/`)) controller.abort();
  }

  async #take(taken: Taken, token: string | undefined): Promise<StageOutcome> {
    this.#taken++;
    this.#processing++;
    try {
      return await this.#process(taken, token);
    } finally {
      this.#processing--;
    }
  }

  /** @throws only if the job is handed back */
  async #process(taken: Taken, token: string | undefined): Promise<StageOutcome> {
    const job = parseJob(taken.data);
    if (!job) {
      this.#refused++;
      this.#options.onWarning?.("QUEUE_FAILED", "A job was refused, because it is not valid.");
      return { outcome: "failed", duration: 0, code: "INVALID_ARGUMENT" };
    }
    if (this.#cancelled.has(job.run)) return { outcome: "stopped", duration: 0 };
    const isSuspicious = (taken.stalledCounter ?? 0) >= SUSPICIOUS;
    const outcome = await this.#gate.run(isSuspicious, () => (isSuspicious ? this.#alone(taken, job) : this.#run(job)));
    if (outcome.outcome === "stopped" && this.#handsBack && !this.#cancelled.has(job.run)) {
      await taken.moveToWait(token);
      throw this.#server.handedBack();
    }
    return this.#told(job, outcome);
  }

  async #alone(taken: Taken, job: Job): Promise<StageOutcome> {
    const before = typeof taken.progress === "number" ? taken.progress : 0;
    if (before >= MOST_ALONE) return WORKER_LOST;
    await taken.updateProgress(before + 1);
    return this.#run(job);
  }

  async #run(job: Job): Promise<StageOutcome> {
    const { command, stage } = job;
    const key = `${job.run}/${stage}`;
    const controller = new AbortController();
    if (this.#handsBack) controller.abort();
    this.#running.set(key, controller);
    try {
      const input = await this.#inputs.decode(job.run, stage, job.input);
      return await this.#runner.run({ command, stage, input }, controller.signal);
    } catch (error) {
      return { outcome: "failed", duration: 0, code: codeOf(error), message: messageOf(error) };
    } finally {
      this.#running.delete(key);
    }
  }

  /** Counts an outcome, and records its message. Returns what the queue may store. */
  async #told(job: Job, outcome: StageOutcome): Promise<StageOutcome> {
    const { run, command, stage } = job;
    this.#ended++;
    if (outcome.outcome === "failed") this.#failed++;
    this.#options.onStage?.({ ...outcome, stage, run, command });
    if (outcome.outcome === "failed" && outcome.message !== undefined && !isLook(command)) {
      const { message } = outcome;
      await noteFailure(
        this.#working.name,
        stage,
        { ...this.#working.look, stateStore: this.#inputs.store },
        { run, message },
      ).catch((error: unknown) => this.#warn(error));
    }
    return resultOf(stage, outcome);
  }

  #warn(error: unknown): void {
    this.#options.onWarning?.("QUEUE_FAILED", messageOf(error));
  }
}

/** Short, because PostgreSQL cuts the names of connections. It begins with the part that differs on one machine. */
function workerName(): string {
  const { host, pid } = processName();
  return `${pid}.${uuid().slice(0, 4)}@${host.replace(/[^\w.-]/g, "-")}`;
}

function stageIn(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

function codeOf(error: unknown): StageOutcome["code"] {
  return isEngineError(error) ? error.code : "RUN_FAILED";
}

const WORKER_LOST: StageOutcome = {
  outcome: "failed",
  duration: 0,
  code: "WORKER_LOST",
  message: `Its worker died ${MOST_ALONE} times while it ran nothing but this stage. Look for what ends the process, such as too little memory, then retry.`,
};
