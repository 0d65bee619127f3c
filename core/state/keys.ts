import { nodeCrypto } from "../base/index.js";

/** Longest encoded name; a longer one keeps its beginning and gets a hash, so that no store's limit is met. */
const LONGEST = 120;
const SEQ_DIGITS = 12;

/** The keys of one stage's ledger. */
export interface LedgerKeys {
  /** What all of them begin with, and no other stage's. */
  readonly root: string;
  readonly checkpoints: string;
  readonly entries: string;
  readonly histories: string;
  entry(seq: number): string;
  checkpoint(seq: number): string;
  history(seq: number): string;
  lease(session: string): string;
}

/** Injective: two names never share a key, whatever characters they hold. */
export function encodeName(name: string): string {
  let encoded = "";
  for (const char of name) encoded += /[A-Za-z0-9._-]/.test(char) ? char : escaped(char);
  if (encoded.length <= LONGEST) return encoded;
  // "%_" is no escape, so a shortened name equals no other name's encoding.
  return `${encoded.slice(0, 60)}%_${nodeCrypto().hash("sha256", encoded, "hex").slice(0, 40)}`;
}

/** Undefined for what is no name's encoding, and for that of a long name, of which only the beginning is there. */
export function decodeName(encoded: string): string | undefined {
  try {
    const name = encoded.replaceAll(/%u([0-9A-F]{4})|(?:%[0-9A-F]{2})+/g, (escapes, unit?: string) =>
      unit === undefined ? decodeURIComponent(escapes) : String.fromCharCode(Number.parseInt(unit, 16)),
    );
    return encodeName(name) === encoded ? name : undefined;
  } catch {
    return undefined;
  }
}

function escaped(char: string): string {
  // Half of a surrogate pair has no bytes in UTF-8.
  if (/^[\ud800-\udfff]$/.test(char)) return `%u${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

export function ledgerKeys(app: string, stage: string): LedgerKeys {
  return ledgerKeysAt(`${encodeName(app)}/${encodeName(stage)}/`);
}

/** @param root what all of them begin with, as it is in a store */
export function ledgerKeysAt(root: string): LedgerKeys {
  const numbered = (room: string) => (seq: number) => `${root}${room}/${String(seq).padStart(SEQ_DIGITS, "0")}`;
  return {
    root,
    checkpoints: `${root}checkpoint/`,
    entries: `${root}journal/`,
    histories: `${root}history/`,
    entry: numbered("journal"),
    checkpoint: numbered("checkpoint"),
    history: numbered("history"),
    lease: (session) => `${root}lease/${session}`,
  };
}

/** The number at the end of an entry's, checkpoint's or history's key; undefined for a key that is not ours. */
export function seqOf(key: string): number | undefined {
  const digits = key.slice(key.lastIndexOf("/") + 1);
  return /^\d{12}$/.test(digits) ? Number(digits) : undefined;
}
