import { EngineError, nodeCrypto } from "../base/index.js";
import type { StateKey, StateStore } from "../contract/index.js";
import { SEALED_FORMAT } from "./journal/entry.js";

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

/** Where the ledger of a stage is. */
export interface LedgerLocation {
  readonly store: StateStore;
  readonly keys: LedgerKeys;
  readonly app: string;
  readonly stage: string;
  /** Checkpoints to keep: this many newer ones prove that a load was overtaken. */
  readonly keep: number;
  /** Proves what is loaded. Without one it is taken as it is, and what is sealed can only be looked at. */
  readonly seal?: StateKey;
  /** Nothing follows from what is loaded: this machine is to remember it only if it fits what it remembers. */
  readonly looks?: true;
  /** Tells what cannot be proven. */
  warn?(code: string, message: string): void;
}

const RESTORE =
  "Restore the file or object from a backup or its history; engine state verify names what is damaged, and what to do.";

export function corrupt(key: string, why: string, advice = RESTORE, cause?: unknown): EngineError {
  const message = `The state is damaged at "${key}": ${why}. Nothing was changed. ${advice}`;
  return new EngineError("STATE_CORRUPT", message, { cause });
}

export function tooNew(key: string, format: number, version: string): EngineError {
  return new EngineError(
    "STATE_FORMAT",
    `"${key}" has format ${format}, written by scope-engine ${version}; this version reads up to ${SEALED_FORMAT}. Nothing was changed. Update scope-engine.`,
  );
}
