/** The outside world of a history: what waits there does so in virtual time, and dies with the process that waits. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../simulation/random.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";
import type { Simulation } from "../simulation/simulation.js";
import type { SimulationTools } from "./options.js";
import { SimulationError } from "./options.js";

/** The code that runs, as far as a simulated process began it. */
export interface Running {
  readonly process: SimulatedProcess;
  /** What it is, e.g. `create of inbox`. */
  readonly what: string;
}

/** Follows the code through everything that it waits for, real or not. */
export const running = new AsyncLocalStorage<Running>();

/** Milliseconds that a request takes, each way. */
const SLOWEST = 150;

/** How requests of a process fare. */
interface Luck {
  readonly lost: number;
  readonly random: Random;
  /** Settle the requests that are under way: `true` lets the effect happen. */
  readonly underWay: Set<(isDone: boolean) => void>;
}

export interface OutsideSettings {
  readonly simulation: Simulation;
  note(line: string): void;
  /** True where another process has taken the place of this one: what it sends does not arrive any more. */
  isOvertaken(process: SimulatedProcess): boolean;
  /** Called where code goes on that has waited for something real. */
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
    // What was on its way takes effect now, or never: the next run may look for it at once.
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

  /** Undefined: it is gone, or should be. */
  #process(what: string): SimulatedProcess | undefined {
    const { current } = this.#settings.simulation;
    const present = running.getStore();
    if (current && (!present || present.process === current)) return current.isGone ? undefined : current;
    if (!present) {
      throw new SimulationError(
        `${what}() was called where no simulated process runs. It is for handlers, programs, plugins and stores while they are simulated; setUp and check look at their own data directly.`,
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
      // It waits for the answer, however long that takes.
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
          // Until the answer arrives, nobody has heard of what an async effect has rejected with.
          Promise.resolve(result).catch(() => {});
          note(`${what} the request is done${isLost ? ", its answer is lost" : ""}`);
          if (!isLost) return answer(() => resolve(result));
          answer(() => reject(new Error("The answer was lost in the simulated network, the request was done.")));
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

/** What waits for it is never heard of again. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
