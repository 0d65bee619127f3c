import { EngineError, type ErrorCode } from "../../../core/base/index.js";
import { maskedStart } from "../../secrets/masked-start.js";

/** Levels of a value or a type: the deepest of known providers has sixty. */
const DEEPEST = 256;

/** Where in a value a codec is, so that what does not fit is told with its path. */
export class Walk {
  readonly #code: ErrorCode;
  readonly #steps: (string | number)[] = [];

  /** @param code of the errors: whose fault it is that a value does not fit */
  constructor(code: ErrorCode) {
    this.#code = code;
  }

  enter(step: string | number): void {
    this.#steps.push(step);
    if (this.#steps.length > DEEPEST) throw this.problem(`is nested deeper than ${DEEPEST} levels`);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** @param what is wrong, as the end of a sentence about the value */
  problem(what: string, cause?: unknown): EngineError {
    return new EngineError(this.#code, `${this.#path()} ${what}.`, { cause });
  }

  #path(): string {
    if (this.#steps.length === 0) return "The value";
    return `The value at ${shownPath(this.#steps)}`;
  }
}

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
/** Steps, from each end, that a long path is shown with. */
const SHOWN = 10;
/** Characters of a name that are shown. */
const LONGEST = 100;

/** `rule[0].tags["a b"]`: positions in brackets, names with dots where they are names. */
export function shownPath(steps: readonly (string | number)[]): string {
  if (steps.length > 2 * SHOWN) return `${shownPath(steps.slice(0, SHOWN))}…${shownPath(steps.slice(-SHOWN))}`;
  const parts = steps.map((step) =>
    typeof step === "string" && step.length <= LONGEST && NAME.test(step) ? `.${step}` : `[${keyText(step)}]`,
  );
  return parts.join("").replace(/^\./, "");
}

function keyText(key: string | number): string {
  return typeof key === "string" && key.length > LONGEST
    ? `${JSON.stringify(maskedStart(key, LONGEST))}…`
    : JSON.stringify(key);
}
