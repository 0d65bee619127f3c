/** Finds secrets in an output: each secret that a program passes stays one, even if the schema does not mark it. */
import { isDeepStrictEqual, types } from "node:util";
import { isUnknown } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import { formsOf, textsIn } from "../../secrets/password.js";
import { isSecret, Secret } from "../../secrets/secret.js";

/** The criteria for secrets in an output. */
export interface OutputSecrets {
  readonly marks: Marks | undefined;
  /** A text that contains one of them is a secret. */
  readonly texts: readonly string[];
  /** The recorded output. A secret with an unchanged value stays a secret, whatever the program passes now. */
  readonly recorded?: unknown;
  /** Texts that the program passes in the clear. */
  readonly clear?: readonly string[];
}

/** The inputs of a resource and of its provider. */
export interface Givens {
  readonly props: unknown;
  /** The props of the last success. */
  readonly previous?: unknown;
  /** Write-only arguments. */
  readonly written?: unknown;
  /** Secret texts in the configuration of the provider. */
  readonly configured?: readonly string[];
  /** The recorded output. */
  readonly recorded?: unknown;
}

/**
 * The places of secrets in a value. Elements of a list share marks, because a provider may return them in another
 * order.
 */
interface Marks {
  /** Name of the secret if the whole value is one. */
  readonly name?: string;
  readonly elements?: Marks;
  /** Elements of a list that are not secrets, if others are. */
  readonly clear?: ReadonlySet<unknown>;
  readonly members?: ReadonlyMap<string, Marks>;
}

/**
 * Returns the criteria for an output. A text made from a secret, such as a name with a secret prefix, is a secret, too.
 */
export function secretsGiven({ props, previous, written, configured = [], recorded }: Givens): OutputSecrets {
  const given = [...secretsIn(props), ...secretsIn(previous), ...secretsIn(written), written];
  const hidden = [...given.flatMap(textsIn), ...configured];
  // A text that the program also passes in the clear does not make other texts secret.
  const clear = textsIn(props);
  const texts = hidden.filter((text) => !clear.some((one) => one.includes(text)));
  return { marks: marksIn(props), texts: [...new Set(texts.flatMap(formsOf))], recorded, clear };
}

/** True if a value can be a secret for another reason than its schema. */
export function hidesAny({ marks, texts, recorded }: OutputSecrets): boolean {
  return marks !== undefined || texts.length > 0 || recorded !== undefined;
}

/** Returns criteria with the places of secrets in a recorded output. */
export function secretsAsIn(output: unknown, { texts }: OutputSecrets): OutputSecrets {
  return { marks: marksIn(output), texts };
}

/** Returns the texts in the secrets of a value. */
export function secretTextsIn(value: unknown): readonly string[] {
  return secretsIn(value).flatMap(textsIn);
}

/** Hides secrets in an output. @param output without hidden secrets */
export function withSecrets(output: unknown, { marks, texts, recorded, clear = [] }: OutputSecrets): unknown {
  const found = marks || texts.length > 0 ? kept(output, marks, texts, "") : output;
  return recorded === undefined ? found : stillSecret(found, recorded, clear);
}

/** Keeps recorded secrets whose value is unchanged, because a provider may still hold an earlier secret. */
function stillSecret(value: unknown, recorded: unknown, clear: readonly string[]): unknown {
  if (isSecret(value) || isUnknown(value)) return value;
  if (isSecret(recorded)) {
    const isPassed = typeof value === "string" && clear.includes(value);
    return !isPassed && isDeepStrictEqual(recorded.unencrypted, value) ? new Secret(value, recorded.name) : value;
  }
  if (Array.isArray(value))
    return Array.isArray(recorded) ? value.map((one, at) => stillSecret(one, recorded[at], clear)) : value;
  const before = new Map(membersOf(recorded));
  if (before.size === 0 || membersOf(value).length === 0) return value;
  return Object.fromEntries(membersOf(value).map(([name, one]) => [name, stillSecret(one, before.get(name), clear)]));
}

function kept(value: unknown, marks: Marks | undefined, texts: readonly string[], key: string): unknown {
  if (value === undefined || value === null || isSecret(value) || isUnknown(value)) return value;
  if (marks?.name !== undefined) return new Secret(value, marks.name);
  if (typeof value === "string") return holds(value, texts) ? new Secret(value, key) : value;
  if (typeof value === "number" || typeof value === "bigint")
    return isNumeric(value, texts) ? new Secret(value, key) : value;
  if (Array.isArray(value)) {
    // A program may pass one block without an array.
    const inner = marks?.elements ?? marks;
    return value.map((element) => (marks?.clear?.has(element) ? element : kept(element, inner, texts, key)));
  }
  if (typeof value !== "object" || !isPlainObject(value)) return value;
  // A name of a member cannot be hidden alone, so the whole object becomes a secret.
  if (Object.keys(value).some((name) => holds(name, texts))) return new Secret(value, key);
  const members = Object.entries(value).map(([name, member]) => {
    return [name, kept(member, marks?.members?.get(name), texts, name)] as const;
  });
  return Object.fromEntries(members);
}

/** Minimum characters of a line of base64. */
const LINE = 60;
/** Minimum characters of a text to find in joined lines: shorter ones occur by chance. */
const SHORTEST_IN_LINES = 8;
/** Minimum digits of a number to hide: fewer ones match by chance. */
const FEWEST_DIGITS = 6;

/** True for a text that contains one of the texts. */
export function holds(value: string, texts: readonly string[]): boolean {
  if (texts.some((text) => value.includes(text))) return true;
  // Long base64 is split into lines.
  const joined = value.length > LINE && /[\r\n]/.test(value) ? value.replaceAll(/\s+/g, "") : "";
  return joined !== "" && texts.some((text) => text.length >= SHORTEST_IN_LINES && joined.includes(text));
}

function isNumeric(value: number | bigint, texts: readonly string[]): boolean {
  const digits = String(value);
  return digits.length >= FEWEST_DIGITS && texts.includes(digits);
}

function marksIn(value: unknown): Marks | undefined {
  if (isSecret(value)) return { name: value.name };
  const elements = elementsOf(value);
  if (elements) {
    const inner = elements.map(marksIn).reduce(together, undefined);
    return inner && { elements: inner, clear: new Set(elements.filter((one) => typeof one !== "object")) };
  }
  const members = new Map<string, Marks>();
  for (const [name, member] of membersOf(value)) {
    const marks = marksIn(member);
    if (marks) members.set(name, marks);
  }
  return members.size === 0 ? undefined : { members };
}

function together(one: Marks | undefined, other: Marks | undefined): Marks | undefined {
  if (!one || !other) return one ?? other;
  const name = one.name ?? other.name;
  const elements = together(one.elements, other.elements);
  const clear = new Set([...(one.clear ?? []), ...(other.clear ?? [])]);
  const members = new Map(one.members);
  for (const [key, marks] of other.members ?? []) members.set(key, together(members.get(key), marks) ?? marks);
  return {
    ...(name === undefined ? {} : { name }),
    ...(elements ? { elements, clear } : {}),
    ...(members.size === 0 ? {} : { members }),
  };
}

function secretsIn(value: unknown): readonly unknown[] {
  if (isSecret(value)) return [value.unencrypted];
  const inner = elementsOf(value) ?? membersOf(value).map(([, member]) => member);
  return inner.flatMap(secretsIn);
}

function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return types.isSet(value) ? [...value] : undefined;
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (types.isMap(value)) return [...value].map(([key, member]) => [String(key), member] as const);
  return typeof value === "object" && value !== null && isPlainObject(value) ? Object.entries(value) : [];
}
