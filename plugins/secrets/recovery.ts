/** Recovery files, encrypted by the password itself: when one is written, nothing can be recorded any more. */
import { EngineError } from "../../core/errors.js";
import { decrypt, encrypt, fromBase64, toBase64 } from "./cipher.js";
import { type Derivation, derivationFor, deriveKey, deriveKeySync, parseDerivation } from "./password.js";

interface Sealed {
  readonly kdf: Derivation;
  /** Base64. */
  readonly text: string;
}

/** Synchronous, for the process may be about to end. */
export function sealText(password: string, cost: number, text: string, bound: string): string {
  const kdf = derivationFor(password, cost);
  const key = deriveKeySync(password, kdf, "recovery");
  const sealed: Sealed = { kdf, text: toBase64(encrypt(key, Buffer.from(text), Buffer.from(bound))) };
  return JSON.stringify(sealed);
}

/** @throws EngineError `WRONG_PASSWORD` */
export async function unsealText(password: string, sealed: string, bound: string): Promise<string> {
  const { kdf, text }: Partial<Record<keyof Sealed, unknown>> = Object(JSON.parse(sealed));
  const key = await deriveKey(password, parseDerivation(kdf), "recovery");
  const opened = decrypt(key, fromBase64(text) ?? Buffer.alloc(0), Buffer.from(bound));
  if (opened) return opened.toString();
  throw new EngineError("WRONG_PASSWORD", "it was encrypted with another password, or altered");
}
