import type { Execution } from "../run/index.js";

/** Thrown instead of the error of a call that is to be made again: what it has left is resumed as in a run of its own. */
export class AnotherTry {
  readonly attempt: FailedExecution;

  constructor(attempt: FailedExecution) {
    this.attempt = attempt;
  }
}

export function anotherTry(failed: FailedExecution): AnotherTry {
  return new AnotherTry(failed);
}

/** What a call that failed was about. */
export type FailedExecution = Pick<Execution, "task" | "action" | "phase" | "record" | "revert" | "found">;
