/** AES-256-GCM and HKDF-SHA256 of node:crypto, as the state uses them. */
import { nodeCrypto, platform } from "../../core/base/index.js";

const ALGORITHM = "aes-256-gcm";
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts: nonce (12 bytes), ciphertext, tag (16 bytes).
 *
 * @param bound what the text belongs to; it opens for nothing else
 * @param nonce random; given in tests alone, for two texts under one key and nonce betray each other
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

/** Undefined: another key, another place, or not what was encrypted. */
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
    return undefined; // The tag does not fit: all that final() says.
  }
}

/** What {@link expand} makes keys of: the first half of HKDF-SHA256 (RFC 5869). */
export function extract(key: Uint8Array, salt: Uint8Array = new Uint8Array(KEY_BYTES)): Buffer {
  return nodeCrypto().createHmac("sha256", salt).update(key).digest();
}

/**
 * A key for one purpose, from which no other can be told: the second half of HKDF-SHA256. Of two HMACs, for the call of
 * node:crypto that does all of it takes four times as long.
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

/** Undefined where the text is not the base64 of anything: Buffer would skip what it cannot read. */
export function fromBase64(text: unknown): Buffer | undefined {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
