/** The texts that would give a secret away, so that output must not contain them. */
import { isUtf8 } from "node:buffer";
import { BEFORE, BEHIND, type Forms, SHORTEST } from "./patterns.js";
import { common, others, type Writer, withUpperDigits } from "./writers.js";

const lettersAndDigits = /^[A-Za-z0-9]*$/;

/** Returns the text in each encoding that it may be printed in, and each of its lines in the encodings of texts. */
export function encodingsOfText(text: string): Forms {
  const bytes = Buffer.from(text);
  // The form that a stream gives to half a surrogate pair.
  const printed = bytes.toString();
  const found = byteForms(bytes);
  for (const each of printed === text ? [text, ...linesOf(text)] : [text, printed, ...linesOf(text)]) {
    for (const form of writtenForms(each)) found.set(form, found.get(form) ?? 0);
  }
  return longEnough(found);
}

/** Returns the text in each of these encodings, but not its lines: many texts share the first line of a certificate. */
export function encodingsOfWhole(text: string): readonly string[] {
  return [...longEnough(byteForms(Buffer.from(text))).keys(), ...writtenForms(text)];
}

/** Returns the encodings of bytes; if they are UTF-8 text, those of the text, too. */
export function encodingsOfBytes(bytes: Buffer): Forms {
  const text = isUtf8(bytes) ? bytes.toString() : "";
  if (text.length >= SHORTEST) return encodingsOfText(text);
  const found = byteForms(bytes);
  for (const form of percentEncodingsOf(bytes)) found.set(form, found.get(form) ?? 0);
  return longEnough(found);
}

function longEnough(forms: Map<string, number>): Forms {
  for (const form of forms.keys()) if (form.length < SHORTEST) forms.delete(form);
  return forms;
}

function writtenForms(text: string): Iterable<string> {
  const escapes = escapesOf(text);
  return lettersAndDigits.test(text) ? escapes : [...escapes, ...percentEncodingsOf(Buffer.from(text))];
}

function byteForms(bytes: Buffer): Map<string, number> {
  const hex = bytes.toString("hex");
  const found = new Map([hex, hex.toUpperCase()].map((form) => [form, 0]));
  for (const before of [0, 1, 2]) {
    const { form, ends } = base64Form(bytes, before);
    for (const each of [form, form.replaceAll("+", "-").replaceAll("/", "_")])
      found.set(each, (found.get(each) ?? 0) | ends);
  }
  return found;
}

/**
 * Returns the base64 of the bytes without the characters that also encode neighbouring bytes. A character has six bits,
 * so the characters next to the form may hold bits of the secret.
 *
 * @param before how many other bytes share the first group of three with the secret
 */
function base64Form(bytes: Buffer, before: number): { readonly form: string; readonly ends: number } {
  const base64 = Buffer.from(Buffer.concat([Buffer.alloc(before), bytes]).toString("base64"), "latin1");
  const [start, end] = [(8 * before) / 6, (8 * (before + bytes.length)) / 6];
  // A slice of the string would keep the whole string in memory.
  const form = base64.toString("latin1", Math.ceil(start), Math.floor(end));
  return { form, ends: (Number.isInteger(start) ? 0 : BEFORE) | (Number.isInteger(end) ? 0 : BEHIND) };
}

/** Returns no lines for a text of one line. Lines are trimmed, because a printer may indent them differently. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\r\n]/);
  return lines.length === 1 ? [] : lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST);
}

/** Blanks, letters, digits and the punctuation that no writer escapes. */
const plain = /^[ !#%(),\-.0-9:;?@A-Z[\]^_a-z{|}~*$]*$/;

const writers: readonly Writer[] = [...common, ...others];

/** Returns the text as it is, as each writer writes it, and as these forms are written inside another text. */
function escapesOf(text: string): ReadonlySet<string> {
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
  // Nothing was escaped, which is the case for most writers and texts.
  if (lower === text) return [text];
  const upper = withUpperDigits(lower);
  return upper === lower ? [lower] : [lower, upper];
}

// Percent-encoding, in several styles because programs disagree about the characters that need none.

const BLANK = 0x20;

const PERCENT = 0x25;

const PLUS = 0x2b;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Characters that each style keeps, in addition to letters and digits: */
const marks = [
  "",
  // RFC 3986
  "-_.~",
  // encodeURIComponent
  "-_.~!*'()",
  // encodeURI
  "-_.~!*'();,/?:@&=+$#",
  // URLSearchParams
  "-_.*",
  // the user name and the password of a URL, which do not encode "%" again
  "-_.~!*'()$&+,%",
  // Go: the user name and the password of a URL, a segment of its path, and its whole path
  "-_.~$&+,;=",
  "-_.~$&+:=@",
  "-_.~$&+,/:;=@",
];

let known: readonly Uint8Array[] | undefined;

/** Returns a table by byte for each style: 1 for a byte that is kept. Built with the first secret. */
function styles(): readonly Uint8Array[] {
  known ??= marks.map((some) => {
    const kept = `${LETTERS_AND_DIGITS}${some}`;
    return new Uint8Array(256).map((_, byte) => Number(kept.includes(latin1(byte))));
  });
  return known;
}

const upperCase = Buffer.from("0123456789ABCDEF");

const lowerCase = Buffer.from("0123456789abcdef");

/** Hex digits in both cases, and blanks as `%20` and as `+`. */
function percentEncodingsOf(bytes: Uint8Array): readonly string[] {
  const blanks = bytes.includes(BLANK) ? [undefined, PLUS] : [undefined];
  return styles().flatMap((kept) =>
    [upperCase, lowerCase].flatMap((digits) => blanks.map((blankAs) => encoded(bytes, kept, digits, blankAs))),
  );
}

/** Builds the text as bytes: strings concatenated from single characters would fill the memory. */
function encoded(bytes: Uint8Array, kept: Uint8Array, digits: Buffer, blankAs: number | undefined): string {
  const written = Buffer.allocUnsafe(3 * bytes.length);
  let length = 0;
  for (const byte of bytes) {
    if (kept[byte] === 1) written[length++] = byte;
    else if (byte === BLANK && blankAs !== undefined) written[length++] = blankAs;
    else {
      written[length++] = PERCENT;
      written[length++] = digits[byte >> 4] ?? 0;
      written[length++] = digits[byte & 15] ?? 0;
    }
  }
  return written.toString("latin1", 0, length);
}

function latin1(byte: number): string {
  return String.fromCharCode(byte);
}
