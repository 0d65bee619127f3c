import { plainText } from "../internal/plain-text.js";

/** Stands where other lines say what was done. */
export const MARGIN = " ".repeat(9);

/** A text of several lines, a line each, without what would steer the terminal: what prints them adds the line breaks. */
export function linesOf(text: string): readonly string[] {
  return plainText(text).split("\n");
}
