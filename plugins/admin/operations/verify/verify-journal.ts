/** Verifies each journal entry, line by line: its digest, its predecessor, and that no required entry is missing. */

import {
  advance,
  countLines,
  emptyHead,
  follows,
  type Head,
  isKnown,
  type LedgerLocation,
  parseLine,
  readSegment,
  type Segment,
} from "../../../../core/state/index.js";
import { damaged, type Finding, harmless } from "./finding.js";

export interface VerifiedJournal {
  readonly size: number;
  readonly entries: number;
  readonly lines: number;
  readonly findings: readonly Finding[];
}

export interface JournalParts {
  /** Numbers of the existing entries, oldest first. */
  readonly seqs: readonly number[];
  /** Number of the oldest checkpoint, complete or not; 0 if there is none. */
  readonly oldest: number;
  /** Heads in the complete checkpoints, by the number of their entry. */
  readonly heads: ReadonlyMap<number, Head>;
  /** Entries that must never be trimmed. */
  readonly guards: readonly number[];
}

/** One entry as read from the store. */
interface Read {
  readonly seq: number;
  readonly segment: Segment | undefined;
}

const BATCH = 64;

export async function verifyJournal(location: LedgerLocation, parts: JournalParts): Promise<VerifiedJournal> {
  const findings: Finding[] = [];
  const reads: Read[] = [];
  let size = 0;
  for (let at = 0; at < parts.seqs.length; at += BATCH) {
    const seqs = parts.seqs.slice(at, at + BATCH);
    const texts = await location.store.getMany(seqs.map(location.keys.entry));
    for (const [index, seq] of seqs.entries()) {
      const text = texts[index];
      if (text === undefined) continue;
      size += text.length;
      const segment = readSegment(seq, text);
      findings.push(...findingsIn(location.keys.entry(seq), segment, text));
      reads.push({ seq, segment: segment && segment.lines.length > 0 ? segment : undefined });
    }
  }
  findings.push(...missing(location, parts, new Set(reads.map(({ seq }) => seq))));
  let lines = 0;
  for (const run of runsOf(reads)) {
    const counted = verifyRun(location, run, parts.heads);
    findings.push(...counted.findings);
    lines += counted.lines;
  }
  return { size, entries: reads.length, lines, findings };
}

function findingsIn(key: string, segment: Segment | undefined, text: string): readonly Finding[] {
  if (!segment) return [damaged(key, damageIn(text))];
  if (segment.lines.length === 0) return [damaged(key, "it contains no complete line")];
  const extra = segment.closed ? text.split("\n").slice(segment.lines.length).join("\n").length : 0;
  if (extra > 0) return [harmless(key, `it has ${extra} characters after its end`, "No run reads these characters.")];
  const end = text.endsWith("\n");
  return end || segment.closed || parseLine(text.slice(text.lastIndexOf("\n") + 1))
    ? []
    : [harmless(key, "its last line is incomplete", "No run reads this line. Its write was never confirmed to a run.")];
}

function damageIn(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const at = lines.findIndex((line) => parseLine(line) === undefined);
  return at < 0 ? "it contains another entry" : `the digest of line ${at + 1} of ${lines.length} does not match`;
}

/** Trimming removes entries up to the oldest checkpoint, except guards. */
function missing(
  { keys }: LedgerLocation,
  { seqs, oldest, guards }: JournalParts,
  found: ReadonlySet<number>,
): Finding[] {
  const gone = guards
    .filter((seq) => !found.has(seq))
    .map((seq) => damaged(keys.entry(seq), "this entry is missing; it would stop a run that was paused long ago"));
  for (let seq = oldest + 1; seq < (seqs.at(-1) ?? 0); seq++) {
    if (!found.has(seq) && !guards.includes(seq))
      gone.push(damaged(keys.entry(seq), "this entry is missing, although later entries exist"));
  }
  return gone;
}

/** Groups readable entries with consecutive numbers. */
function runsOf(reads: readonly Read[]): readonly (readonly Segment[])[] {
  const runs: Segment[][] = [];
  let last: number | undefined;
  for (const { seq, segment } of reads) {
    if (!segment) last = undefined;
    else if (last === seq - 1) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    if (segment) last = seq;
  }
  return runs;
}

function verifyRun(
  { keys, app, stage }: LedgerLocation,
  run: readonly Segment[],
  heads: ReadonlyMap<number, Head>,
): { readonly lines: number; readonly findings: readonly Finding[] } {
  const { counted, short } = countLines(run);
  const findings = short.map(({ seq }) =>
    damaged(keys.entry(seq), "it contains fewer lines than a later session counted"),
  );
  let head = startOf(emptyHead(app, stage), run[0], heads);
  let count = 0;
  for (const { segment, lines } of counted) {
    const key = keys.entry(segment.seq);
    for (const line of lines) {
      const { open } = line.entry;
      if (open && !isKnown(open))
        findings.push(
          damaged(
            key,
            `scope-engine ${open.version} wrote it in format ${open.format}, which this version does not know`,
            "Update scope-engine.",
          ),
        );
      if (!follows(head, line.entry)) findings.push(damaged(key, "it does not follow the entry before it"));
      head = advance(head, line);
    }
    count += lines.length;
    const said = heads.get(segment.seq);
    if (said && said.digest !== head.digest && !short.includes(segment)) {
      findings.push(
        damaged(keys.checkpoint(segment.seq), "its content does not match the journal entry with the same number"),
      );
    }
  }
  return { lines: count, findings };
}

/** Returns the head before the first entry of a run. If it is not recorded any more, it comes from the entry itself. */
function startOf(empty: Head, first: Segment | undefined, heads: ReadonlyMap<number, Head>): Head {
  if (!first || first.seq === 1) return empty;
  const said = heads.get(first.seq - 1);
  return said ?? { ...empty, seq: first.seq - 1, digest: first.lines[0]?.entry.prev ?? empty.digest };
}
