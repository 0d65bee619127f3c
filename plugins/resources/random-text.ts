import { randomInt } from "node:crypto";
import type { SchemaResult, StandardSchema } from "../../core/contract/index.js";
import { unknownProps } from "./known-props.js";

/** What random texts of all types are made by. */
export interface RandomTextProps {
  readonly length?: number;
  readonly alphabet?: string;
  readonly keepers?: unknown;
  readonly secret?: boolean;
}

type Complete<Props extends RandomTextProps> = Props & Required<Pick<RandomTextProps, "length" | "alphabet">>;

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LONGEST = 4096;

/** Every character is drawn from a cryptographic source, each with the same probability. */
export function randomText({ length, alphabet }: Complete<RandomTextProps>): string {
  const characters = [...alphabet];
  // randomInt draws again where a remainder would favour some.
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
}

/** @param names of the props that the type has besides */
export function randomTextSchema<Props extends RandomTextProps>(...names: readonly (keyof Props & string)[]) {
  const known = Object.fromEntries(["length", "alphabet", "keepers", ...names].map((name) => [name, true] as const));
  const validate = (value: unknown): SchemaResult<Complete<Props>> => {
    const issues = unknownProps(Object(value), known);
    return issues.length > 0 ? { issues } : complete<Props>(Object(value));
  };
  const schema: StandardSchema<Props, Complete<Props>> = {
    "~standard": { version: 1, vendor: "scope-engine", validate },
  };
  return schema;
}

function complete<Props extends RandomTextProps>(given: Props): SchemaResult<Complete<Props>> {
  const { length = 32, alphabet = ALPHANUMERIC, secret = false } = given;
  if (typeof secret !== "boolean") return { issues: [{ path: ["secret"], message: "must be true or false" }] };
  if (typeof length !== "number" || !Number.isInteger(length) || length < 1 || length > LONGEST) {
    return { issues: [{ path: ["length"], message: `must be a whole number from 1 to ${LONGEST}` }] };
  }
  if (typeof alphabet !== "string" || [...alphabet].length < 2 || new Set(alphabet).size < [...alphabet].length) {
    return { issues: [{ path: ["alphabet"], message: "must be a string of at least two characters, each once" }] };
  }
  return { value: { ...given, length, alphabet } };
}
