/** The recorded form of a secret: its value and name as text, padded, encrypted and bound to its place. */

import { EngineError, nodeCrypto, platform } from "../../core/base/index.js";
import { canonical } from "../../core/codec/index.js";
import type { Encoded, Sealer, ValueContext } from "../../core/contract/index.js";

export const TAG = "$secret";

/** The encrypted content. */
export interface Content {
  readonly value: Encoded;
  readonly name: string;
}

/** The form in the state. */
export interface Envelope {
  /** Id of the data key; empty for a secret inside another one, which protects it. */
  readonly id: string;
  readonly sealed: Encoded;
}

export type Bound = Pick<ValueContext, "owner" | "slot" | "path">;

/** Returns undefined if the value is not an envelope. */
export function envelopeIn(encoded: Encoded): Envelope | undefined {
  const body: unknown = typeof encoded === "object" && encoded !== null ? Reflect.get(encoded, TAG) : undefined;
  return body === undefined ? undefined : parseEnvelope(body);
}

export function parseEnvelope(body: unknown): Envelope | undefined {
  if (!Array.isArray(body) || body.length !== 2) return undefined;
  const [id, sealed]: readonly Encoded[] = body;
  return typeof id === "string" && sealed !== undefined ? { id, sealed } : undefined;
}

export function tagged({ id, sealed }: Envelope): Encoded {
  return { [TAG]: [id, sealed] };
}

export function lock(key: DataKey, content: Content, bound: Bound): Encoded {
  const text = Buffer.from(padded(JSON.stringify([content.value, content.name])));
  return tagged({ id: key.id, sealed: toBase64(encrypt(key.of(bound.owner), text, boundTo(key, bound))) });
}

/** Returns undefined if the ciphertext was changed, moved, or encrypted with another key. */
export function unlock(key: DataKey, { sealed }: Envelope, bound: Bound): Content | undefined {
  const bytes = fromBase64(sealed);
  const text = bytes && decrypt(key.of(bound.owner), bytes, boundTo(key, bound));
  // The tag proved that this library wrote the text.
  return text ? contentOf(JSON.parse(text.toString())) : undefined;
}

export function contentOf([value, name]: readonly [Encoded, string]): Content {
  return { value, name };
}

/** The name is for people: it does not make a different secret. */
export function isSame(one: Content, other: Content): boolean {
  return canonical(one.value) === canonical(other.value);
}

export function unreadable({ slot, path, fqn }: Bound & Pick<ValueContext, "fqn">): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `The secret at "${path}" in the ${slot} of "${fqn}" cannot be decrypted: the secret or its recorded key was altered, or the secret was copied from another place. Restore the state from its history: "engine state history" lists the copies.`,
    { fqn },
  );
}

const SMALLEST = 64;

/**
 * Pads the text with blanks, which JSON ignores, so that its length does not reveal which of a few values it is: up to
 * 64 bytes, then up to the next eighth of a power of two.
 */
function padded(text: string): string {
  const length = Buffer.byteLength(text);
  const step = Math.max(SMALLEST, 2 ** (Math.floor(Math.log2(length)) - 3));
  return text + " ".repeat(Math.ceil(length / step) * step - length);
}

function boundTo({ lineage, id }: DataKey, { owner, slot, path }: Bound): Buffer {
  return Buffer.from(JSON.stringify(["scope-engine secret", 1, lineage, id, owner, slot, path]));
}

const ALGORITHM = "aes-256-gcm";

/** AES-256-GCM and HKDF-SHA256 of node:crypto. */
export const KEY_BYTES = 32;

const NONCE_BYTES = 12;

const TAG_BYTES = 16;

/**
 * Encrypts: nonce (12 bytes), ciphertext, tag (16 bytes).
 *
 * @param bound identifies the place of the text; it cannot be decrypted for another place
 * @param nonce random; only tests pass it, because two texts with one key and nonce reveal each other
 */
export function encrypt(
  key: Uint8Array,
  text: Uint8Array,
  bound: Uint8Array,
  nonce: Uint8Array = platform().randomBytes(NONCE_BYTES),
): Buffer {
  const cipher = nodeCrypto().createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Returns undefined if the key or the place differs, or the ciphertext was changed. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, bound: Uint8Array): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const end = sealed.length - TAG_BYTES;
  const decipher = nodeCrypto().createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound);
  decipher.setAuthTag(sealed.subarray(end));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, end));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined; // The tag does not fit; final() gives no other reason.
  }
}

/** Returns the input of {@link expand}: the first half of HKDF-SHA256 (RFC 5869). */
export function extract(key: Uint8Array, salt: Uint8Array = new Uint8Array(KEY_BYTES)): Buffer {
  return nodeCrypto().createHmac("sha256", salt).update(key).digest();
}

/**
 * Derives a key for one purpose; no other key can be computed from it. The second half of HKDF-SHA256. It uses two
 * HMACs because the HKDF function of node:crypto takes four times as long.
 */
export function expand(extracted: Uint8Array, purpose: string | Uint8Array, bytes = KEY_BYTES): Buffer {
  const blocks: Buffer[] = [];
  let last: Uint8Array = new Uint8Array(0);
  for (let made = 0; made < bytes; made += last.length) {
    const count = Uint8Array.of(blocks.length + 1);
    const block = nodeCrypto().createHmac("sha256", extracted).update(last).update(purpose).update(count).digest();
    blocks.push(block);
    last = block;
  }
  return blocks.length === 1 && bytes === last.length ? Buffer.from(last) : Buffer.concat(blocks).subarray(0, bytes);
}

/** HMAC-SHA256 of a text, in hexadecimal. */
export function hmacText(key: Uint8Array, text: string): string {
  return nodeCrypto().createHmac("sha256", key).update(text).digest("hex");
}

export function sha256(bytes: Uint8Array): Buffer {
  return nodeCrypto().createHash("sha256").update(bytes).digest();
}

export function newKey(): Buffer {
  return platform().randomBytes(KEY_BYTES);
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns undefined if the text is not valid base64: Buffer would skip invalid characters. */
export function fromBase64(text: unknown): Buffer | undefined {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/** An open data key. */
export interface DataKey {
  readonly id: string;
  /** The state that it belongs to. */
  readonly lineage: string;
  /** Path of the scope whose password or key opens it. It is not used for values outside that scope. */
  readonly path: string;
  /** Returns the key for the values of one owner. */
  of(owner: string): Buffer;
  /** Proves with this key who wrote the state. */
  readonly sealer: Sealer;
}
