import { randomInt } from "node:crypto";
import { anything, flag, type Rule, type RulesOf, wholeFrom } from "../../core/base/index.js";
import type {
  Input,
  PendingResource,
  ResourceOptions,
  ResourceType,
  SchemaResult,
  StandardSchema,
} from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { Secret } from "../secrets/secret.js";
import { issuesOf } from "./props-schema.js";

/** Props of {@link RandomString}. */
export interface RandomStringProps {
  /** Number of characters, 1 to 4096. Default: 32. */
  readonly length?: number;
  /** At least two characters to choose from, each once. Default: letters and digits, both cases. */
  readonly alphabet?: string;
  /** Any value; a change of it makes a new string. */
  readonly keepers?: unknown;
  /**
   * `true` ({@link SecretStringProps}): the value is a secret. Default: false, the state holds the string in plain
   * text.
   */
  readonly secret?: false;
}

/** Props of a {@link RandomString} whose value is a secret. */
export interface SecretStringProps extends Omit<RandomStringProps, "secret"> {
  readonly secret: true;
}

/** Output of a `RandomString`; with `secret: true` it is {@link PasswordOutput}. */
export interface RandomStringOutput {
  readonly value: string;
}

/** Output of a `Password`, and of a `RandomString` that is a secret. */
export interface PasswordOutput {
  readonly value: Secret;
}

/** Type of {@link RandomString}: the prop `secret` determines the type of its output. */
export interface RandomStringType extends ResourceType<RandomStringOutput, RandomStringProps> {
  (id: string, props: Input<SecretStringProps>, options?: ResourceOptions): PendingResource<PasswordOutput>;
}

/** Props of all types of random texts. */
interface RandomTextProps {
  readonly length?: number;
  readonly alphabet?: string;
  readonly keepers?: unknown;
  readonly secret?: boolean;
}

type Complete<Props extends RandomTextProps> = Props & Required<Pick<RandomTextProps, "length" | "alphabet">>;

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const LONGEST = 4096;

/** Draws every character from a cryptographic source, each with the same probability. */
export function randomText({ length, alphabet }: Complete<RandomTextProps>): string {
  const characters = [...alphabet];
  // randomInt() has no modulo bias.
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
}

const RULES: RulesOf<Omit<RandomTextProps, "secret">> = {
  length: wholeFrom(1, LONGEST),
  alphabet: {
    allowed: "a string of at least two characters, each only once",
    accepts: (value) => typeof value === "string" && [...value].length > 1 && new Set(value).size === [...value].length,
  },
  keepers: anything,
};

/** @param more rules of additional props of the type */
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

const Either = Resource("random:String", {
  schema: randomTextSchema<RandomStringProps | SecretStringProps>({ secret: flag }),
  // No program has used the string of an interrupted create, so a new one does no harm.
  idempotent: true,
  givesSecrets: ({ props }) => props.secret === true,
  create({ props, id }): RandomStringOutput | PasswordOutput {
    const value = randomText(props);
    return props.secret ? { value: new Secret(value, id) } : { value };
  },
  outputs: () => ({}),
});

/**
 * A random string that stays the same in every run until one of its props changes: then it is replaced.
 *
 * Every character is drawn from a cryptographic source, each with the same probability. The value is kept in the state
 * in plain text, unless `secret` is true. For a password, use {@link Password}.
 *
 * @throws EngineError `INVALID_PROPS`; with `secret`, `PASSWORD_REQUIRED`
 *
 * @example
 * ```ts
 * const suffix = await RandomString("suffix", { length: 6, alphabet: "abcdefghijklmnopqrstuvwxyz" });
 * await File("note", { path: `note-${suffix.value}.txt`, content: "…" });
 * ```
 */
// A definition has one type of output; here it depends on a prop.
export const RandomString = Either as RandomStringType;
