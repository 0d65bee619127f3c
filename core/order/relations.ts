/** Relations between records: descendants, dependencies, orphans. Pure. */

import { unicodePattern } from "../base/index.js";
import { hasForeign, isList, isTagged, membersOf } from "../codec/index.js";
import type { Encoded, ResourceRecord } from "../contract/index.js";
import { comparePositions } from "./positions.js";

export interface Parentage {
  childrenOf(uid: string): readonly ResourceRecord[];
}

/** Returns the uids that a resource needs as long as it exists: its parent and the resources that it refers to. */
export function needsOf({ parent, refs }: Pick<ResourceRecord, "parent" | "refs">): readonly string[] {
  return parent === undefined ? (refs ?? NOTHING) : [parent, ...(refs ?? NOTHING)];
}

const NOTHING: readonly string[] = Object.freeze([]);

/** Returns the records below the resources named by `uids`, old copies included, without these resources. */
export function descendantsOf(parentage: Parentage, uids: Iterable<string>): ResourceRecord[] {
  const descendants: ResourceRecord[] = [];
  const seen = new Set<string>();
  const visit = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const child of parentage.childrenOf(uid)) {
      if (!seen.has(child.uid)) descendants.push(child);
      visit(child.uid);
    }
  };
  for (const uid of uids) visit(uid);
  return descendants;
}

/** True for descendants of one of the resources. */
export function isBelow(
  records: ReadonlyMap<string, ResourceRecord>,
  { parent }: ResourceRecord,
  uids: ReadonlySet<string>,
): boolean {
  for (let at = parent; at !== undefined; at = records.get(at)?.parent) if (uids.has(at)) return true;
  return false;
}

/**
 * Returns the resources that are incomplete once a child is deleted: its ancestors, up to one that dropped its child
 * itself, or is an old copy, which nothing restores.
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
 * Returns the living records that the program no longer declares. A child of a declared resource is an orphan only if
 * the parent's handler ran without declaring it.
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

// Infers dependencies that left no reference, because a value was awaited: B depends on A if A was done before B was
// ready, and B's props contain a value of A's output. Pure.

/** Minimum lengths of a text that counts; `given`: a text that also occurs in the source's own props. */
interface Shortest {
  readonly made: number;
  readonly given: number;
}

/** Shorter texts are in many values by chance; texts that the program itself passed, more often. */
const FOR_CERTAIN: Shortest = { made: 4, given: 6 };

/** Minimum lengths if one dependency too many does little harm. */
const IN_DOUBT: Shortest = { made: 2, given: 2 };

/** Maximum number of words of a text that are looked up together. */
const MOST_WORDS = 24;

interface Leaf {
  /** Name of the member that contains it. */
  readonly name: string;
  readonly text: string;
}

interface Source {
  readonly record: ResourceRecord;
  readonly name: string;
  /** True if the value is also in the source's own props: it may be a constant that the program passed to both. */
  readonly isGiven: boolean;
}

/**
 * Returns, by uid, the uids of the resources that each was likely made from.
 *
 * @param records in the order in which they were made
 */
export function inferredDependencies(records: readonly ResourceRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sources = new Map<string, Source>();
  const found = new Map<string, ReadonlySet<string>>();
  for (const record of records) {
    const needed = new Set<string>();
    for (const leaf of leavesOf(record.props)) {
      for (const text of partsOf(leaf.text)) {
        const source = sources.get(text);
        if (source && isInferred(source, record, leaf, text)) needed.add(source.record.uid);
      }
    }
    found.set(record.uid, needed);
    noteSources(record, sources);
  }
  return found;
}

/**
 * Returns a function that lists the uids of all resources that one was likely made from, including those that only
 * passed a value on. Values that are encrypted in both count, because they may be equal.
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
        (sources.get(text) ?? []).filter((source) => isInferred(source, record, leaf, text)),
      ),
    );
    const alike = hasForeign(record.props) ? hidden.filter((other) => isBefore(other, record)) : [];
    return [...new Set([...seen.map(({ record: { uid } }) => uid), ...alike.map(({ uid }) => uid)])];
  };
}

/** Notes the first source of each value: later ones have got it from there. */
function noteSources(record: ResourceRecord, sources: Map<string, Source>): void {
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

/**
 * True if the source was done before, is neither the record nor its ancestor, and does not share a constant in the same
 * prop.
 */
function isInferred(source: Source, record: ResourceRecord, leaf: Leaf, part: string): boolean {
  if (!isBefore(source.record, record)) return false;
  return !(source.isGiven && source.name === leaf.name && coreOf(leaf.text) === part);
}

function isBefore({ done, key: other }: ResourceRecord, { ready, key }: ResourceRecord): boolean {
  return done !== undefined && comparePositions(done, ready) <= 0 && key !== other && !key.startsWith(`${other}/`);
}

/** Returns all texts and numbers that are not encrypted. */
function leavesOf(value: Encoded, name = ""): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ name, text: String(value) }];
  if (isList(value)) return value.flatMap((element) => leavesOf(element, name));
  const members = isTagged(value) ? undefined : membersOf(value);
  return Object.entries(members ?? {}).flatMap(([key, member]) => leavesOf(member, key));
}

const AROUND_WORDS = unicodePattern(String.raw`^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$`, "gu");

const WORDS = unicodePattern(String.raw`[\p{L}\p{N}]+`, "gu");

/** Returns the text from its first word to its last one. */
function coreOf(text: string): string {
  return text.replace(AROUND_WORDS(), "");
}

/** Returns a text and all parts of it that begin and end with a whole word. */
function partsOf(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(WORDS())].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  const parts = new Set([coreOf(text)]);
  for (const [at, { from }] of words.entries()) {
    for (const { to } of words.slice(at, at + MOST_WORDS)) parts.add(text.slice(from, to));
  }
  return parts;
}

/** Returns each resource and its descendants; each record once. */
export function withDescendants(contents: Parentage, ...records: readonly ResourceRecord[]): readonly ResourceRecord[] {
  return [...new Set(records.flatMap((one) => [one, ...descendantsOf(contents, [one.uid])]))];
}
