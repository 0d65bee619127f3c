/** Texts as they stand between the quotes of a literal or between two tags, also of one within another. */
import { common, others, type Writer, withUpperDigits } from "./writers.js";

/** Blanks, letters, digits and those marks that no writer escapes. */
const plain = /^[ !#%(),\-.0-9:;?@A-Z[\]^_a-z{|}~*$]*$/;

const writers: readonly Writer[] = [...common, ...others];

/** The text as it is, as each writer writes it, and as that text is put into another one. */
export function escapesOf(text: string): ReadonlySet<string> {
  if (plain.test(text) && !/[$%]\{/.test(text)) return new Set([text]);
  const once = new Set(writers.flatMap((writer) => written(writer, text)));
  const found = new Set([text, ...once]);
  for (const writer of common) for (const form of once) for (const one of written(writer, form)) found.add(one);
  for (const writer of others) {
    for (const form of written(writer, text)) for (const one of written(writer, form)) found.add(one);
  }
  return found;
}

function written(writer: Writer, text: string): readonly string[] {
  const lower = writer(text);
  // Nothing is escaped: most writers have nothing to do with most texts.
  if (lower === text) return [text];
  const upper = withUpperDigits(lower);
  return upper === lower ? [lower] : [lower, upper];
}
