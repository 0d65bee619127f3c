import { EngineError, nodeCrypto } from "../base/index.js";
import type { StateKey, StateStore } from "../contract/index.js";
import { SEALED_FORMAT } from "./journal/entry.js";

/** Longest encoded name. A longer one keeps its beginning and gets a hash, so that it fits the limit of every store. */
const LONGEST = 120;

const SEQ_DIGITS = 12;

/** The keys of one stage's ledger. */
export interface LedgerKeys {
  /** Prefix of all keys of this stage, and of no other stage. */
  readonly root: string;
  readonly checkpoints: string;
  readonly entries: string;
  readonly histories: string;
  entry(seq: number): string;
  checkpoint(seq: number): string;
  history(seq: number): string;
  lease(session: string): string;
}

/** Encodes injectively: two names never share a key, whatever characters they hold. */
export function encodeName(name: string): string {
  let encoded = "";
  for (const char of name) encoded += /[A-Za-z0-9._-]/.test(char) ? char : escaped(char);
  if (encoded.length <= LONGEST) return encoded;
  // "%_" is not an escape, so a shortened name never equals the encoding of another name.
  return `${encoded.slice(0, 60)}%_${nodeCrypto().hash("sha256", encoded, "hex").slice(0, 40)}`;
}

/** Returns undefined for a text that no name encodes to, and for a shortened long name. */
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

/** @param root prefix of all keys, as it is in a store */
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

/** Returns the number at the end of the key of an entry, checkpoint or history; undefined for any other key. */
export function seqOf(key: string): number | undefined {
  const digits = key.slice(key.lastIndexOf("/") + 1);
  return /^\d{12}$/.test(digits) ? Number(digits) : undefined;
}

/** Location of a stage's ledger. */
export interface LedgerLocation {
  readonly store: StateStore;
  readonly keys: LedgerKeys;
  readonly app: string;
  readonly stage: string;
  /** Number of checkpoints to keep. Each one before the newest helps only a load that runs at the same time. */
  readonly keep: number;
  /** Verifies the loaded state. Without it, the state is taken as it is, and a sealed one can only be inspected. */
  readonly seal?: StateKey;
  /** True for an inspection: this machine remembers the loaded state only if it fits what it remembers already. */
  readonly looks?: true;
  /** True for the command that finishes a move between two stages: it also loads a stage with the mark of a move. */
  readonly finishesMove?: true;
  /** Reports what cannot be verified. */
  warn?(code: string, message: string): void;
}

const RESTORE =
  'Restore the file or object from a backup, or from an older version that the store keeps. "engine state verify" lists what is damaged and what to do.';

export function corrupt(key: string, why: string, advice = RESTORE, cause?: unknown): EngineError {
  const message = `The state is damaged at "${key}": ${why}. Nothing was changed. ${advice}`;
  return new EngineError("STATE_CORRUPT", message, { cause });
}

export function tooNew(key: string, format: number, version: string): EngineError {
  return new EngineError(
    "STATE_FORMAT",
    `"${key}" has state format ${format} and was written by scope-engine ${version}. This version reads formats up to ${SEALED_FORMAT}. Nothing was changed. Update scope-engine.`,
  );
}
