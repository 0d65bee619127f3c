import { randomInt } from "node:crypto";
import { anything, type Rule, type RulesOf, wholeFrom } from "../../core/base/index.js";
import type { SchemaResult, StandardSchema } from "../../core/contract/index.js";
import { issuesOf } from "./props-schema.js";

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

const RULES: RulesOf<Omit<RandomTextProps, "secret">> = {
  length: wholeFrom(1, LONGEST),
  alphabet: {
    allowed: "a string of at least two characters, each once",
    accepts: (value) => typeof value === "string" && [...value].length > 1 && new Set(value).size === [...value].length,
  },
  keepers: anything,
};

/** @param more rules of the props that the type has besides */
export function randomTextSchema<Props extends RandomTextProps>(more: Readonly<Record<string, Rule>> = {}) {
  const validate = (value: unknown): SchemaResult<Complete<Props>> => {
    const issues = issuesOf(Object(value), { ...RULES, ...more });
    if (issues.length > 0) return { issues };
    const given: Props = Object(value);
    const { length = 32, alphabet = ALPHANUMERIC } = given;
    return { value: { ...given, length, alphabet } };
  };
  const schema: StandardSchema<Props, Complete<Props>> = {
    "~standard": { version: 1, vendor: "scope-engine", validate },
  };
  return schema;
}
