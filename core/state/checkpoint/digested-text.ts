/** JSON objects as text, with a digest in front and, if the stage has a key, a MAC at the end. */
import { nodeCrypto } from "../../base/index.js";
import { type ResourceRecord, shaped } from "../../contract/index.js";
import type { Contents } from "../change.js";

/** Start of every line and every checkpoint. */
export const LINE_START = '{"digest":"';

const MEMBERS_AT = LINE_START.length + 64 + 2;

const MAC_START = ',"mac":"';

const MAC_END = '"}';

const MAC_LENGTH = MAC_START.length + 64 + MAC_END.length;

/**
 * Computes the MAC of a text, 64 hexadecimal digits.
 *
 * @param covered SHA-256 of all members before it, in hexadecimal
 */
export type MakeMac = (covered: string) => string;

/** A MAC as it was read, not yet verified. */
export interface TextSeal {
  readonly mac: string;
  /** See {@link MakeMac}. */
  readonly covered: string;
}

export interface DigestedText {
  readonly text: string;
  /** Digest of everything after it in the object, in hexadecimal. */
  readonly digest: string;
}

/**
 * From this length on, Node hashes a text several times slower than bytes that are encoded first, and takes three times
 * its size in memory.
 */
const LARGE = 2_000_000;

/** Returns the input of the hash: the text in UTF-8. */
function hashed(text: string): string | Buffer {
  return text.length < LARGE ? text : Buffer.from(text);
}

/** Adds a digest before the members of a JSON object's text, and a MAC after them. */
export function digested(json: string, mac?: MakeMac): DigestedText {
  const members = json.slice(1);
  const body = mac ? withMac(members.slice(0, -1), mac) : members;
  const digest = nodeCrypto().hash("sha256", hashed(body), "hex");
  return { text: `${LINE_START}${digest}",${body}`, digest };
}

function withMac(members: string, mac: MakeMac): string {
  return `${members}${MAC_START}${mac(nodeCrypto().hash("sha256", hashed(members), "hex"))}${MAC_END}`;
}

/**
 * Does the same as {@link digested} for the concatenation of the pieces and a closing brace, without building it twice.
 *
 * @param after follows the object
 */
export function digestedPieces(pieces: readonly string[], mac: MakeMac | undefined, after: string): string {
  const [first = "", ...others] = pieces;
  const members = [first.slice(1), ...others];
  const covering = nodeCrypto().createHash("sha256");
  for (const piece of members) covering.update(hashed(piece));
  const end = mac ? `${MAC_START}${mac(covering.copy().digest("hex"))}${MAC_END}` : "}";
  return [`${LINE_START}${covering.update(end).digest("hex")}",`, ...members, end, after].join("");
}

/** True if the text up to `end` is one object with a matching digest. */
export function isWholeUpTo(text: string, end: number): boolean {
  return readDigested(text.slice(0, end)) !== undefined;
}

/** Returns undefined if any byte differs from the written text, as far as a digest can detect. */
export function readDigested(
  text: string,
): { readonly digest: string; readonly seal: TextSeal | undefined } | undefined {
  if (!text.startsWith(LINE_START) || text.slice(MEMBERS_AT - 2, MEMBERS_AT) !== '",') return undefined;
  const digest = text.slice(LINE_START.length, MEMBERS_AT - 2);
  const end = text.length - MAC_LENGTH;
  if (end < MEMBERS_AT || !text.startsWith(MAC_START, end)) {
    return nodeCrypto().hash("sha256", hashed(text.slice(MEMBERS_AT)), "hex") === digest
      ? { digest, seal: undefined }
      : undefined;
  }
  const covering = nodeCrypto()
    .createHash("sha256")
    .update(hashed(text.slice(MEMBERS_AT, end)));
  const covered = covering.copy().digest("hex");
  if (covering.update(text.slice(end)).digest("hex") !== digest) return undefined;
  return { digest, seal: { mac: text.slice(end + MAC_START.length, -MAC_END.length), covered } };
}

/** Characters that are digested at once: a call for each record would take longer than the digest. */
const PIECE = 65_536;

/** Returns the SHA-256 of all contents, in hexadecimal, independent of their order. */
export function digestOfContents({ records, data }: Contents): string {
  const hash = nodeCrypto().createHash("sha256");
  let text = "";
  for (const [, record] of sorted(records)) {
    text += `${textOf(record)}\n`;
    if (text.length < PIECE) continue;
    hash.update(text);
    text = "";
  }
  hash.update(text);
  for (const [owner, values] of sorted(data)) hash.update(`${exactText([owner, sorted(values)])}\n`);
  return hash.digest("hex");
}

/** Returns the SHA-256 of one record, in hexadecimal. */
export function digestOfRecord(record: ResourceRecord): string {
  return nodeCrypto().createHash("sha256").update(textOf(record)).digest("hex");
}

function textOf(record: ResourceRecord): string {
  return exactText(shaped(record));
}

/**
 * Serializes as JSON. A number without a JSON form, such as the result of `1e999`, was never recorded, so it gets a
 * text that nothing recorded has.
 */
function exactText(value: object): string {
  const text = JSON.stringify(value);
  return isExact(value) ? text : `inexact ${text}`;
}

function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact);
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  // Without a function to compare, which takes several times as long.
  return [...map.keys()].sort().flatMap((key) => {
    const value = map.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
}
