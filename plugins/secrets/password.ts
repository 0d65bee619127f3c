/** Derives a key from a password with scrypt. */
import { EngineError, Limiter, perProcess, platform } from "../../core/base/index.js";
import { tagOf } from "../../core/codec/index.js";
import { type Encoded, INTERNALS, type Scope } from "../../core/contract/index.js";
import { encodingsOfWhole } from "./encodings.js";
import { fromBase64, KEY_BYTES, TAG, toBase64 } from "./envelope.js";
import type { KeptKeys } from "./kept-keys.js";
import { leavesOf } from "./leaves.js";
import { isSameOpener, type Opener, openerIn } from "./opener.js";
import { SHORTEST } from "./patterns.js";

/** The parameters with which a key was derived from a passphrase; recorded next to the value that it protects. */
export interface Scrypt {
  readonly name: "scrypt";
  /** Cost: a power of two. */
  readonly n: number;
  readonly r: number;
  readonly p: number;
  /** Base64 of 16 bytes. */
  readonly salt: string;
}

export const COST = 2 ** 17;

const [R, P] = [8, 1];

const SALT_BYTES = 16;

/** With a lower cost, the password of a stolen state is too easy to guess. */
export const LEAST_COST = 2 ** 14;

/** Four times the memory of this version. A higher cost in a forged state could stop every reader. */
const MOST_MEMORY = 4 * 128 * COST * R * P;

/** @throws EngineError `INVALID_OPTION` for a cost that a later read would refuse */
export function checkCost(cost: number): void {
  if (problemWith(cost, R, P) === undefined) return;
  throw new EngineError(
    "INVALID_OPTION",
    `The cost of scrypt must be a power of two from ${LEAST_COST} to ${MOST_MEMORY / (128 * R * P)}, not ${String(cost)}.`,
  );
}

/**
 * Returns the parameters of a key that this process has derived from the password, or is deriving: another derivation
 * is expensive.
 */
export function scryptFor(password: string, cost: number): Scrypt {
  for (const { derivation, ...known } of derivations().values()) {
    if (known.password === password && derivation.n === cost && isOfToday(derivation)) return derivation;
  }
  return newScrypt(cost);
}

function newScrypt(cost: number): Scrypt {
  return { name: "scrypt", n: cost, r: R, p: P, salt: toBase64(platform().randomBytes(SALT_BYTES)) };
}

/** @throws EngineError `STATE_CORRUPT` for parameters that no version of this library records */
export function parseScrypt(value: unknown): Scrypt {
  if (typeof value !== "object" || value === null) throw unusable("they are missing");
  const { name, n, r, p, salt }: Partial<Record<keyof Scrypt, unknown>> = value;
  if (name !== "scrypt") throw unusable(`the method "${String(name)}" is unknown to this version of scope-engine`);
  if (!isCount(n) || !isCount(r) || !isCount(p)) throw unusable(NO_NUMBERS);
  const problem = problemWith(n, r, p);
  if (problem !== undefined) throw unusable(problem);
  if (typeof salt !== "string" || (fromBase64(salt)?.length ?? 0) < SALT_BYTES) throw unusable("the salt is too short");
  return { name, n, r, p, salt };
}

const NO_NUMBERS = "they are not valid numbers for scrypt";

function problemWith(n: number, r: number, p: number): string | undefined {
  if (!isCount(n) || (n & (n - 1)) !== 0) return NO_NUMBERS;
  if (n < LEAST_COST || r < R) return `N = ${n}, r = ${r} is too weak`;
  if (128 * n * r * p > MOST_MEMORY) return `N = ${n}, r = ${r}, p = ${p} takes too much memory`;
  return undefined;
}

function isOfToday({ r, p }: Scrypt): boolean {
  return r === R && p === P;
}

interface Derived {
  readonly password: string;
  readonly derivation: Scrypt;
  readonly key: Promise<Buffer>;
  /** Set once the key is derived. */
  made?: Buffer;
}

/** Derivations of this process: successive runs need the same key, and each derivation takes a third of a second. */
const derivations = perProcess("derivations@2", () => new Map<string, Derived>());

const MOST_DERIVED = 1_000;

/** Each takes 128 MB of memory. */
const atOnce = perProcess("derivations at once@1", () => new Limiter(2));

/**
 * Derives once for each password and salt of a process, outside its main thread.
 *
 * @param kept from earlier processes
 */
