/** Texts as they stand between the quotes of a literal: of JSON, and of what `util.inspect` prints. */
import { inspect } from "node:util";

/** Printable ASCII without quotes and backslashes, which no literal escapes. */
const plain = /^[ !#-&(-[\]-~]*$/;

/** The text as it is, in each literal, and in each literal within a literal. */
export function escapesOf(text: string): ReadonlySet<string> {
  if (plain.test(text)) return new Set([text]);
  const once = new Set([text, ...literalsOf(text)]);
  return new Set([...once, ...[...once].flatMap(literalsOf)]);
}

function literalsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, unicodeEscape);
  const forms = [json, ...inspectLiteralsOf(text)];
  if (ascii !== json) forms.push(ascii);
  // Other writers than JavaScript's may have the digits in upper case.
  if (ascii.includes("\\u")) forms.push(withUpperDigits(json), withUpperDigits(ascii));
  return forms;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function withUpperDigits(json: string): string {
  // Any other escape is matched, too, so that the second half of "\\" is not taken for the first half of one.
  return json.replace(/\\(?:u([0-9a-f]{4})|.)/g, (sequence: string, digits: string | undefined) =>
    digits === undefined ? sequence : `\\u${digits.toUpperCase()}`,
  );
}

/** All three quotes: a text that has them is printed in single ones, and those in it are escaped. */
const quotes = "'\"`";
const printedQuotes = "\\'\"`";

/** Two: the quotes around a text, and so whether single ones are escaped, depend on what else is in it. */
function inspectLiteralsOf(text: string): readonly string[] {
  const printed = inspect(`${text}${quotes}`, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: null });
  const literal = printed.slice("'".length, -`${printedQuotes}'`.length);
  return [literal, literal.replace(/\\(.)/g, (sequence, character) => (character === "'" ? "'" : sequence))];
}
