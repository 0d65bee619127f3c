/** The texts that must not appear because they would give a secret away. */
import { isUtf8 } from "node:buffer";
import { escapesOf } from "./escapes.js";
import { BEFORE, BEHIND, type Forms, SHORTEST } from "./patterns.js";
import { percentEncodingsOf } from "./percent.js";

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
