/** Derives keys from a password, a key or an age identity, each for one purpose. */

import { EngineError, isMissing, messageOf, packageMissing, platform } from "../../core/base/index.js";
import { expand, extract, fromBase64, KEY_BYTES, toBase64 } from "./envelope.js";
import type { KeptKeys } from "./kept-keys.js";
import { type Material, materialNow, materialOf, type Opener } from "./opener.js";
import { deriveFrom, deriveNow, parseScrypt, type Scrypt, scryptFor, unusable } from "./password.js";

/** The way a key is derived; recorded next to the value that it protects. */
export type Derivation =
  | Scrypt
  /** A key, used as it is. */
  | { readonly name: "key" }
  /** An age identity. `file` is an age file in base64 that contains a key; recovery files have none. */
  | { readonly name: "age"; readonly file?: string };

/** The use of a derived key. */
export type Purpose = "wrap" | "recovery";

export interface Derived {
  readonly derivation: Derivation;
  readonly key: Buffer;
}

/** Derives a key for new ciphertexts. @throws EngineError `KEY_INVALID`, `KEY_COMMAND_FAILED`, `PACKAGE_MISSING` */
export async function newDerived(opener: Opener, cost: number, purpose: Purpose): Promise<Derived> {
  const material = await materialOf(opener);
  if (material.kind === "key") return derivedBy(material, purpose);
  if (material.kind === "password") {
    const derivation = scryptFor(material.text, cost);
    return { derivation, key: keyFor(await deriveFrom(material.text, derivation), purpose) };
  }
  const { file, key } = await newFile(material.identity);
  return { derivation: { name: "age", file: toBase64(file) }, key: ageKey(material.identity, key, purpose) };
}

/** Like {@link newDerived}, for a process that is about to end. */
export function derivedNow(opener: Opener, cost: number, purpose: Purpose): Derived {
  const material = materialNow(opener);
  if (material.kind === "key") return derivedBy(material, purpose);
  if (material.kind === "age") return { derivation: { name: "age" }, key: ageKey(material.identity, NOTHING, purpose) };
  const derivation = scryptFor(material.text, cost);
  return { derivation, key: keyFor(deriveNow(material.text, derivation), purpose) };
}

/** Returns undefined if the opener is of another kind than the recorded derivation. @throws as {@link newDerived} */
export async function deriveKey(
  opener: Opener,
  derivation: Derivation,
  purpose: Purpose,
  kept?: KeptKeys,
): Promise<Buffer | undefined> {
  const isOfPassword = derivation.name === "scrypt";
  const hasPassword = "password" in opener;
  if (isOfPassword !== hasPassword) return undefined;
  const material = await materialOf(opener);
  if (material.kind === "password") {
    return derivation.name === "scrypt"
      ? keyFor(await deriveFrom(material.text, derivation, kept), purpose)
      : undefined;
  }
  if (material.kind !== derivation.name) return undefined;
  if (material.kind === "key") return derivedBy(material, purpose).key;
  const file = derivation.name === "age" ? derivation.file : undefined;
  const inside = file === undefined ? NOTHING : await keyIn(fromBase64(file) ?? NOTHING, material.identity);
  return inside && ageKey(material.identity, inside, purpose);
}

/** Keeps the key of a password that has opened something, for later processes. */
export async function keepKey(opener: Opener, derivation: Derivation, kept: KeptKeys): Promise<void> {
  if (derivation.name !== "scrypt" || !("password" in opener)) return;
  await kept.keep(opener.password, derivation, await deriveFrom(opener.password, derivation, kept));
}

function derivedBy({ bytes }: Material & { readonly kind: "key" }, purpose: Purpose): Derived {
  return { derivation: { name: "key" }, key: keyFor(bytes, purpose) };
}

const NOTHING = Buffer.alloc(0);

/**
 * The identity is a part of the key. Its recipient is not a secret: anyone who knows it can make an age file for it,
 * but no file that yields this key.
 */
function ageKey(identity: string, inside: Uint8Array, purpose: Purpose): Buffer {
  return keyFor(Buffer.concat([Buffer.from(identity), inside]), purpose);
}

function keyFor(material: Uint8Array, purpose: Purpose): Buffer {
  return expand(extract(material), purpose);
}

/** @throws EngineError `STATE_CORRUPT` for values that no version of this library records */
export function parseDerivation(value: unknown): Derivation {
  const { name, file }: { readonly name?: unknown; readonly file?: unknown } = Object(value);
  if (name === "key") return { name };
  if (name !== "age") return parseScrypt(value);
  if (file === undefined) return { name };
  if (typeof file !== "string" || fromBase64(file) === undefined) throw unusable("its age file is damaged");
  return { name, file };
}

// Age identities (age-encryption.org): a stage that was created with one has a key in an age file, which the identity
// opens.

type Age = typeof import("age-encryption");

const PACKAGE = "age-encryption";

async function load(): Promise<Age> {
  try {
    return await import("age-encryption");
  } catch (error) {
    throw isMissing(error, PACKAGE) ? packageMissing(PACKAGE, error) : error;
  }
}

/** Makes an age file with a new random key. @throws EngineError `KEY_INVALID`, `PACKAGE_MISSING` */
export async function newFile(identity: string): Promise<{ readonly file: Buffer; readonly key: Buffer }> {
  const { Encrypter, identityToRecipient } = await load();
  const key = platform().randomBytes(KEY_BYTES);
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity).catch(refuse));
  return { file: Buffer.from(await encrypter.encrypt(key)), key };
}

/**
 * Returns the key in an age file, or undefined if the identity does not open it.
 * @throws EngineError `KEY_INVALID`, `PACKAGE_MISSING`
 */
export async function keyIn(file: Uint8Array, identity: string): Promise<Buffer | undefined> {
  const { Decrypter } = await load();
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (error) {
    return refuse(error);
  }
  try {
    return Buffer.from(await decrypter.decrypt(file));
  } catch {
    return undefined; // The identity does not fit, or the file is damaged: only the error's text tells which.
  }
}

function refuse(cause: unknown): never {
  throw new EngineError("KEY_INVALID", `The age identity is incomplete or mistyped: ${messageOf(cause)}.`, {
    cause,
  });
}
