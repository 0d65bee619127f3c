/** One world in virtual time: its machines, processes and faults all follow from one seed. */
import { AsyncResource } from "node:async_hooks";
import { setPlatform } from "../../../core/base/index.js";
import { loadPlans } from "../../plan/load-plans.js";
import type { StoreTraits } from "./machine.js";
import { Machine } from "./machine.js";
import { Random } from "./random.js";
import type { Blow } from "./simulated-process.js";
import { SimulatedProcess } from "./simulated-process.js";
import { SimulatedStore } from "./simulated-store.js";
import { VirtualTime } from "./virtual-time.js";

export interface StartOptions {
  readonly machine: Machine;
  /** Milliseconds from now. Default: 0. */
  readonly delay?: number;
  readonly blows?: readonly Blow[];
}

/** A process, and the outcome of its main function. */
export interface Started<T> {
  readonly process: SimulatedProcess;
  /** Undefined while it has not settled, or if the process was killed before. */
  outcome: { readonly value: T } | { readonly error: unknown } | undefined;
}

/** More steps than a simulation can need. */
const MOST_STEPS = 200_000;

export class Simulation {
  readonly time = new VirtualTime();
  readonly random: Random;
  readonly processes: SimulatedProcess[] = [];
  /** The process whose code runs now. */
  current: SimulatedProcess | undefined;
  /** Unexpected events in any process. */
  readonly problems: string[] = [];
  #steps = 0;

  constructor(seed: string) {
    this.random = new Random(seed);
  }

  machine(name: string): Machine {
    return new Machine(name);
  }

  store(traits: StoreTraits): SimulatedStore {
    return new SimulatedStore(traits, this.time);
  }

  /** Creates a process whose main function begins when the simulation continues. */
  start<T>(name: string, options: StartOptions, main: (process: SimulatedProcess) => Promise<T>): Started<T> {
    const { machine, delay = 0, blows = [] } = options;
    const process = new SimulatedProcess({
      name,
      machine,
      time: this.time,
      random: this.random.fork(name),
      blows,
      enter: (entered, code) => this.#enter(entered, code),
    });
    this.processes.push(process);
    const started: Started<T> = { process, outcome: undefined };
    // A separate async context: other code does not find itself in the process.
    const context = new AsyncResource("SimulatedProcess");
    process.wake(this.time.now + delay, () => {
      context
        .runInAsyncScope(() => main(process))
        .then(
          (value) => {
            started.outcome = { value };
          },
          (error: unknown) => {
            started.outcome = { error };
          },
        );
    });
    return started;
  }

  /** Runs until nothing is left to happen. */
  async run(): Promise<void> {
    // Code is loaded in real time, in which nothing else happens.
    await loadPlans();
    const onRejected = (reason: unknown): void => {
      const { current } = this;
      if (current?.emit("uncaughtException", reason)) return;
      this.problems.push(`${current?.name ?? "no process"} did not handle a rejection: ${String(reason)}`);
      current?.kill("uncaught exception");
    };
    process.on("unhandledRejection", onRejected);
    try {
      while (await this.#step()) {
        if (++this.#steps > MOST_STEPS) throw new Error(`The simulation did not end within ${MOST_STEPS} steps.`);
      }
    } finally {
      process.off("unhandledRejection", onRejected);
      this.#leave();
    }
  }

  async #step(): Promise<boolean> {
    this.current = undefined;
    const hasHappened = this.#isAnyProcessWaiting() && this.time.step();
    if (!hasHappened) return this.#idle();
    // All microtasks of this step run before the next turn of the real event loop.
    if (this.current) await nextTurn();
    this.#leave();
    return true;
  }

  /** Repeating timers of an idle process are not a reason to continue. */
  #isAnyProcessWaiting(): boolean {
    return this.processes.some((process) => process.isWaiting);
  }

  /** Ends idle processes, unless `beforeExit` makes one of them continue. */
  async #idle(): Promise<boolean> {
    for (const process of this.processes) {
      if (process.isGone) continue;
      this.#enter(process, () => process.emit("beforeExit", 0));
      await nextTurn();
      this.#leave();
      if (process.isWaiting) return true;
      if (process.beats > 0) this.problems.push(`timers: ${process.name} left ${process.beats} timers running`);
      process.end();
    }
    return false;
  }

  #enter(process: SimulatedProcess, code: () => void): void {
    this.current = process;
    setPlatform(process);
    code();
  }

  #leave(): void {
    this.current = undefined;
    setPlatform(undefined);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
