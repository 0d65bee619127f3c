/** Recovery files, encrypted by the password or key itself: when one is written, nothing can be recorded any more. */
import { EngineError } from "../../core/base/index.js";
import { decrypt, encrypt, fromBase64, toBase64 } from "./cipher.js";
import { type Derivation, derivedNow, deriveKey, parseDerivation } from "./derivation.js";
import type { Opener } from "./opener.js";

interface Sealed {
  readonly kdf: Derivation;
  /** Base64. */
  readonly text: string;
}

/** Synchronous, for the process may be about to end. */
export function sealText(opener: Opener, cost: number, text: string, bound: string): string {
  const { derivation, key } = derivedNow(opener, cost, "recovery");
  const sealed: Sealed = { kdf: derivation, text: toBase64(encrypt(key, Buffer.from(text), Buffer.from(bound))) };
  return JSON.stringify(sealed);
}

/** @throws EngineError `WRONG_PASSWORD` */
export async function unsealText(opener: Opener, sealed: string, bound: string): Promise<string> {
  const { kdf, text }: Partial<Record<keyof Sealed, unknown>> = Object(JSON.parse(sealed));
  const key = await deriveKey(opener, parseDerivation(kdf), "recovery");
  const opened = key && decrypt(key, fromBase64(text) ?? Buffer.alloc(0), Buffer.from(bound));
  if (opened) return opened.toString();
  throw new EngineError("WRONG_PASSWORD", "it was encrypted with another password or key, or altered");
}
