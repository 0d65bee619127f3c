/** Decrypts states of OpenTofu: AES-GCM with a key from a passphrase by PBKDF2. */
import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import type { ReadSettings } from "../contract.js";
import { refused } from "../failure.js";
import type { Members } from "../members.js";
import { openSealed, TAG } from "../open-sealed.js";

const SIZES: readonly unknown[] = [16, 24, 32];
const HASHES: readonly unknown[] = ["sha256", "sha512"];
/** OpenTofu's default is 600,000. A hostile file must not keep the process busy. */
const MOST_ITERATIONS = 20_000_000;
const NONCE = 12;
const DECRYPT = "Let OpenTofu decrypt it: tofu state pull | engine import -";

export function isEncrypted(state: Members): boolean {
  return typeof state.encryption_version === "string";
}

/** @throws EngineError `IMPORT_REFUSED` */
export async function decrypted(state: Members, { place, passphrase }: ReadSettings): Promise<string> {
  if (state.encryption_version !== "v0")
    throw refused(
      place,
      `is encrypted in the format ${JSON.stringify(state.encryption_version)}, but the engine reads v0.`,
    );
  const meta = Object.entries(membersOf(state.meta));
  // Their names say nothing, because `encrypted_metadata_alias` replaces them.
  const keys = meta.map(([, one]) => derivation(one)).filter((one) => one !== undefined);
  const data = bytesIn(state.encrypted_data);
  if (keys.length === 0 || data === undefined || data.length <= NONCE + TAG) {
    const names = meta.map(([name]) => JSON.stringify(name)).join(", ");
    const from = names === "" ? "" : ` but from ${names}`;
    throw refused(
      place,
      `is encrypted with a key that does not come from a passphrase (pbkdf2)${from}, or is damaged. ${DECRYPT}`,
    );
  }
  if (passphrase === undefined)
    throw refused(place, "is encrypted. Set ENGINE_IMPORT_PASSPHRASE to the passphrase of its key provider.");
  for (const { salt, iterations, size, hash } of keys) {
    const key = await promisify(pbkdf2)(passphrase, salt, iterations, size, hash);
    const text = opened(key, data);
    if (text !== undefined) return text;
  }
  throw refused(
    place,
    `cannot be decrypted with the passphrase in ENGINE_IMPORT_PASSPHRASE. If this passphrase is right, OpenTofu needs more than it, such as another key (chain) or a program (external). ${DECRYPT}`,
  );
}

interface Derivation {
  readonly salt: Buffer;
  readonly iterations: number;
  readonly size: number;
  readonly hash: string;
}

/** @param meta an object, or its JSON in base64 */
function derivation(meta: unknown): Derivation | undefined {
  const { salt, iterations, key_length: size, hash_function: hash } = membersOf(meta);
  const bytes = bytesIn(salt);
  const isFit = Number.isInteger(iterations) && Number(iterations) > 0 && Number(iterations) <= MOST_ITERATIONS;
  if (bytes === undefined || !isFit || !SIZES.includes(size) || !HASHES.includes(hash)) return undefined;
  return { salt: bytes, iterations: Number(iterations), size: Number(size), hash: String(hash) };
}

function opened(key: Buffer, data: Buffer): string | undefined {
  try {
    return openSealed(key, {
      nonce: data.subarray(0, NONCE),
      data: data.subarray(NONCE, -TAG),
      tag: data.subarray(-TAG),
    });
  } catch {
    return undefined; // Another passphrase, or a changed byte.
  }
}

function membersOf(value: unknown): Members {
  if (typeof value === "object" && value !== null) return { ...value };
  const text = bytesIn(value)?.toString();
  try {
    const inner: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof inner === "object" && inner !== null ? { ...inner } : {};
  } catch {
    return {};
  }
}

function bytesIn(value: unknown): Buffer | undefined {
  return typeof value === "string" && value !== "" ? Buffer.from(value, "base64") : undefined;
}
