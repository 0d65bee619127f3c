/** Where a text stands in a state: in names, kinds and values, as people may see them. */
import { type Redact, sleep } from "../../../../core/base/index.js";
import { isList, isTagged, pointerOf, unescapeKey } from "../../../../core/codec/index.js";
import type { Encoded, ResourceRecord } from "../../../../core/contract/index.js";
import { renderWhole } from "../../../internal/render/render-value.js";
import { decodedMasked } from "../detail.js";
import { compare } from "../listed.js";
import { fqnOf, type Naming, scopesIn } from "../recorded-name.js";
import { plainMembers } from "./part.js";

/** Where a text was found. */
export interface FoundText {
  readonly what: "resource" | "scope" | "value";
  /** Of the resource or scope. */
  readonly fqn: string;
  /** Of a value, its JSON Pointer, which begins as `/props`, `/output`, `/data/key` or `/error`. */
  readonly path?: string;
  /** The text with what stands around it. */
  readonly excerpt: string;
}

/** How much is looked for. */
export interface FindOptions {
  /** So many places at most. Default: 100. */
  readonly most?: number;
}

/** Milliseconds after which others get their turn. */
const AT_ONCE = 20;

const MEMBERS_AT_ONCE = 1_000;

const AROUND = 60;

/**
 * Capital letters do not count. Names come first: those that are the text, those that begin with it, those that have it, and what
 * has it in its scopes or its kind alone. Then values; secrets are not looked into.
 */
export async function findIn(
  naming: Naming,
  text: string,
  { redact, most = 100 }: FindOptions & { readonly redact: Redact },
): Promise<readonly FoundText[]> {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  const turns = new Turns();
  const records = [...naming.contents.records.values()];
  const found = (await namesOf(naming, records, { wanted, turns })).slice(0, most);
  for (const record of records) {
    if (found.length >= most) break;
    const fqn = fqnOf(naming, record.key);
    for (const match of matchesOf(naming, record, { wanted, redact })) {
      if (match) found.push({ what: "value", fqn, ...match });
      if (found.length >= most) break;
      await turns.take();
    }
    await turns.take();
  }
  return found;
}

interface Wanted {
  readonly wanted: string;
  readonly turns: Turns;
}

/** All of them: the one that is meant may be the last. */
async function namesOf(
  naming: Naming,
  records: readonly ResourceRecord[],
  { wanted, turns }: Wanted,
): Promise<FoundText[]> {
  const named: { readonly rank: number; readonly text: FoundText }[] = [];
  for (const { key, kind } of records) {
    const excerpt = [key, kind].find((name) => name.toLowerCase().includes(wanted));
    const rank = excerpt === key ? rankOf(key, wanted) : 3;
    if (excerpt !== undefined) named.push({ rank, text: { what: "resource", fqn: fqnOf(naming, key), excerpt } });
    await turns.take();
  }
  for (const path of scopesIn(naming.contents)) {
    if (!path.toLowerCase().includes(wanted)) continue;
    named.push({ rank: rankOf(path, wanted), text: { what: "scope", fqn: fqnOf(naming, path), excerpt: path } });
  }
  named.sort((one, other) => one.rank - other.rank || compare(one.text.fqn, other.text.fqn));
  return named.map(({ text }) => text);
}

/** Of a name with its scopes: from 0, the best, to 3. */
function rankOf(path: string, wanted: string): number {
  const name = path.toLowerCase();
  if (`/${name}`.endsWith(`/${wanted}`)) return 0;
  const id = name.slice(name.lastIndexOf("/") + 1);
  if (id.startsWith(wanted)) return 1;
  return id.includes(wanted) ? 2 : 3;
}

interface Match {
  readonly path: string;
  readonly excerpt: string;
}

/** Gives others their turn once it has worked for a while. */
class Turns {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < AT_ONCE) return;
    await sleep(0);
    this.#since = performance.now();
  }
}

