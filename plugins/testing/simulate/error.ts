import { type History, linesOf } from "./history.js";

/** Something that must not happen. */
export interface Problem {
  /** Which expectation is disappointed; a smaller history that fails alike disappoints the same. */
  readonly kind: string;
  readonly text: string;
}

/** What went wrong in a simulation, and how to see it again. */
export interface SimulationFailure {
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
