/** Generated secrets, redactors that know some, and an independent oracle for redacted texts. */
import { createRedactor, type Redactor } from "../../../plugins/secrets/redactor.js";
import { anyCharacter, fc } from "../../helpers/checks/generated.js";

export function knowing(...values: readonly unknown[]): Redactor {
  const redactor = createRedactor();
  for (const value of values) redactor.know(value);
  return redactor;
}

/** Of 4 to 200 characters. Without asterisks: a mask next to them would look like the secret. */
export const secret = fc
  .oneof(
    fc.string({ minLength: 4, maxLength: 200 }),
    fc.string({ minLength: 4, maxLength: 60, unit: "grapheme" }),
    fc.string({ minLength: 4, maxLength: 60, unit: anyCharacter }),
    fc.string({
      minLength: 4,
      maxLength: 30,
      unit: fc.constantFrom("'", '"', "`", "\\", "\n", "\r\n", " ", "%", "$", "u", "é"),
    }),
    fc.string({
      minLength: 2,
      maxLength: 40,
      unit: fc.constantFrom("😀", "ß", "\u0000", "\u001b", "\u2028", "-----", "ab"),
    }),
    fc.base64String({ minLength: 4, maxLength: 200 }),
    fc.constantFrom("true", "null", "1234", "eyJhbGciOiJIUzI1NiJ9.e30.abc", '{"key": "value"}'),
  )
  .map((text) => text.replaceAll("*", "x"))
  .filter((text) => text.length >= 4);

/** Secrets and texts of few letters, so that they contain, overlap and touch one another. */
export const overlappingSecrets = fc.array(
  fc.string({ minLength: 4, maxLength: 9, unit: fc.constantFrom("x", "é", "😀") }),
  {
    minLength: 1,
    maxLength: 6,
  },
);
export const crowdedText = fc.string({ maxLength: 60, unit: fc.constantFrom("x", "x", "é", "é", "😀", "😀", ".") });

/** Texts of hundreds of characters, each of which has much in common with the others. */
export const repetitive = fc
  .tuple(
    fc.constantFrom("x", "xy", "xxy", "xxxxxxxxxy"),
    fc.integer({ min: 60, max: 200 }),
    fc.constantFrom("", "", "x", "y", "z"),
  )
  .map(([piece, length, last]) => piece.repeat(length).slice(0, length) + last);

/** Marks the characters that belong to a secret that begins at one of the first `starts` positions. */
export function hidden(text: string, secrets: readonly string[], starts = text.length): readonly boolean[] {
  const marks = new Array<boolean>(text.length).fill(false);
  for (let at = 0; at < starts; at++) {
    for (const one of secrets) if (text.startsWith(one, at)) marks.fill(true, at, at + one.length);
  }
  return marks;
}

/** The first characters of a text, with one mask for each run of hidden ones that begins among them. */
export function masked(text: string, marks: readonly boolean[], length = text.length): string {
  let shown = "";
  for (let at = 0; at < length; at++) {
    if (!marks[at]) shown += text[at];
    else if (at === 0 || !marks[at - 1]) shown += "***";
  }
  return shown;
}
