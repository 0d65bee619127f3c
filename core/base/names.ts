/** Names of apps, stages, scopes and resources: their rules, and the names derived from them. */
import { EngineError } from "./errors.js";
import { nodeCrypto } from "./machine/random.js";
import { hasMarker, unknownName, withoutMarkers } from "./unknown.js";

export type NameKind = "id" | "scope name" | "app name" | "stage";

const maxNameLength = 256;

const plainName = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

const hashLength = 8;

const article: Readonly<Record<NameKind, string>> = {
  id: "An id",
  "scope name": "A scope name",
  "app name": "An app name",
  stage: "A stage",
};

/**
 * Makes a pattern at its first use. V8 parses each literal when it loads the code, and a Unicode class like `\p{L}`
 * takes it a millisecond.
 */
export function unicodePattern(source: string, flags = "u"): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}

/** Matches a control character, and half of a surrogate pair, which has no UTF-8 form of its own. */
export const unfitCharacter = unicodePattern(String.raw`[\p{Cc}\p{Cs}]`);

/** Returns why `name` cannot be a name, e.g. "it is empty", or `undefined` if it can. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string") return `it is ${name === null ? "null" : `of type ${typeof name}`}`;
  if (name.length <= maxNameLength && plainName.test(name)) return undefined;
  if (name === "") return "it is empty";
  if (name === "." || name === "..") return `"${name}" is a relative path`;
  if (name.length > maxNameLength) return `it has ${name.length} characters`;
  if (name.includes("/")) return `${JSON.stringify(name)} contains "/"`;
  if (unfitCharacter().test(name))
    return `${JSON.stringify(name)} contains a control character or half of a surrogate pair`;
  return undefined;
}

/** Returns the rule for names as a sentence for messages. */
export function nameRule(what: NameKind): string {
  return `${article[what]} must be a non-empty string of at most ${maxNameLength} characters, without "/" or control characters, and not "." or "..".`;
}

/** Checks a name. @throws `INVALID_NAME` unless `name` is a name: see {@link nameRule}; `UNKNOWN_VALUE` */
export function checkName(what: NameKind, name: unknown): asserts name is string {
  const isUnknown = unknownName(name) !== undefined || (typeof name === "string" && hasMarker(name));
  if (isUnknown) throw unknownAs(what, String(name));
  const problem = nameProblem(name);
  if (problem !== undefined) throw new EngineError("INVALID_NAME", `Invalid ${what}: ${problem}. ${nameRule(what)}`);
}

function unknownAs(what: NameKind, name: string): EngineError {
  const readable = withoutMarkers(name, (value) => `(${value})`);
  const message = `${article[what]} "${readable}" depends on a value that is not known yet. Use known values in names.`;
  return new EngineError("UNKNOWN_VALUE", message);
}

export interface PhysicalNameParts {
  readonly app: string;
  /** Names of the child scopes, outermost first, joined by `/`; the stage is not among them. */
  readonly path: string;
  readonly id: string;
  readonly stage: string;
  /** Separates the parts and replaces every character outside `[A-Za-z0-9_-]`. Default: `"-"`. */
  readonly delimiter?: string;
  /** Maximum length of the name in UTF-16 units, as in `length`. Default: no limit. */
  readonly maxLength?: number;
}

/**
 * Returns `{app}-{child scopes}-{id}-{stage}`, deterministically. If the name is longer than `maxLength`, its longest
 * parts are cut to one length. A hash of the whole name as given is appended, so that no two cut names are equal. A
 * name that fits is spelled out without a hash: there `a b` and `a.b` give one name, as do `a/b-c` and `a-b/c`.
 *
 * @throws `INVALID_OPTION` when `maxLength` cannot hold one character of each part and the hash
 */
export function physicalName({ app, path, id, stage, delimiter = "-", maxLength }: PhysicalNameParts): string {
  checkName("id", id);
  if (typeof delimiter !== "string") {
    throw new EngineError(
      "INVALID_OPTION",
      `The delimiter of a physical name must be a string, not ${typeof delimiter}.`,
    );
  }
  if (maxLength !== undefined && !(Number.isSafeInteger(maxLength) && maxLength > 0)) {
    throw new EngineError(
      "INVALID_OPTION",
      `The maxLength of a physical name must be a whole number of at least 1, not ${String(maxLength)}.`,
    );
  }
  // No part contains a `/`.
  const given = [app, joined(path, id), stage].join("/");
  const whole = spelled(given, delimiter);
  if (maxLength === undefined || whole.length <= maxLength) return whole;

  const parts = given.split("/").map((part) => spelled(part, delimiter));
  const room = maxLength - hashLength - parts.length * delimiter.length;
  const least = Math.min(whole.length, maxLength - room + parts.length);
  if (room < parts.length) {
    throw new EngineError(
      "INVALID_OPTION",
      `A physical name for "${id}" in "${joined(`${app}/${stage}`, path)}" does not fit into ${maxLength} characters. Pass a maxLength of at least ${least}.`,
    );
  }
  const length = evenLength(parts, room);
  // A cut inside a delimiter of astral characters would leave half of one.
  const cut = parts.map((part) => part.slice(0, length).replace(/[\uD800-\uDBFF]$/, ""));
  return [...cut, hash(given)].join(delimiter);
}

function spelled(part: string, delimiter: string): string {
  // A `$` would be special.
  return part.replace(/[^A-Za-z0-9_-]/gu, delimiter.replaceAll("$", "$$$$"));
}

/** Returns the greatest length to which the longer parts can be cut so that all parts fit into `room` characters. */
function evenLength(parts: readonly string[], room: number): number {
  let left = room;
  const lengths = parts.map((part) => part.length).toSorted((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return room;
}

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** 40 bits of the SHA-256 in base 32. */
function hash(text: string): string {
  const digest = nodeCrypto().createHash("sha256").update(text).digest();
  // 256 is a multiple of 32: every letter is as likely as the others.
  return Array.from(digest.subarray(0, hashLength), (byte) => alphabet.charAt(byte % alphabet.length)).join("");
}

/** Returns a test that is true for a path and all paths below it. */
export function below(path: string): (other: string) => boolean {
  if (path === "") return () => true;
  return (other) => other === path || other.startsWith(`${path}/`);
}

/** Matches all paths of a stage. */
export const everywhere = below("");

/** Returns the path of a name in a scope. @param folder path of the scope, "" for the root */
export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