export function deriveFrom(password: string, derivation: Scrypt, kept?: KeptKeys): Promise<Buffer> {
  const name = JSON.stringify(derivation);
  const derived = derivations();
  const known = derived.get(name);
  if (known?.password === password) return known.key;
  const key = atOnce().run(async () => (await kept?.find(password, derivation)) ?? derive(password, derivation));
  const deriving: Derived = { password, derivation, key };
  derived.delete(name);
  derived.set(name, deriving);
  key.then(
    (made) => {
      deriving.made = made;
    },
    // The next attempt may have more memory.
    () => derived.delete(name),
  );
  for (const oldest of derived.keys()) if (derived.size > MOST_DERIVED) derived.delete(oldest);
  return key;
}

function derive(password: string, derivation: Scrypt): Promise<Buffer> {
  return platform().scrypt(normalized(password), saltOf(derivation), KEY_BYTES, costsOf(derivation));
}

/** Derives in the main thread, for a process that is about to end. */
export function deriveNow(password: string, derivation: Scrypt): Buffer {
  const known = derivations().get(JSON.stringify(derivation));
  if (known?.made && known.password === password) return known.made;
  return platform().scryptNow(normalized(password), saltOf(derivation), KEY_BYTES, costsOf(derivation));
}

/** The same characters for every keyboard. */
export function normalized(password: string): string {
  return password.normalize("NFKC");
}

function saltOf({ salt }: Scrypt): Buffer {
  return Buffer.from(salt, "base64");
}

function costsOf({ n, r, p }: Scrypt): { N: number; r: number; p: number; maxmem: number } {
  return { N: n, r, p, maxmem: 2 * 128 * n * r * p };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === "number" && value > 0;
}

export function unusable(why: string): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `The recorded parameters of the password or key cannot be used: ${why}. Update scope-engine, or restore the state from its history: "engine state history" lists the copies.`,
  );
}

/** The outermost scope with this password or key; all scopes below it share its data key. */
export interface PasswordScope {
  /** Path of the scope, `/` for the root. */
  readonly path: string;
  readonly fqn: string;
  readonly opener: Opener;
}

/** Looked up for each secret of each run. */
const known = new WeakMap<Scope, PasswordScope>();

/** Returns undefined if the scope has no password and no key. */
export function passwordScopeOf(scope: Scope | undefined): PasswordScope | undefined {
  if (!scope) return undefined;
  const before = known.get(scope);
  if (before) return before;
  const opener = openerOf(scope);
  const found = opener && findPasswordScope(scope, opener);
  if (found) known.set(scope, found);
  return found;
}

export function openerOf(scope: Scope): Opener | undefined {
  return openerIn(scope[INTERNALS].options);
}

function findPasswordScope(scope: Scope, opener: Opener): PasswordScope {
  let at = scope;
  while (at.parent && isSameOpener(openerOf(at.parent), opener)) at = at.parent;
  return { path: pathOf(at), fqn: at.chain.join("/"), opener };
}

/** Returns true for a scope at the path or below it. */
export function isWithin(scope: Scope, path: string): boolean {
  return path === "/" || `${pathOf(scope)}/`.startsWith(`${path}/`);
}

function pathOf({ chain }: Scope): string {
  return `/${chain.slice(2).join("/")}`;
}

// For resource types that make secrets of values themselves, e.g. because a schema requires it.

/** Returns true if values of the scope can be encrypted. */
export function hasKeyFor(scope: Scope): boolean {
  return openerOf(scope) !== undefined;
}

/** Returns true for a recorded value that is encrypted. */
export function isSealed(value: Encoded): boolean {
  return tagOf(value) === TAG;
}

/** Returns the texts in a value, at any depth, without the content of secrets. */
export function textsIn(value: unknown): readonly string[] {
  return [...leavesOf(value)].filter((leaf) => typeof leaf === "string");
}

/** A shorter text occurs in too many others by chance if case is ignored. */
const SHORTEST_OF_ANY_CASE = 8;

/**
 * Returns the forms that other programs give to a text: in JSON, in a URL, in hex and in base64, also inside longer
 * texts; trimmed; in upper and lower case. Leaves out forms that occur in too many other texts by chance.
 */
export function formsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  const long = trimmed.length < SHORTEST_OF_ANY_CASE ? [] : [trimmed.toLowerCase(), trimmed.toUpperCase()];
  const all = [text, trimmed].filter((one) => one.length >= SHORTEST);
  return [...new Set([...all.flatMap(encodingsOfWhole), ...long])];
}
