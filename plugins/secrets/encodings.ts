/** The texts that must not appear because they would give a secret away. */
import { isUtf8 } from "node:buffer";
import { BEFORE, BEHIND, type Forms, SHORTEST } from "./patterns.js";
import { common, others, type Writer, withUpperDigits } from "./writers.js";

const lettersAndDigits = /^[A-Za-z0-9]*$/;

/** The text in each of the encodings that it may be printed in, and each of its lines in those that texts have. */
export function encodingsOfText(text: string): Forms {
  const bytes = Buffer.from(text);
  // What a stream makes of half a surrogate pair.
  const printed = bytes.toString();
  const found = byteForms(bytes);
  for (const each of printed === text ? [text, ...linesOf(text)] : [text, printed, ...linesOf(text)]) {
    for (const form of writtenForms(each)) found.set(form, found.get(form) ?? 0);
  }
  return longEnough(found);
}

/** The text in each of these encodings, but not its lines: many texts have the first line of a certificate. */
export function encodingsOfWhole(text: string): readonly string[] {
  return [...longEnough(byteForms(Buffer.from(text))).keys(), ...writtenForms(text)];
}

/** The same for bytes; for those of a text, too, where they are one. */
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
 * A character has six bits: those beside the form may hold bits of the secret and of what stands beside it.
 *
 * @param before how many bytes of something else share the first group of three with the secret
 */
function base64Form(bytes: Buffer, before: number): { readonly form: string; readonly ends: number } {
  const base64 = Buffer.from(Buffer.concat([Buffer.alloc(before), bytes]).toString("base64"), "latin1");
  const [start, end] = [(8 * before) / 6, (8 * (before + bytes.length)) / 6];
  // Not a slice of the text, which would keep all of it.
  const form = base64.toString("latin1", Math.ceil(start), Math.floor(end));
  return { form, ends: (Number.isInteger(start) ? 0 : BEFORE) | (Number.isInteger(end) ? 0 : BEHIND) };
}

/** None where the text has but one. Trimmed, for whoever prints them may indent them in another way. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\r\n]/);
  return lines.length === 1 ? [] : lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST);
}

/** Blanks, letters, digits and those marks that no writer escapes. */
const plain = /^[ !#%(),\-.0-9:;?@A-Z[\]^_a-z{|}~*$]*$/;

const writers: readonly Writer[] = [...common, ...others];

/** The text as it is, as each writer writes it, and as that text is put into another one. */
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
  // Nothing is escaped: most writers have nothing to do with most texts.
  if (lower === text) return [text];
  const upper = withUpperDigits(lower);
  return upper === lower ? [lower] : [lower, upper];
}

// Percent-encoding, for programs disagree about what needs none.

const BLANK = 0x20;

const PERCENT = 0x25;

const PLUS = 0x2b;

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** What is kept as it is, besides letters and digits: */
const marks = [
  "",
  // by RFC 3986
  "-_.~",
  // by encodeURIComponent
  "-_.~!*'()",
  // by encodeURI
  "-_.~!*'();,/?:@&=+$#",
  // by URLSearchParams
  "-_.*",
  // in the user name and the password of a URL, which do not have "%" encoded again
  "-_.~!*'()$&+,%",
  // by Go: in the user name and the password of a URL, in a segment of its path, and in all of the path
  "-_.~$&+,;=",
  "-_.~$&+:=@",
  "-_.~$&+,/:;=@",
];

let known: readonly Uint8Array[] | undefined;

/** For each of them, by byte: 1 for what is kept. Made with the first secret. */
function styles(): readonly Uint8Array[] {
  known ??= marks.map((some) => {
    const kept = `${LETTERS_AND_DIGITS}${some}`;
    return new Uint8Array(256).map((_, byte) => Number(kept.includes(latin1(byte))));
  });
  return known;
}

const upperCase = Buffer.from("0123456789ABCDEF");

const lowerCase = Buffer.from("0123456789abcdef");

/** With hex digits in either case, and with blanks as `%20` and as `+`. */
function percentEncodingsOf(bytes: Uint8Array): readonly string[] {
  const blanks = bytes.includes(BLANK) ? [undefined, PLUS] : [undefined];
  return styles().flatMap((kept) =>
    [upperCase, lowerCase].flatMap((digits) => blanks.map((blankAs) => encoded(bytes, kept, digits, blankAs))),
  );
}

/** Written as bytes: strings put together from single characters would fill the memory. */
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
