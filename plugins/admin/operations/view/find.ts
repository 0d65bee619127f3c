/** Searches a state for a text: in names, kinds and displayed values. */
import { type Redact, sleep } from "../../../../core/base/index.js";
import { isList, isTagged, pointerOf, unescapeKey } from "../../../../core/codec/index.js";
import type { Encoded, ResourceRecord } from "../../../../core/contract/index.js";
import { renderWhole } from "../../../internal/render/render-value.js";
import { compare } from "../../../internal/text/name-order.js";
import { decodedMasked } from "../detail.js";
import { fqnOf, type Naming, scopesIn } from "../recorded-name.js";
import { plainMembers } from "./part.js";

/** A place where the text was found. */
export interface FoundText {
  readonly what: "resource" | "scope" | "value";
  /** FQN of the resource or scope. */
  readonly fqn: string;
  /** JSON Pointer of a value, which begins with `/props`, `/output`, `/data/key` or `/error`. */
  readonly path?: string;
  /** The text with its surroundings. */
  readonly excerpt: string;
}

/** Options of {@link StageView.find}. */
export interface FindOptions {
  /** Maximum number of places. Default: 100. */
  readonly most?: number;
}

/** Milliseconds of work before other tasks get a turn. */
const AT_ONCE = 20;

const MEMBERS_AT_ONCE = 1_000;

const AROUND = 60;

/** Returns the words of a text in lower case; empty if it has none. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== "");
}

/**
 * Ignores case. All words must be found, in any order: in the name and kind of a resource, in its name and one of its
 * values, or in one value. Names come first: equal names, names that begin with a word, names that contain it, then
 * matches in scopes or kinds only. Values follow. Secrets are not searched.
 */
export async function findIn(
  naming: Naming,
  text: string,
  { redact, most = 100 }: FindOptions & { readonly redact: Redact },
): Promise<readonly FoundText[]> {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const turns = new Turns();
  const records = [...naming.contents.records.values()];
  const found = (await namesOf(naming, records, { words, turns })).slice(0, most);
  for (const record of records) {
    if (found.length >= most) break;
    const fqn = fqnOf(naming, record.key);
    const inValue = lacking(words, `${record.key} ${record.kind}`);
    // A word that is in the name may be in the value, too: one word is searched in both.
    const sought = inValue.length > 0 ? inValue : words.length === 1 ? words : [];
    for (const match of sought.length > 0 ? matchesOf(naming, record, { words: sought, redact }) : []) {
      if (match) found.push({ what: "value", fqn, ...match });
      if (found.length >= most) break;
      await turns.take();
    }
    await turns.take();
  }
  return found;
}

/** Returns the words that the text does not contain. */
function lacking(words: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase();
  return words.filter((word) => !lower.includes(word));
}

interface Wanted {
  readonly words: readonly string[];
  readonly turns: Turns;
}

/** Collects all matching names: the best match may be the last. */
async function namesOf(
  naming: Naming,
  records: readonly ResourceRecord[],
  { words, turns }: Wanted,
): Promise<FoundText[]> {
  const named: { readonly rank: number; readonly text: FoundText }[] = [];
  for (const { key, kind } of records) {
    const isFound = lacking(words, `${key} ${kind}`).length === 0;
    const excerpt = lacking(words, kind).length === 0 && lacking(words, key).length > 0 ? kind : key;
    const rank = nameRank(key, words);
    if (isFound) named.push({ rank, text: { what: "resource", fqn: fqnOf(naming, key), excerpt } });
    await turns.take();
  }
  for (const path of scopesIn(naming.contents)) {
    if (lacking(words, path).length > 0) continue;
    named.push({ rank: nameRank(path, words), text: { what: "scope", fqn: fqnOf(naming, path), excerpt: path } });
  }
  named.sort((one, other) => one.rank - other.rank || compare(one.text.fqn, other.text.fqn));
  return named.map(({ text }) => text);
}

/** Ranks a path from 0, the best, to 3, by the word that fits it best. */
function nameRank(path: string, words: readonly string[]): number {
  const name = path.toLowerCase();
  const id = name.slice(name.lastIndexOf("/") + 1);
  const ranks = words.map((word) => {
    if (`/${name}`.endsWith(`/${word}`)) return 0;
    return id.startsWith(word) ? 1 : id.includes(word) ? 2 : 3;
  });
  return Math.min(...ranks);
}

