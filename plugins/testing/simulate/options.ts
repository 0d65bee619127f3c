/** Options and results of a simulation. */
import type { EngineOptions, EnginePlugin, Scope, StateStore, StoreContext } from "../../../core/contract/index.js";
import { type History, linesOf } from "./history.js";

/** A built-in store of the simulation: files on one disk, a nearby Redis server, or an S3 bucket. */
export type SimulatedStoreName = "files" | "redis" | "bucket";

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /**
   * Seed of the first history; the next ones have the following numbers. Equal seeds give equal histories. Default: 1.
   */
  readonly seed?: number;
  /** Number of histories to live through. Default: 100. */
  readonly histories?: number;
  /** The store of the state; unused if `setUp` returns a store. Default: each in turn. */
  readonly store?: SimulatedStoreName;
  /**
   * Probability that a {@link SimulationTools.request | request} or its answer is lost, in a run with network trouble;
   * one run in three has it. Default: 0.1.
   */
  readonly lost?: number;
  /** Called once for each history: resets the outside world, and returns the subject of the simulation. */
  setUp(tools: SimulationTools): SimulationSubject | Promise<SimulationSubject>;
}

/** Waits and random numbers in the outside world of a history. For code that a simulated process runs. */
export interface SimulationTools {
  /**
   * Makes a request over the network: takes virtual time, up to 150 ms each way, and calls `effect` on the way.
   * Resolves with the result of `effect`. Rejects with its error, or if the request or its answer is lost: before the
   * effect, or after it. Never settles once its process is killed.
   *
   * @param signal may end the wait; the effect may happen or not
   * @throws SimulationError outside a simulated process
   */
  request<T>(effect: () => T | PromiseLike<T>, signal?: AbortSignal): Promise<T>;
  /** Waits for milliseconds of virtual time. @throws SimulationError outside a simulated process */
  sleep(milliseconds: number): Promise<void>;
  /** Returns milliseconds of virtual time since the history began. */
  now(): number;
  /** Returns a number in [0, 1) that follows from the seed. */
  random(): number;
}

/** The subject of a simulation. */
export interface SimulationSubject {
  /**
   * Versions of the program of one stage, deployed in this order. The stage must converge to the last one. A program
   * must declare the same whenever it runs, and must not wait for real events.
   */
  readonly programs: readonly ((app: Scope) => unknown)[];
  /** Called for each process: returns the plugins of its engine. Default: none. */
  plugins?(): readonly EnginePlugin[];
  /** Called for each client of the store, like the option `stateStore`. The client waits with `request`. */
  store?(context: StoreContext): StateStore;
  /** Options of every run; options that the simulation sets override them. */
  readonly options?: Omit<EngineOptions, "stage" | "phase" | "stateStore" | "rootDir" | "signal">;
  /** Compares the recorded resources with the outside world, between runs. Throws if they do not match. */
  check?(moment: SimulationMoment): void | Promise<void>;
}

/** The record of a resource in the state. */
export interface SimulatedRecord {
  /** Path within the stage. */
  readonly path: string;
  readonly kind: string;
  readonly uid: string;
  /** `ready`: settled. The others: a run has begun this, and its outcome is not known yet. */
  readonly status: "ready" | "creating" | "updating" | "deleting";
  readonly physicalName: string;
  /** JSON; undefined before a create has succeeded. */
  readonly output: unknown;
  /** True for an old copy that a replace has left to be deleted. */
  readonly isReplaced: boolean;
}

/** A moment at which no process runs. */
export interface SimulationMoment {
  /**
   * `underway`: after runs that may have failed. `converged`: after a run of the last program that succeeded.
   * `destroyed`: after a destroy.
   */
  readonly when: "underway" | "converged" | "destroyed";
  readonly records: readonly SimulatedRecord[];
}

/** The result of a simulation that found no problem. */
export interface SimulationReport {
  readonly histories: number;
  /** Number of processes in all histories. */
  readonly runs: number;
  /** Number of handler calls that began in all histories. */
  readonly calls: number;
  /** Lines of what happened in the last history; each begins with the virtual time in milliseconds. */
  readonly trace: readonly string[];
}

/** A violated expectation. */
export interface Problem {
  /** The violated expectation; a smaller history must violate the same. */
  readonly kind: string;
  readonly text: string;
}

/** The problems of a simulation, and how to reproduce them. */
interface SimulationFailure {
  readonly seed: number;
  /** Name of the store. */
  readonly store: string;
  /** The smallest history found that still fails. */
  readonly history: History;
  readonly problems: readonly Problem[];
  readonly trace: readonly string[];
}

/** Lines of the trace in a message. */
const SHOWN = 40;

const WIDEST = 200;

/**
 * Reports problems that a simulation found: the message contains the problems, the steps to them, and how to reproduce
 * them.
 */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
  /** Seed of the history that fails; undefined if the simulation was used incorrectly. */
  readonly seed: number | undefined;
  /** The problems, a sentence each. */
  readonly problems: readonly string[];
  /** Lines of what happened in the smallest history that fails. */
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
    `History ${seed}, on the store "${store}". The fewest processes that reproduce this, one line each:`,
    ...steps.map((line) => `  ${line}`),
    "  then, without faults: a run of the last program, the same again, a plan, a destroy",
    "",
    trace.length > SHOWN ? `Last lines of the trace (${trace.length - SHOWN} lines are left out):` : "Trace:",
    ...trace.slice(-SHOWN).map((line) => `  ${line.length > WIDEST ? `${line.slice(0, WIDEST)}…` : line}`),
    "",
    `To reproduce it: simulate({ …, seed: ${seed}, histories: 1 })`,
  ];
  return new SimulationError(message.join("\n"), failure);
}
