import type { Execution } from "../run/index.js";

/** Thrown instead of the error of a call that is to be made again: what it has left is resumed as in a run of its own. */
export class AnotherTry {
  readonly attempt: Failed;

  constructor(attempt: Failed) {
    this.attempt = attempt;
  }
}

export function anotherTry(failed: Failed): AnotherTry {
  return new AnotherTry(failed);
}

/** What a call that failed was about. */
export type Failed = Pick<Execution, "task" | "action" | "phase" | "record" | "revert" | "found">;
