/** What a simulation is given, and what it gives. */
import type { EngineOptions, EnginePlugin, Scope, StateStore, StoreContext } from "../../../core/contract/index.js";
import { type History, linesOf } from "./history.js";

/** A store that the simulation has itself: as files on one disk, as a Redis server nearby, or as a bucket of S3. */
export type SimulatedStoreName = "files" | "redis" | "bucket";

/** What is simulated, and how often. */
export interface SimulateOptions {
  /** Seed of the first history; the others have those that follow. Equal seeds give equal histories. Default: 1. */
  readonly seed?: number;
  /** How many histories to live through. Default: 100. */
  readonly histories?: number;
  /** Keeps the state; unused where `setUp` gives a store. Default: each in turn. */
  readonly store?: SimulatedStoreName;
  /**
   * Probability that a {@link SimulationTools.request | request} loses its way, or its answer, in a run that has trouble
   * with its network; one in three has. Default: 0.1.
   */
  readonly lost?: number;
  /** Called once for each history: makes the outside world anew, and what is to be simulated in it. */
  setUp(tools: SimulationTools): SimulationSubject | Promise<SimulationSubject>;
}

/** What waits, and what chance there is, in the outside world of a history. For code that a simulated process runs. */
export interface SimulationTools {
  /**
   * A request over the network: takes virtual time, up to 150 ms each way, and calls `effect` on the way. Resolves with what that
   * returns. Rejects with what it throws, or where the request or its answer is lost: before the effect, or after it.
   * Never settles once its process is killed.
   *
   * @param signal may end the wait; the effect happens, or not
   * @throws SimulationError where no simulated process runs
   */
  request<T>(effect: () => T | PromiseLike<T>, signal?: AbortSignal): Promise<T>;
  /** Lets so many milliseconds of virtual time pass. @throws SimulationError where no simulated process runs */
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds of virtual time since the history began. */
  now(): number;
  /** In [0, 1); follows from the seed. */
  random(): number;
}

/** What is simulated in a history. */
export interface SimulationSubject {
  /**
   * Versions of the program of one stage, deployed in this order. The last is what the stage has to come to in the end. A
   * program must declare the same whenever it runs, and wait for nothing real.
   */
  readonly programs: readonly ((app: Scope) => unknown)[];
  /** Called for each process: the plugins of its engine. Default: none. */
  plugins?(): readonly EnginePlugin[];
  /** Called for each client of the store, as the option `stateStore` would be. What it waits for is `request`. */
  store?(context: StoreContext): StateStore;
  /** Options of every run; those that the simulation sets itself come before them. */
  readonly options?: Omit<EngineOptions, "stage" | "phase" | "stateStore" | "rootDir" | "signal">;
  /** Compares what is recorded with the outside world, between runs. Throws where something is wrong. */
  check?(moment: SimulationMoment): void | Promise<void>;
}

/** What the state holds on a resource. */
export interface SimulatedRecord {
  /** Path within the stage. */
  readonly path: string;
  readonly kind: string;
  readonly uid: string;
  /** `ready`: settled. The others: a run has begun that, and nobody knows yet how it ended. */
  readonly status: "ready" | "creating" | "updating" | "deleting";
  readonly physicalName: string;
  /** As JSON; undefined before a create has succeeded. */
  readonly output: unknown;
  /** An old copy that a replace has left, and that is still to be deleted. */
  readonly isReplaced: boolean;
}

/** A moment at which no process runs. */
export interface SimulationMoment {
  /**
   * `underway`: after runs that may have failed. `converged`: after a run of the last program that succeeded. `destroyed`:
   * after all was destroyed.
   */
  readonly when: "underway" | "converged" | "destroyed";
  readonly records: readonly SimulatedRecord[];
}

/** What a simulation that found nothing wrong has lived through. */
export interface SimulationReport {
  readonly histories: number;
  /** Processes, of all histories. */
  readonly runs: number;
  /** Calls of handlers that began, of all histories. */
  readonly calls: number;
  /** What happened in the last history, a line each, which begins with the virtual time in milliseconds. */
  readonly trace: readonly string[];
}

/** Something that must not happen. */
export interface Problem {
  /** Which expectation is disappointed; a smaller history that fails alike disappoints the same. */
  readonly kind: string;
  readonly text: string;
}

/** What went wrong in a simulation, and how to see it again. */
interface SimulationFailure {
  readonly seed: number;
  /** Name of the store. */
  readonly store: string;
  /** The fewest steps that were found to lead there. */
  readonly history: History;
  readonly problems: readonly Problem[];
  readonly trace: readonly string[];
}

/** Lines of the trace that a message shows. */
const SHOWN = 40;

const WIDEST = 200;

/** A simulation has found something wrong: the message says what, after which steps, and how to see it again. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
  /** Seed of the history that fails; undefined where the simulation was not used as it is meant to be. */
  readonly seed: number | undefined;
  /** What was wrong, a sentence each. */
  readonly problems: readonly string[];
  /** What happened in the smallest history that fails, a line each. */
  readonly trace: readonly string[];

  /** @internal */
  constructor(message: string, failure?: SimulationFailure) {
    super(message);
    this.seed = failure?.seed;
    this.problems = failure?.problems.map(({ text }) => text) ?? [message];
    this.trace = failure?.trace ?? [];
  }
}

export function failed(failure: SimulationFailure): SimulationError {
  const { seed, store, history, problems, trace } = failure;
  const steps = linesOf(history);
  const message = [
    `${problems.map(({ text }) => text).join("\n")}`,
    "",
    `History ${seed}, on the store "${store}". The fewest processes that lead there, one line each:`,
    ...steps.map((line) => `  ${line}`),
    "  then, undisturbed: a run of the last program, the same again, a plan, a destroy",
    "",
    trace.length > SHOWN ? `The last of what happened (${trace.length - SHOWN} lines are left out):` : "What happened:",
    ...trace.slice(-SHOWN).map((line) => `  ${line.length > WIDEST ? `${line.slice(0, WIDEST)}…` : line}`),
    "",
    `To see it again: simulate({ …, seed: ${seed}, histories: 1 })`,
  ];
  return new SimulationError(message.join("\n"), failure);
}
