/** Recognizes failures of the same cause by their messages. */
import { nodeCrypto } from "../../core/base/index.js";
import { reasonIn } from "../internal/text/describe-error.js";

/** Names in quotes; a quoted text with spaces is a part of the message. */
const QUOTED = /"[^"\s]*"|`[^`\s]*`|“[^”\s]*”|(?<!\p{L})'[^'\s]*'(?!\p{L})/gu;
const WORD = /[\p{L}\p{N}_.:/@%+-]+/gu;
const DIGIT = /\p{N}/u;
/** Characters with a meaning in an expression. The flag `u` refuses a backslash before any other one. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const SAME = "#";

/**
 * Returns a digest of a message without the name of its stage, names in quotes, and words with digits. Such words are
 * numbers, ids, addresses and paths, which differ from stage to stage.
 *
 * @param message without secrets
 */
export function causeIn(message: string, stage: string): string {
  const own = new RegExp(`(?<![\\p{L}\\p{N}])${stage.replace(SYNTAX, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
  const text = reasonIn(message)
    .replace(own, SAME)
    .replace(QUOTED, SAME)
    .replace(WORD, (word) => (DIGIT.test(word) ? SAME : word))
    .replace(/#(?:[\s,]+#)+/g, SAME)
    .replace(/\s+/g, " ")
    .trim();
  return nodeCrypto().createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}

const DIGITS = 16;

/** True for a digest that {@link causeIn} may have returned. */
export function isCause(value: unknown): value is string {
  return typeof value === "string" && value.length === DIGITS && /^[0-9a-f]+$/.test(value);
}
