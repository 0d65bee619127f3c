/** Children, and children's children; what a resource needs. Pure. */

import { hasForeign, isList, isTagged, membersOf } from "../codec/index.js";
import type { Encoded, ResourceRecord } from "../contract/index.js";
import { comparePositions } from "./positions.js";

export interface Parentage {
  childrenOf(uid: string): readonly ResourceRecord[];
}

/** uids of what has to be there as long as a resource is: what it is a part of, and what it refers to. */
export function needsOf({ parent, refs }: Pick<ResourceRecord, "parent" | "refs">): readonly string[] {
  return parent === undefined ? (refs ?? NOTHING) : [parent, ...(refs ?? NOTHING)];
}

const NOTHING: readonly string[] = Object.freeze([]);

/** The records below the resources named by `uids`, old copies included, without these themselves. */
export function descendantsOf(parentage: Parentage, uids: Iterable<string>): ResourceRecord[] {
  const descendants: ResourceRecord[] = [];
  const seen = new Set<string>();
  const add = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const child of parentage.childrenOf(uid)) {
      if (!seen.has(child.uid)) descendants.push(child);
      add(child.uid);
    }
  };
  for (const uid of uids) add(uid);
  return descendants;
}

/** True for a child of one of the resources, and for the children of that. */
export function isBelow(
  records: ReadonlyMap<string, ResourceRecord>,
  { parent }: ResourceRecord,
  uids: ReadonlySet<string>,
): boolean {
  for (let at = parent; at !== undefined; at = records.get(at)?.parent) if (uids.has(at)) return true;
  return false;
}

/**
 * What is not whole any more once a resource goes: what it is a part of, up to what has let go of its part by itself, or is
 * an old copy, which nothing brings back.
 */
export function wholesOf(records: ReadonlyMap<string, ResourceRecord>, part: ResourceRecord): ResourceRecord[] {
  const wholes: ResourceRecord[] = [];
  for (let at = part; at.parent !== undefined && !at.dropped && !at.replaced; ) {
    const parent = records.get(at.parent);
    if (!parent || parent.replaced) break;
    wholes.push(parent);
    at = parent;
  }
  return wholes;
}

/**
 * The living records that the program no longer declares. Children of a resource that is declared are orphans only
 * where its handler ran without declaring them: of others nothing was said.
 */
export function findOrphans(
  records: ReadonlyMap<string, ResourceRecord>,
  isDeclared: (key: string) => boolean,
): ResourceRecord[] {
  const verdicts = new Map<string, boolean>();
  const isOrphan = (record: ResourceRecord): boolean => {
    if (isDeclared(record.key)) return false;
    const parent = record.parent === undefined ? undefined : records.get(record.parent);
    return !parent || record.dropped === true || isOrphanParent(parent);
  };
  const isOrphanParent = (parent: ResourceRecord): boolean => {
    const verdict = verdicts.get(parent.uid) ?? isOrphan(parent);
    verdicts.set(parent.uid, verdict);
    return verdict;
  };
  const orphans: ResourceRecord[] = [];
  for (const record of records.values()) if (!record.replaced && isOrphan(record)) orphans.push(record);
  return orphans;
}

// What resources were most likely made from: values that were awaited leave no reference. Seen by two things: it was
// done before the other was ready, and a value of its output stands in the props of the other. Pure.

/** How long a text is at least that counts; `given`: one that the program has given itself. */
interface Shortest {
  readonly made: number;
  readonly given: number;
}

/** Shorter texts are in many values by chance; those that the program has given itself, more often. */
const FOR_CERTAIN: Shortest = { made: 4, given: 6 };

/** Where one too many does little harm. */
const IN_DOUBT: Shortest = { made: 2, given: 2 };

/** So many words of a text are looked for together. */
const MOST_WORDS = 24;

interface Leaf {
  /** Of the member that it stands in. */
  readonly name: string;
  readonly text: string;
}

interface Source {
  readonly record: ResourceRecord;
  readonly name: string;
  /** It stands in its own props, too: then it may be a constant that both have got from the program. */
  readonly isGiven: boolean;
}