/** In all that is recorded of one resource. Undefined now and then: a moment at which it can be left. */
function* matchesOf({ contents }: Naming, record: ResourceRecord, sought: Sought): Generator<Match | undefined> {
  const data = [...(contents.data.get(record.uid) ?? [])];
  const slots: (readonly [string, Encoded | undefined])[] = [
    ["/props", record.props],
    ["/output", record.output],
    ["/error", record.error],
    ...data.map(([name, value]) => [pointerOf(["data", sought.redact(name)]), value] as const),
  ];
  for (const [path, encoded] of slots) {
    if (encoded !== undefined && mayHave(encoded, sought)) yield* matchesIn(encoded, () => path, sought);
  }
}

interface Sought {
  readonly wanted: string;
  readonly redact: Redact;
}

/** What may have the text: nothing is made of the members that have not. */
function* matchesIn(encoded: Encoded, pathOf: () => string, sought: Sought): Generator<Match | undefined> {
  if (isList(encoded)) yield* matchesInMembers(encoded, pathOf, { ...sought, isNamed: false });
  else {
    const members = plainMembers(encoded);
    if (members) yield* matchesInMembers(members, pathOf, { ...sought, isNamed: true });
    else yield* matchesInLeaf(encoded, pathOf, sought);
  }
}

interface SoughtIn extends Sought {
  /** Names of members are looked at, and numbers of elements are not. */
  readonly isNamed: boolean;
}

function* matchesInMembers(
  of: Readonly<Record<string, Encoded>> | readonly Encoded[],
  pathOf: () => string,
  { isNamed, ...sought }: SoughtIn,
): Generator<Match | undefined> {
  const { wanted, redact } = sought;
  let visited = 0;
  // No list of all members: they may be many.
  for (const name in of) {
    if (++visited % MEMBERS_AT_ONCE === 0) yield undefined;
    const member: Encoded = Reflect.get(of, name);
    const isHit = isNamed && name.toLowerCase().includes(wanted);
    if (!isHit && !mayHave(member, sought)) continue;
    const shown = redact(isNamed ? unescapeKey(name) : name);
    const path = (): string => `${pathOf()}${pointerOf([shown])}`;
    if (isHit && shown.toLowerCase().includes(wanted)) {
      yield { path: path(), excerpt: shown };
    }
    yield* matchesIn(member, path, sought);
  }
}

/** Before anything is made of it to be shown. True also of what has so many members that it takes long to see. */
function mayHave(encoded: Encoded, { wanted }: Sought): boolean {
  let left = MEMBERS_AT_ONCE;
  const has = (one: Encoded): boolean => {
    if (typeof one === "string") return indexInAnyCase(one, wanted) >= 0;
    if (typeof one !== "object" || one === null) return String(one).includes(wanted);
    // What it is shown as is not what is recorded.
    if (isTagged(one)) return true;
    for (const name in one) {
      if (--left < 0 || has(Reflect.get(one, name)) || (!isList(one) && name.toLowerCase().includes(wanted)))
        return true;
    }
    return false;
  };
  return has(encoded);
}

/** In what is one value, or has members that are recorded in another way. */
function* matchesInLeaf(encoded: Encoded, pathOf: () => string, { wanted, redact }: Sought): Generator<Match> {
  const text = String(renderWhole(decodedMasked(encoded), redact));
  const at = indexInAnyCase(text, wanted);
  if (at >= 0) yield { path: pathOf(), excerpt: excerptAt(text, at, wanted.length) };
}

function excerptAt(text: string, at: number, length: number): string {
  const [start, end] = [Math.max(0, at - AROUND), at + length + AROUND];
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Of a long text so much is put in small letters at once: what it holds often is found in the first of it. */
const PIECE = 65_536;

/** @param wanted in small letters. @returns -1: nowhere */
export function indexInAnyCase(text: string, wanted: string): number {
  // What lies across two pieces is whole in the second one.
  const step = Math.max(PIECE, wanted.length * 2);
  for (let from = 0; ; from += step) {
    const start = Math.max(0, from - wanted.length);
    const piece = text.slice(start, from + step);
    const at = piece.toLowerCase().indexOf(wanted);
    if (at >= 0) return start + at;
    if (from + step >= text.length) return -1;
  }
}
