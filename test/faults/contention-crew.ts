/** The workers of one stage, seen from their parent. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { testServers } from "../helpers/stores/test-servers.js";
import { type Order, type Report, TTL } from "./contention-messages.js";

/** How every worker opens the store: an entry of the `STORES` that a module exports, called with a location. */
export interface Opener {
  readonly module: string;
  readonly name: string;
  /** Key of the stage; the stage is sealed then. */
  readonly key?: string;
}

export interface Place extends Opener {
  readonly location: string;
  /** Path of the world's log. */
  readonly world: string;
  /** The project's folder, which also has the recovery files. */
  readonly cwd: string;
}

export interface WorkerOptions {
  /** Another machine's name; absent: this one. */
  readonly machine?: string;
  /** Milliseconds by which its wall clock is wrong. */
  readonly clockShift?: number;
  /** Milliseconds of silence after which it counts as dead. */
  readonly ttl?: number;
}

export interface Ended {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export class Worker {
  readonly options: WorkerOptions;
  readonly ended: Promise<Ended>;
  readonly #process: ChildProcess;
  readonly #heard = new Set<(report: Report) => void>();
  #end: Ended | undefined;

  constructor({ module, name, key, location, world, cwd }: Place, options: WorkerOptions) {
    this.options = options;
    const { machine, clockShift = 0, ttl = TTL } = options;
    const program = compiledProgram(new URL("contention-worker.child.ts", import.meta.url));
    const preload = new URL("contention-elsewhere.mjs", import.meta.url).href;
    const inherited = Object.fromEntries(["PATH", "HOME", "TMPDIR"].map((key) => [key, process.env[key]]));
    this.#process = fork(program, [compiledProgram(new URL(module)), name, location, world], {
      cwd,
      execArgv: ["--import", preload],
      env: {
        ...inherited,
        ...testServers(process.env),
        CLOCK_SHIFT: `${clockShift}`,
        LEASE_TTL: `${ttl}`,
        // Each machine has a memory of its own.
        XDG_STATE_HOME: join(cwd, `machine-${machine ?? "own"}`),
        ...(machine === undefined ? {} : { MACHINE: machine }),
        ...(key === undefined ? {} : { STAGE_KEY: key }),
      },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.on("message", (report: Report) => {
      for (const hear of this.#heard) hear(report);
    });
    const said = this.#process.stderr ? text(this.#process.stderr) : Promise.resolve("");
    this.ended = once(this.#process, "exit").then(async ([code, signal]) => {
      this.#end = { pid: this.pid, code, signal, stderr: await said };
      return this.#end;
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Undefined while it lives. */
  get end(): Ended | undefined {
    return this.#end;
  }

  /** Calls back at each report, until the returned function is called. */
  hear(listener: (report: Report) => void): () => void {
    this.#heard.add(listener);
    return () => void this.#heard.delete(listener);
  }

  /** Resolves with true at the next matching report, with false if the worker ends before. */
  async reported(is: (report: Report) => boolean): Promise<boolean> {
    let stop = (): void => {};
    const heard = new Promise<boolean>((resolve) => {
      stop = this.hear((report) => {
        if (!is(report)) return;
        stop();
        resolve(true);
      });
    });
    return Promise.race([heard, this.ended.then(() => false)]);
  }

  order(order: Order): void {
    // An ended worker cannot receive the order, and need not.
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  /** Begins a run and stays in its first handler until it is released. */
  async hold(): Promise<void> {
    const started = this.reported(({ type }) => type === "started");
    this.order({ run: -1, holds: true });
    await started;
  }

  /** Resolves with true when the run has succeeded, with false if the worker ended before. */
  async run(run: number): Promise<boolean> {
    const done = this.reported((report) => report.type === "done" && report.run === run);
    this.order({ run });
    return done;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }
}

export async function startWorker(place: Place, options: WorkerOptions = {}): Promise<Worker> {
  const worker = new Worker(place, options);
  if (!(await worker.reported(({ type }) => type === "ready"))) {
    throw new Error(`A worker did not start:\n${(await worker.ended).stderr}`);
  }
  return worker;
}

/** Ends all of them; resolves with how each ended. */
export async function dismiss(workers: Iterable<Worker>): Promise<Ended[]> {
  return Promise.all(
    [...workers].map((worker) => {
      worker.order("end");
      return worker.ended;
    }),
  );
}
