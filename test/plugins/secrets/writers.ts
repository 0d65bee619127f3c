/**
 * Writers of texts as in other languages, character by character, to compare with the forms that the redactor knows.
 */

/** Returns the text between the quotes. */
export type Write = (text: string) => string;

function each(text: string, write: (character: string, code: number) => string): string {
  return [...text].map((character) => write(character, character.codePointAt(0) ?? 0)).join("");
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function units(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join("");
}

/** @param hidden characters that it escapes although JSON does not require it */
function json(hidden: RegExp, isShort = (_character: string): boolean => true): Write {
  return (text) =>
    each(text, (character) => {
      const usual = JSON.stringify(character).slice(1, -1);
      if (hidden.test(character)) return units(character);
      return usual !== character && !isShort(character) ? units(character) : usual;
    });
}

const isPrintable = (character: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);

function quoted(short: Readonly<Record<string, string>>, isAscii: boolean, wide: number): Write {
  return (text) =>
    each(text, (character, code) => {
      const known = short[character];
      if (known !== undefined) return known;
      if (isPrintable(character) && (!isAscii || code < 0x7f)) return character;
      if (code < wide && (code < 0x20 || code >= 0x7f)) return `\\x${hex(code, 2)}`;
      return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
    });
}

function markup(escapes: Readonly<Record<string, string>>, isAscii = false): Write {
  const all: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...escapes };
  return (text) =>
    each(text, (character, code) => all[character] ?? (isAscii && code > 0x7f ? `&#${code};` : character));
}

const go = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };
const goQuotes = { ...go, "\u0007": "\\a", "\v": "\\v" };
const python = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export const writers: Readonly<Record<string, Write>> = {
  "JSON.stringify of JavaScript": json(/(?!)/),
  "json.Marshal of Go": json(/[&<>\u2028\u2029]/),
  "json.Marshal of an older Go": json(/[&<>\u2028\u2029]/, (character) => !/[\b\f]/.test(character)),
  "json.Encoder of Go without escapes for HTML": json(/[\u2028\u2029]/),
  "json.dumps of Python": json(/[\u007f-\u{10ffff}]/u),
  "json_encode of PHP": (text) => json(/[\u0080-\u{10ffff}]/u)(text).replaceAll("/", "\\/"),
  "Gson of Java": json(/[&<>='\u2028\u2029]/),
  "System.Text.Json of .NET": json(/["&'+<>`\u007f-\u{10ffff}]/u),
  "%q of Go": quoted(goQuotes, false, 0x80),
  "%+q of Go": quoted(goQuotes, true, 0x80),
  "repr() of Python": quoted(python, false, 0x100),
  "repr() of Python, with both quotes": quoted({ ...python, "'": "\\'" }, false, 0x100),
  "ascii() of Python": quoted(python, true, 0x100),
  "html.EscapeString of Go": markup({ '"': "&#34;", "'": "&#39;" }),
  "xml.EscapeText of Go": markup({
    ...{ '"': "&#34;", "'": "&#39;" },
    ...{ "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;" },
  }),
  "html.escape of Python": markup({ '"': "&quot;", "'": "&#x27;" }),
  "templates of JavaScript": markup({ '"': "&quot;", "'": "&#39;" }),
  "htmlspecialchars of PHP": markup({ '"': "&quot;", "'": "&#039;" }),
  "XML with names": markup({ '"': "&quot;", "'": "&apos;" }),
  "the text of XML": markup({}),
  "the text of XML in ASCII": markup({}, true),
  "an attribute of XML": markup({ '"': "&quot;" }),
};

/** The same with the digits of its escapes in upper case. A pair of backslashes is not an escape. */
export function inUpperCase(write: Write): Write {
  const escapes = /\\\\|\\(u)([\da-f]{4})|\\(U)([\da-f]{8})|\\(x)([\da-f]{2})/g;
  return (text) =>
    write(text).replace(escapes, (whole, ...parts: readonly (string | undefined)[]) => {
      const [letter, digits] = parts.slice(0, 6).filter((part) => part !== undefined);
      return digits === undefined ? whole : `\\${letter}${digits.toUpperCase()}`;
    });
}

/** Writers that may wrap the text of another writer. */
export const outerWriters = [
  "JSON.stringify of JavaScript",
  "json.Marshal of Go",
  "json.dumps of Python",
  "%q of Go",
  "html.EscapeString of Go",
  "the text of XML",
];
