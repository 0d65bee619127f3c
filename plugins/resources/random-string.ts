import { randomInt } from "node:crypto";
import { Resource } from "../../core/resource/define.js";
import type { SchemaResult, StandardSchema } from "../../core/resource/schema.js";
import { unknownProps } from "./known-props.js";

/** Props of {@link RandomString}. */
export interface RandomStringProps {
  /** Number of characters, 1 to 4096. Default: 32. */
  readonly length?: number;
  /** The characters to choose from, at least two, each once. Default: letters and digits, both cases. */
  readonly alphabet?: string;
  /** Any value; a change of it makes a new string. */
  readonly keepers?: unknown;
}

/** What a `RandomString` gives. */
export interface RandomStringOutput {
  readonly value: string;
}

type Complete = RandomStringProps & Required<Pick<RandomStringProps, "length" | "alphabet">>;

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LONGEST = 4096;

/**
 * A random string that stays the same from run to run, until one of its props changes: then it is replaced.
 *
 * Every character is drawn from a cryptographic source, each with the same probability. The value is kept in the state
 * as it is, so it is no password.
 *
 * @throws EngineError `INVALID_PROPS`
 *
 * @example
 * ```ts
 * const suffix = await RandomString("suffix", { length: 6, alphabet: "abcdefghijklmnopqrstuvwxyz" });
 * await File("note", { path: `note-${suffix.value}.txt`, content: "…" });
 * ```
 */
export const RandomString = Resource("random:String", {
  schema: schema(),
  // Nobody has seen the string of an interrupted create: another one is as good.
  idempotent: true,
  create({ props: { length, alphabet } }): RandomStringOutput {
    const characters = [...alphabet];
    // randomInt draws again where a remainder would favour some.
    return { value: Array.from({ length }, () => characters[randomInt(characters.length)]).join("") };
  },
  outputs: () => ({}),
});

function schema(): StandardSchema<RandomStringProps, Complete> {
  return { "~standard": { version: 1, vendor: "scope-engine", validate } };
}

function validate(value: unknown): SchemaResult<Complete> {
  const given: Readonly<Record<string, unknown>> = Object(value);
  const issues = unknownProps(given, { length: true, alphabet: true, keepers: true });
  if (issues.length > 0) return { issues };
  const { length = 32, alphabet = ALPHANUMERIC, ...rest } = given;
  if (typeof length !== "number" || !Number.isInteger(length) || length < 1 || length > LONGEST) {
    return { issues: [{ path: ["length"], message: `must be a whole number from 1 to ${LONGEST}` }] };
  }
  if (typeof alphabet !== "string" || [...alphabet].length < 2 || new Set(alphabet).size < [...alphabet].length) {
    return { issues: [{ path: ["alphabet"], message: "must be a string of at least two characters, each once" }] };
  }
  return { value: { ...rest, length, alphabet } };
}
