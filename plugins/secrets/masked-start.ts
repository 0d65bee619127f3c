/** Known secrets in texts that messages quote in part. */
import { redactor } from "./known.js";

/**
 * The beginning of a text. Known secrets are masked before it is cut: where the cut goes through a secret, no part of it is left.
 * A text that is short enough stays as it is.
 *
 * @param most characters
 */
export function maskedStart(text: string, most: number): string {
  // The rest of the stream may be the beginning of a secret: without `end()` it is left out.
  return text.length <= most ? text : redactor.stream().write(text.slice(0, most));
}

/** True for a text with a known secret in it. */
export function holdsKnownSecret(text: string): boolean {
  return redactor.redact(text) !== text;
}

/** From now on the text is masked, as the value of a secret is. */
export function mask(text: string): void {
  redactor.know(text);
}
