import type { Execution } from "../run/index.js";

/** Thrown instead of the error of a call that is to be made again: what it has left is resumed as in a run of its own. */
export class AnotherTry {
  readonly attempt: FailedExecution;
  /** All attempts under its token have said so. */
  readonly hasMadeNothing: boolean;

  constructor(attempt: FailedExecution, hasMadeNothing: boolean) {
    this.attempt = attempt;
    this.hasMadeNothing = hasMadeNothing;
  }
}

export function anotherTry(failed: FailedExecution, hasMadeNothing: boolean): AnotherTry {
  return new AnotherTry(failed, hasMadeNothing);
}

/** What a call that failed was about. */
export type FailedExecution = Pick<Execution, "task" | "action" | "phase" | "record" | "revert" | "found">;
