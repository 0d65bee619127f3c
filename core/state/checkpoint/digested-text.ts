/** JSON objects as text, with a digest in front and, where the stage has a key, a MAC behind. */
import { nodeCrypto } from "../../base/index.js";
import { type ResourceRecord, shaped } from "../../contract/index.js";
import type { Contents } from "../change.js";

/** What every line and every checkpoint begins with. */
export const LINE_START = '{"digest":"';

const MEMBERS_AT = LINE_START.length + 64 + 2;

const MAC_START = ',"mac":"';

const MAC_END = '"}';

const MAC_LENGTH = MAC_START.length + 64 + MAC_END.length;

/** The MAC of a text, 64 hexadecimal digits. @param covered SHA-256 of all members that stand before it, in hexadecimal */
export type MakeMac = (covered: string) => string;

/** A MAC as it was read, of which nobody has said yet whether it is right. */
export interface TextSeal {
  readonly mac: string;
  /** As {@link MakeMac} has it. */
  readonly covered: string;
}

export interface DigestedText {
  readonly text: string;
  /** Of everything that follows it in the object, in hexadecimal. */
  readonly digest: string;
}

/** From so many characters on, Node takes several times as long for a text, in three times its size of memory, as for bytes that are made first. */
const LARGE = 2_000_000;

/** What is hashed of a text: its UTF-8. */
function hashed(text: string): string | Buffer {
  return text.length < LARGE ? text : Buffer.from(text);
}

/** Puts a digest in front of the members of a JSON object's text, and a MAC behind them. */
export function digested(json: string, mac?: MakeMac): DigestedText {
  const members = json.slice(1);
  const body = mac ? withMac(members.slice(0, -1), mac) : members;
  const digest = nodeCrypto().hash("sha256", hashed(body), "hex");
  return { text: `${LINE_START}${digest}",${body}`, digest };
}

function withMac(members: string, mac: MakeMac): string {
  return `${members}${MAC_START}${mac(nodeCrypto().hash("sha256", hashed(members), "hex"))}${MAC_END}`;
}

/** As {@link digested} of the text that the pieces and a closing brace are together, without making that twice. */
export function digestedPieces(pieces: readonly string[], mac?: MakeMac): string {
  const [first = "", ...others] = pieces;
  const members = [first.slice(1), ...others];
  const covering = nodeCrypto().createHash("sha256");
  for (const piece of members) covering.update(hashed(piece));
  const end = mac ? `${MAC_START}${mac(covering.copy().digest("hex"))}${MAC_END}` : "}";
  return [`${LINE_START}${covering.update(end).digest("hex")}",`, ...members, end].join("");
}

/** True where the text up to there is one object, whose digest fits. */
export function isWholeUpTo(text: string, end: number): boolean {
  return readDigested(text.slice(0, end)) !== undefined;
}

/** Undefined where any byte is not what was written, as far as a digest can tell. */
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

/** SHA-256 of all that is recorded, in hexadecimal; the order in which it is kept does not count. */
export function digestOfContents({ records, data }: Contents): string {
  const hash = nodeCrypto().createHash("sha256");
  for (const [, record] of sorted(records)) hash.update(`${textOf(record)}\n`);
  for (const [owner, values] of sorted(data)) hash.update(`${exactText([owner, sorted(values)])}\n`);
  return hash.digest("hex");
}

/** SHA-256 of one record, in hexadecimal. */
export function digestOfRecord(record: ResourceRecord): string {
  return nodeCrypto().createHash("sha256").update(textOf(record)).digest("hex");
}

function textOf(record: ResourceRecord): string {
  return exactText(shaped(record));
}

/** As JSON; a number that JSON has no form for, such as `1e999` becomes, is none that was recorded: nothing recorded has this text. */
function exactText(value: object): string {
  const text = JSON.stringify(value);
  return isExact(value) ? text : `inexact ${text}`;
}

function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return true;
  for (const name in value) if (!isExact(Reflect.get(value, name))) return false;
  return true;
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
