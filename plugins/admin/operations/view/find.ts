/** Searches a state for a text: in names, kinds and displayed values. */
import { type Redact, sleep } from "../../../../core/base/index.js";
import { isList, isTagged, pointerOf, unescapeKey } from "../../../../core/codec/index.js";
import type { Encoded, ResourceRecord } from "../../../../core/contract/index.js";
import { renderWhole } from "../../../internal/render/render-value.js";
import { decodedMasked } from "../detail.js";
import { compare } from "../listed.js";
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

/**
 * Ignores case. Names come first: equal names, names that begin with the text, names that contain it, then matches in
 * scopes or kinds only. Values follow. Secrets are not searched.
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

/** Collects all matching names: the best match may be the last. */
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

/** Ranks a path from 0, the best, to 3. */
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
  readonly wanted: string;
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
  const { wanted, redact } = sought;
  let visited = 0;
  // Without a list of all members, which may be many.
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

/** Checks the recorded value before it is rendered. Returns true for a value with too many members to check quickly. */
function mayHave(encoded: Encoded, { wanted }: Sought): boolean {
  let left = MEMBERS_AT_ONCE;
  const has = (one: Encoded): boolean => {
    if (typeof one === "string") return indexInAnyCase(one, wanted) >= 0;
    if (typeof one !== "object" || one === null) return String(one).includes(wanted);
    // It is displayed in another form than it is recorded.
    if (isTagged(one)) return true;
    for (const name in one) {
      if (--left < 0 || has(Reflect.get(one, name)) || (!isList(one) && name.toLowerCase().includes(wanted)))
        return true;
    }
    return false;
  };
  return has(encoded);
}

/** Searches a value without members, or one whose members are recorded in another form. */
function* matchesInLeaf(encoded: Encoded, pathOf: () => string, { wanted, redact }: Sought): Generator<Match> {
  const text = String(renderWhole(decodedMasked(encoded), redact));
  const at = indexInAnyCase(text, wanted);
  if (at >= 0) yield { path: pathOf(), excerpt: excerptAt(text, at, wanted.length) };
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
