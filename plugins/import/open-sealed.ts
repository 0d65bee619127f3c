/** Decrypts AES-GCM, in which all tools seal their secrets. */
import { createDecipheriv } from "node:crypto";

/** Bytes of the tag. */
export const TAG = 16;

export interface SealedBytes {
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly tag: Uint8Array;
}

/** @param key of 16, 24 or 32 bytes @throws Error for another key, and for changed or malformed bytes */
export function openSealed(key: Uint8Array, { nonce, data, tag }: SealedBytes): string {
  const cipher = key.length === 16 ? "aes-128-gcm" : key.length === 24 ? "aes-192-gcm" : "aes-256-gcm";
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: TAG }).setAuthTag(tag);
  return Buffer.concat([decipher.update(data), decipher.final()]).toString();
}
