/** The outside world of a history: waits use virtual time, and end with the process that waits. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../simulation/random.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";
import type { Simulation } from "../simulation/simulation.js";
import type { SimulationTools } from "./options.js";
import { SimulationError } from "./options.js";

/** The running code and its simulated process. */
export interface Running {
  readonly process: SimulatedProcess;
  /** The code's name, e.g. `create of inbox`. */
  readonly what: string;
}

/** Follows the code through all its waits, real or not. */
export const running = new AsyncLocalStorage<Running>();

/** Longest time of a request each way, in milliseconds. */
const SLOWEST = 150;

/** Faults of the requests of a process. */
interface Luck {
  readonly lost: number;
  readonly random: Random;
  /** Settles a running request; `true` lets the effect happen. */
  readonly underWay: Set<(isDone: boolean) => void>;
}

export interface OutsideSettings {
  readonly simulation: Simulation;
  note(line: string): void;
  /** True if another process has taken over from this one: its requests do not arrive any more. */
  isOvertaken(process: SimulatedProcess): boolean;
  /** Called if code continues that has waited for a real event. */
  onStray(running: Running): void;
}

export class Outside implements SimulationTools {
  readonly #settings: OutsideSettings;
  readonly #random: Random;
  readonly #lucks = new Map<SimulatedProcess, Luck>();

  constructor(settings: OutsideSettings) {
    this.#settings = settings;
    this.#random = settings.simulation.random.fork("outside");
  }

  /** @param lost probability that a request of the process is lost */
  enter(process: SimulatedProcess, lost: number): void {
    const luck: Luck = { lost, random: process.chance("requests"), underWay: new Set() };
    this.#lucks.set(process, luck);
    // Pending requests take effect now or never: the next run may read the result at once.
    process.onEnd(() => {
      for (const settle of luck.underWay) settle(luck.random.chance(0.5));
    });
  }

  request = <T>(effect: () => T | PromiseLike<T>, signal?: AbortSignal): Promise<T> => {
    const process = this.#process("request");
    const luck = process && this.#lucks.get(process);
    return luck ? this.#send(process, luck, effect, signal) : never();
  };

  sleep = (milliseconds: number): Promise<void> => {
    const process = this.#process("sleep");
    return process ? new Promise((resolve) => void process.after(milliseconds, resolve)) : never();
  };

  now = (): number => this.#settings.simulation.time.now;

  random = (): number => this.#random.next();

  /** Returns undefined if the process is gone, or should be. */
  #process(what: string): SimulatedProcess | undefined {
    const { current } = this.#settings.simulation;
    const present = running.getStore();
    if (current && (!present || present.process === current)) return current.isGone ? undefined : current;
    if (!present) {
      throw new SimulationError(
        `${what}() was called outside a simulated process. Call it only in simulated handlers, programs, plugins and stores. setUp and check read their own data directly.`,
      );
    }
    if (!present.process.isGone) this.#settings.onStray(present);
    return undefined;
  }

  #send<T>(
    process: SimulatedProcess,
    luck: Luck,
    effect: () => T | PromiseLike<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { simulation, note, isOvertaken } = this.#settings;
    const { lost, random, underWay } = luck;
    const { time } = simulation;
    const what = `${process.name} ${running.getStore()?.what ?? "in the background"}:`;
    const isLost = random.chance(lost);
    const isLostEarly = random.chance(0.5);
    const delays = [random.between(0.1, SLOWEST), random.between(0.1, SLOWEST)] as const;
    return new Promise((resolve, reject) => {
      // The process waits for the answer, however long that takes.
      const release = process.hold();
      const answer = (give: () => void): void => {
        process.wake(time.now + delays[1], give);
        release();
      };
      const settle = (isDone: boolean): void => {
        if (!underWay.delete(settle)) return;
        signal?.removeEventListener("abort", abort);
        cancel();
        if (!isDone || (isLost && isLostEarly) || isOvertaken(process)) {
          note(`${what} the request is lost`);
          return answer(() => reject(new Error("The request was lost in the simulated network.")));
        }
        try {
          const result = effect();
          // Until the answer arrives, a rejection of an async effect has no handler.
          Promise.resolve(result).catch(() => {});
          note(`${what} the request is done${isLost ? ", its answer is lost" : ""}`);
          if (!isLost) return answer(() => resolve(result));
          answer(() => reject(new Error("The simulated network did the request and lost its answer.")));
        } catch (error) {
          note(`${what} the request is refused: ${error instanceof Error ? error.message : String(error)}`);
          answer(() => reject(error));
        }
      };
      const abort = (): void => {
        settle(random.chance(0.5));
        reject(signal?.reason);
      };
      const cancel = time.at(time.now + delays[0], () => settle(true));
      underWay.add(settle);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }
}

/** Returns a promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
