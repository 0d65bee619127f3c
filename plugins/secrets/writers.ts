/** Escapes of literals, JSON and markup, as the libraries of several languages write them. */

import { unicodePattern } from "../../core/base/index.js";

/** Returns the text between the quotes of a literal, or between two tags. */
export type Writer = (text: string) => string;

/** The characters that are escaped, as parts of a character class of a regular expression with the flag `u`. */
const IN_JSON = String.raw`"\\\u0000-\u001f\p{Cs}`;
const NOT_ASCII = String.raw`\u0080-\u{10ffff}`;
const NOT_ASCII_OR_DEL = String.raw`\u007f-\u{10ffff}`;
const LINES = String.raw`\u2028\u2029`;
const INSPECTED = String.raw`\u0000-\u001f\u007f-\u009f\p{Cs}`;
const NOT_PRINTED = String.raw`\p{C}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;

/** Escapes by name instead of number. */
type Short = Readonly<Record<string, string>>;

const QUOTES: Short = { "\\": "\\\\", '"': '\\"' };
const BLANKS: Short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const LITERAL: Short = { ...QUOTES, ...BLANKS, "\b": "\\b", "\f": "\\f" };

function replacing(escaped: string, escapeOf: (character: string) => string): Writer {
  const pattern = unicodePattern(`[${escaped}]`, "gu");
  return (text) => text.replace(pattern(), escapeOf);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Returns one escape for each UTF-16 unit of a character. */
function unitEscape(character: string): string {
  const second = character.length > 1 ? `\\u${hex(character.charCodeAt(1), 4)}` : "";
  return `\\u${hex(character.charCodeAt(0), 4)}${second}`;
}

/** @param more characters that are escaped although JSON does not require it */
function json(more: string, short: Short = LITERAL): Writer {
  return replacing(IN_JSON + more, (character) => short[character] ?? unitEscape(character));
}

/** @param narrow codes from here on have no `\x` escape */
function literal(escaped: string, short: Short, narrow: number): Writer {
  return replacing(`\\\\${escaped}`, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      short[character] ??
      (code < narrow ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`)
    );
  });
}

/** @param short named escapes of quotes, blanks and other characters */
function markup(short: Short, more = ""): Writer {
  const all: Short = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...short };
  const escaped = Object.keys(all).join("") + more;
  return replacing(escaped, (character) => all[character] ?? `&#${character.codePointAt(0)};`);
}

/** The escapes of an older Go, and of writers that know only these. */
const FEW: Short = { ...QUOTES, ...BLANKS };
const GO: Short = { ...LITERAL, "\u0007": "\\a", "\v": "\\v" };
const INSPECT: Short = { "\\": "\\\\", ...BLANKS, "\b": "\\b", "\f": "\\f" };
const PYTHON: Short = { "\\": "\\\\", ...BLANKS };
const DOTNET: Short = { ...LITERAL, '"': "\\u0022" };
const HTML: Short = { '"': "&quot;", "'": "&#39;" };
const BLANKS_IN_XML: Short = { "\t": "&#9;", "\n": "&#10;", "\r": "&#13;" };

const stringified: Writer = (text) => JSON.stringify(text).slice(1, -1);
const marshalled = json(`&<>${LINES}`);
const dumped = json(NOT_ASCII_OR_DEL);
const quotedByGo = literal(`"${NOT_PRINTED}`, GO, 0x80);
const escapedByGo = markup({ '"': "&#34;", "'": "&#39;" });
const escapedText = markup({});

/** Writers of texts that contain other texts. */
export const common: readonly Writer[] = [
  stringified,
  marshalled,
  dumped,
  quotedByGo,
  // `util.inspect`: the quotes around a text depend on its content, and so does the escape of single quotes.
  literal(INSPECTED, INSPECT, 0x100),
  literal(`'${INSPECTED}`, { ...INSPECT, "'": "\\'" }, 0x100),
  escapedByGo,
  escapedText,
];

const stringifiedInAscii = json(NOT_ASCII);
const slashed: Writer = (text) => text.replaceAll("/", "\\/");
const quotedByHcl = literal(`"${NOT_PRINTED}`, FEW, 0);

/** The other writers. If two languages write the same, only one of them is listed. */
export const others: readonly Writer[] = [
  // JSON: ASCII-only of many languages, Go without HTML, an older Go, Gson, .NET and PHP.
  stringifiedInAscii,
  json(LINES),
  json("", FEW),
  json(`&<>${LINES}`, FEW),
  json(`&<>='${LINES}`),
  json(`&'+<>\`${NOT_ASCII_OR_DEL}`, DOTNET),
  (text) => slashed(stringified(text)),
  (text) => slashed(stringifiedInAscii(text)),
  // Literals: ASCII-only of Go, HCL, and Python's `repr` and `ascii`.
  literal(`"${NOT_ASCII_OR_DEL}${NOT_PRINTED}`, GO, 0x80),
  (text) => quotedByHcl(text).replace(/[$%](?=\{)/g, "$&$&"),
  literal(NOT_PRINTED, PYTHON, 0x100),
  literal(`'${NOT_PRINTED}`, { ...PYTHON, "'": "\\'" }, 0x100),
  literal(`${NOT_ASCII_OR_DEL}${NOT_PRINTED}`, PYTHON, 0x100),
  literal(`'${NOT_ASCII_OR_DEL}${NOT_PRINTED}`, { ...PYTHON, "'": "\\'" }, 0x100),
  // Markup: JavaScript, Python, PHP and others; XML of Go; attributes; ASCII-only.
  markup(HTML),
  markup({ ...HTML, "'": "&#x27;" }),
  markup({ ...HTML, "'": "&#039;" }),
  markup({ ...HTML, "'": "&apos;" }),
  markup({ '"': "&quot;" }),
  markup({ '"': "&quot;", ...BLANKS_IN_XML }),
  markup({ '"': "&#34;", "'": "&#39;", "\t": "&#x9;", "\n": "&#xa;", "\r": "&#xd;" }),
  markup({}, NOT_ASCII),
  markup(HTML, NOT_ASCII),
  markup({ '"': "&quot;", ...BLANKS_IN_XML }, NOT_ASCII),
];

/** Returns the escapes with hex digits in upper case. */
export function withUpperDigits(written: string): string {
  if (!/[a-f]/.test(written) || !/\\[uUx]|&#x/.test(written)) return written;
  // The pattern also matches any other escape, so that the second half of "\\" is not taken for the start of one.
  return written.replace(/\\u[\da-f]{4}|\\x[\da-f]{2}|\\U[\da-f]{8}|&#x[\da-f]{1,6};|\\[^&]/g, (sequence) => {
    const start = sequence.startsWith("&") ? 3 : 2;
    return sequence.slice(0, start) + sequence.slice(start).toUpperCase();
  });
}
