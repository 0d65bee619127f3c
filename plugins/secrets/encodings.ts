/** The texts that must not appear because they would give a secret away. */
import { isUtf8 } from "node:buffer";
import { escapesOf } from "./escapes.js";
import { SHORTEST } from "./patterns.js";
import { percentEncodingsOf } from "./percent.js";

const lettersAndDigits = /^[A-Za-z0-9]*$/;

/** The text in each of the encodings that it may be printed in, and each of its lines in those that texts have. */
export function encodingsOfText(text: string): ReadonlySet<string> {
  const bytes = Buffer.from(text);
  // What a stream makes of half a surrogate pair.
  const printed = bytes.toString();
  const found = new Set(printed === text ? writtenForms(text) : [...writtenForms(text), ...writtenForms(printed)]);
  for (const form of byteForms(bytes)) found.add(form);
  for (const line of linesOf(text)) for (const form of writtenForms(line)) found.add(form);
  return longEnough(found);
}

/** The same for bytes; for those of a text, too, where they are one. */
export function encodingsOfBytes(bytes: Buffer): ReadonlySet<string> {
  const text = isUtf8(bytes) ? bytes.toString() : "";
  if (text.length >= SHORTEST) return encodingsOfText(text);
  return longEnough(new Set([...byteForms(bytes), ...percentEncodingsOf(bytes)]));
}

function longEnough(forms: Set<string>): ReadonlySet<string> {
  for (const form of forms) if (form.length < SHORTEST) forms.delete(form);
  return forms;
}

function writtenForms(text: string): Iterable<string> {
  const escapes = escapesOf(text);
  return lettersAndDigits.test(text) ? escapes : [...escapes, ...percentEncodingsOf(Buffer.from(text))];
}

function byteForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => base64Forms(bytes, before))];
}

/** @param before how many bytes of something else share the first group of three with the secret */
function base64Forms(bytes: Buffer, before: number): readonly string[] {
  const base64 = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  // A character has six bits: those at the ends may hold bits of what stands beside the secret.
  const own = base64.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
  return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
}

/** None where the text has but one. Trimmed, for whoever prints them may indent them in another way. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\r\n]/);
  return lines.length === 1 ? [] : lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST);
}
