import type { Redact } from "../../../core/base/index.js";
import { Lines } from "../../internal/lines.js";

/** Redacts text that comes in pieces, by whole lines: so a secret that is split between two of them is found. */
export class RedactedLines {
  readonly #redact: Redact;
  readonly #lines = new Lines();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What may be shown by now. */
  add(bytes: Buffer): string {
    const lines = this.#lines.add(bytes);
    // All at once, for what is to be hidden may have several lines.
    return lines.length > 0 ? this.#redact(`${lines.join("\n")}\n`) : "";
  }

  /** The rest. */
  end(): string {
    return this.#redact(this.#lines.end().join("\n"));
  }
}