interface Match {
  readonly path: string;
  readonly excerpt: string;
}

/** Lets other tasks run after {@link AT_ONCE} milliseconds of work. */
class Turns {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < AT_ONCE) return;
    await sleep(0);
    this.#since = performance.now();
  }
}

/**
 * Yields the matches in everything that is recorded about one resource. Yields undefined now and then, as a point to
 * pause.
 */
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
  /** All of them must be found. */
  readonly words: readonly string[];
  readonly redact: Redact;
}

/** Descends only into members that may contain the text; builds nothing for the others. */
function* matchesIn(encoded: Encoded, pathOf: () => string, sought: Sought): Generator<Match | undefined> {
  if (isList(encoded)) yield* matchesInMembers(encoded, pathOf, { ...sought, isNamed: false });
  else {
    const members = plainMembers(encoded);
    if (members) yield* matchesInMembers(members, pathOf, { ...sought, isNamed: true });
    else yield* matchesInLeaf(encoded, pathOf, sought);
  }
}

interface SoughtIn extends Sought {
  /** True for objects, whose member names are searched; false for lists. */
  readonly isNamed: boolean;
}

function* matchesInMembers(
  of: Readonly<Record<string, Encoded>> | readonly Encoded[],
  pathOf: () => string,
  { isNamed, ...sought }: SoughtIn,
): Generator<Match | undefined> {
  const { words, redact } = sought;
  let visited = 0;
  // Without a list of all members, which may be many.
  for (const name in of) {
    if (++visited % MEMBERS_AT_ONCE === 0) yield undefined;
    const member: Encoded = Reflect.get(of, name);
    const shown = redact(isNamed ? unescapeKey(name) : name);
    // Words in the name of the member need not be in its value.
    const inside = isNamed ? lacking(words, shown) : words;
    if (inside.length > 0 && !mayHave(member, { words: inside })) continue;
    const path = (): string => `${pathOf()}${pointerOf([shown])}`;
    if (inside.length === 0) yield { path: path(), excerpt: shown };
    yield* matchesIn(member, path, { ...sought, words: inside.length > 0 ? inside : words });
  }
}

/** Checks the recorded value before it is rendered. Returns true for a value with too many members to check quickly. */
function mayHave(encoded: Encoded, { words }: Pick<Sought, "words">): boolean {
  return words.every((word) => mayHaveWord(encoded, word));
}

function mayHaveWord(encoded: Encoded, word: string): boolean {
  let left = MEMBERS_AT_ONCE;
  const has = (one: Encoded): boolean => {
    if (typeof one === "string") return indexInAnyCase(one, word) >= 0;
    if (typeof one !== "object" || one === null) return String(one).includes(word);
    // It is displayed in another form than it is recorded.
    if (isTagged(one)) return true;
    for (const name in one) {
      if (--left < 0 || has(Reflect.get(one, name)) || (!isList(one) && name.toLowerCase().includes(word))) return true;
    }
    return false;
  };
  return has(encoded);
}

/** Searches a value without members, or one whose members are recorded in another form. */
function* matchesInLeaf(encoded: Encoded, pathOf: () => string, { words, redact }: Sought): Generator<Match> {
  const text = String(renderWhole(decodedMasked(encoded), redact));
  const places = words.map((word) => indexInAnyCase(text, word));
  const [at = -1] = places;
  if (places.every((place) => place >= 0))
    yield { path: pathOf(), excerpt: excerptAt(text, at, words[0]?.length ?? 0) };
}

function excerptAt(text: string, at: number, length: number): string {
  const [start, end] = [Math.max(0, at - AROUND), at + length + AROUND];
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Long texts are lowercased in pieces of this size: a frequent match is found in the first piece. */
const PIECE = 65_536;

/** @param wanted in lower case. @returns -1 if it is not found */
export function indexInAnyCase(text: string, wanted: string): number {
  // Pieces overlap: a match across two pieces is complete in the second one.
  const step = Math.max(PIECE, wanted.length * 2);
  for (let from = 0; ; from += step) {
    const start = Math.max(0, from - wanted.length);
    const piece = text.slice(start, from + step);
    const at = piece.toLowerCase().indexOf(wanted);
    if (at >= 0) return start + at;
    if (from + step >= text.length) return -1;
  }
}
