/** What opens the secrets of a scope: a passphrase, a key, an identity of age, or a command that prints one of the last two. */
import { isDeepStrictEqual } from "node:util";
import { EngineError, platform } from "../../core/base/index.js";
import type { KeyCommand } from "../../core/contract/index.js";
import { KEY_BYTES, sha256 } from "./cipher.js";
import { printedBy, printedNow } from "./key-command.js";
import { redactor } from "./known.js";

export type Opener = { readonly password: string } | { readonly key: string } | { readonly key: KeyCommand };

/** As it is used: what a command prints is one of the other two. */
export type Material =
  | { readonly kind: "password"; readonly text: string }
  | { readonly kind: "key"; readonly bytes: Buffer }
  | { readonly kind: "age"; readonly identity: string };

/** Undefined where there is neither. */
export function openerIn({
  password,
  key,
}: {
  readonly password?: string;
  readonly key?: string | KeyCommand;
}): Opener | undefined {
  if (password !== undefined) return { password };
  if (key === undefined) return undefined;
  return typeof key === "string" ? { key } : { key };
}

export function isSameOpener(one: Opener | undefined, other: Opener | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** For messages: what it is that was given. */
export function nameOfOpener(opener: Opener): "password" | "key" {
  return "password" in opener ? "password" : "key";
}

/**
 * What it says is known to the redactor from now on, and a text that is no key is refused.
 *
 * @throws EngineError `KEY_INVALID`
 */
export function checkOpener(opener: Opener): void {
  if (!isCommanded(opener)) given(opener);
}

/** @throws EngineError `KEY_INVALID`, `KEY_COMMAND_FAILED` */
export async function materialOf(opener: Opener): Promise<Material> {
  return isCommanded(opener) ? keyMaterial(await printedBy(opener.key), PRINTED) : given(opener);
}

/** As {@link materialOf}, for a process that is about to end. */
export function materialNow(opener: Opener): Material {
  return isCommanded(opener) ? keyMaterial(printedNow(opener.key), PRINTED) : given(opener);
}

function isCommanded(opener: Opener): opener is { readonly key: KeyCommand } {
  return "key" in opener && typeof opener.key !== "string";
}

function given(opener: { readonly password: string } | { readonly key: string }): Material {
  if ("key" in opener) return keyMaterial(opener.key, "The key");
  redactor.know(opener.password);
  return { kind: "password", text: opener.password };
}

const PRINTED = "What the command for the key printed";
const PREFIX = "scope-engine-key-1-";
const CHECK_BYTES = 4;
const AGE = /^AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]+$/;

/** A new key: 256 random bits and four bytes by which a slip of the pen is found, in base64url. */
export function newKeyText(): string {
  const bytes = platform().randomBytes(KEY_BYTES);
  return PREFIX + Buffer.concat([bytes, checkOf(bytes)]).toString("base64url");
}

function checkOf(bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(PREFIX), bytes])).subarray(0, CHECK_BYTES);
}

/** @param text may be a file of `age-keygen`, with lines that begin with `#` */
function keyMaterial(text: string, what: string): Material {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const [line, ...others] = lines.filter((one) => one !== "" && !one.startsWith("#"));
  if (line === undefined || others.length > 0) {
    throw invalid(what, `has ${line === undefined ? "no line" : `${others.length + 1} lines`} that could be one`);
  }
  redactor.know(line);
  if (AGE.test(line)) return { kind: "age", identity: line };
  if (!line.startsWith(PREFIX)) throw invalid(what, "is none");
  const bytes = Buffer.from(line.slice(PREFIX.length), "base64url");
  const key = bytes.subarray(0, KEY_BYTES);
  const isWhole = bytes.length === KEY_BYTES + CHECK_BYTES && bytes.toString("base64url") === line.slice(PREFIX.length);
  if (!isWhole || !checkOf(key).equals(bytes.subarray(KEY_BYTES))) {
    throw invalid(what, "is not whole, or has a slip in it");
  }
  return { kind: "key", bytes: key };
}

function invalid(what: string, why: string): EngineError {
  const message = `${what} ${why}. A key is what "engine secrets generate-key" prints (${PREFIX}…), or an identity of age (AGE-SECRET-KEY-1…); a passphrase goes into ENGINE_PASSWORD or { password }.`;
  return new EngineError("KEY_INVALID", message);
}