/** uids of what each was likely made from, by uid. @param records in the order in which they were made */
export function likelySources(records: readonly ResourceRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sources = new Map<string, Source>();
  const found = new Map<string, ReadonlySet<string>>();
  for (const record of records) {
    const needed = new Set<string>();
    for (const leaf of leavesOf(record.props)) {
      for (const text of partsOf(leaf.text)) {
        const source = sources.get(text);
        if (source && isSeen(source, record, leaf, text)) needed.add(source.record.uid);
      }
    }
    found.set(record.uid, needed);
    note(record, sources);
  }
  return found;
}

/**
 * Gives uids of all that one was likely made from, also of those that only passed a value on. What is encrypted in both may be the same
 * value, for all that can be seen.
 */
export function sourcesAmong(others: readonly ResourceRecord[]): (record: ResourceRecord) => readonly string[] {
  const sources = new Map<string, Source[]>();
  for (const [text, source] of others.flatMap((other) => sourcesIn(other, IN_DOUBT))) {
    const known = sources.get(text);
    if (known) known.push(source);
    else sources.set(text, [source]);
  }
  const hidden = others.filter(({ output }) => output !== undefined && hasForeign(output));
  return (record) => {
    const seen = leavesOf(record.props).flatMap((leaf) =>
      [...partsOf(leaf.text)].flatMap((text) =>
        (sources.get(text) ?? []).filter((source) => isSeen(source, record, leaf, text)),
      ),
    );
    const alike = hasForeign(record.props) ? hidden.filter((other) => isBefore(other, record)) : [];
    return [...new Set([...seen.map(({ record: { uid } }) => uid), ...alike.map(({ uid }) => uid)])];
  };
}

/** The first that has a value is where it comes from: others have got it from there. */
function note(record: ResourceRecord, sources: Map<string, Source>): void {
  for (const [text, source] of sourcesIn(record, FOR_CERTAIN)) if (!sources.has(text)) sources.set(text, source);
}

function sourcesIn(record: ResourceRecord, shortest: Shortest): readonly (readonly [text: string, source: Source])[] {
  const given = new Set(leavesOf(record.props).map(({ text }) => coreOf(text)));
  return leavesOf(record.output ?? null).flatMap(({ name, text }) => {
    const core = coreOf(text);
    const isGiven = given.has(core);
    return core.length < (isGiven ? shortest.given : shortest.made) ? [] : [[core, { record, name, isGiven }] as const];
  });
}

/** Done before, not itself or what it is a part of, and no constant that both have in the same prop. */
function isSeen(source: Source, record: ResourceRecord, leaf: Leaf, part: string): boolean {
  if (!isBefore(source.record, record)) return false;
  return !(source.isGiven && source.name === leaf.name && coreOf(leaf.text) === part);
}

function isBefore({ done, key: other }: ResourceRecord, { ready, key }: ResourceRecord): boolean {
  return done !== undefined && comparePositions(done, ready) <= 0 && key !== other && !key.startsWith(`${other}/`);
}

/** Texts and numbers that are in the clear. */
function leavesOf(value: Encoded, name = ""): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ name, text: String(value) }];
  if (isList(value)) return value.flatMap((element) => leavesOf(element, name));
  const members = isTagged(value) ? undefined : membersOf(value);
  return Object.entries(members ?? {}).flatMap(([key, member]) => leavesOf(member, key));
}

/** From the first word to the last one. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** A text, and all parts of it that begin and end with a whole word. */
function partsOf(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  const parts = new Set([coreOf(text)]);
  for (const [at, { from }] of words.entries()) {
    for (const { to } of words.slice(at, at + MOST_WORDS)) parts.add(text.slice(from, to));
  }
  return parts;
}

/** Each resource, then its children; each record once. */
export function withDescendants(contents: Parentage, ...records: readonly ResourceRecord[]): readonly ResourceRecord[] {
  return [...new Set(records.flatMap((one) => [one, ...descendantsOf(contents, [one.uid])]))];
}
