/**
 * The lines that count in the entries that a reader has read: pure, from the newest entry down.
 *
 * An entry counts as far as a counted line of a later entry says; if none does, all its complete lines count. A later
 * `settled` may itself lie beyond the length that a still later one records, and then says nothing.
 */
import type { ContentId, History, HistoryId, Line } from "./history.js";
import type { Rules } from "./rules.js";

export interface View {
  readonly base: number;
  readonly baseHistory: HistoryId;
  readonly view: readonly ContentId[];
  readonly stale: number;
}

export type Reading =
  /** The entry must be read again first. */
  | { readonly is: "stale"; readonly seq: number }
  /** The entries do not fit together: damage, or the load was overtaken by trimming. */
  | { readonly is: "broken"; readonly why: string; readonly isForGood: boolean }
  | {
      readonly is: "whole";
      readonly known: HistoryId;
      /** The beginning of `known` that no client can change any more. */
      readonly sure: HistoryId;
      /** The counted contents whose length no line records yet. */
      readonly unsettled: readonly ContentId[];
    };

/** Complete lines only: a crash in the middle of a write leaves half a line at the end. */
export function complete(history: History, id: ContentId): ContentId {
  const { line, parent } = history.content(id);
  return history.lineOf(line).kind === "torn" ? parent : id;
}

/** For good: no later line can change it. */
function broken(why: string): Reading {
  return { is: "broken", why, isForGood: true };
}

/** True of a segment that its own session has ended. */
export function isClosed(history: History, id: ContentId): boolean {
  return history.lineOf(history.content(id).line).kind === "close";
}

export function reading(history: History, rules: Rules, load: View): Reading {
  const { view, base, stale } = load;
  const top = view.length - 1;
  const counted = new Array<ContentId>(view.length).fill(0);
  const named = new Array<ContentId>(view.length).fill(0);
  const firm = new Array<boolean>(view.length).fill(false);
  const unsettled: ContentId[] = [];
  for (let i = top; i >= 0; i--) {
    const seen = complete(history, view[i] ?? 0);
    const recorded = named[i] ?? 0;
    const isStale = (stale & (1 << i)) !== 0;
    if (rules.closeBeatsSettled && isClosed(history, seen)) {
      counted[i] = seen;
      firm[i] = true;
    } else if (recorded !== 0 && history.beginsContent(recorded, seen)) counted[i] = recorded;
    else if (recorded !== 0 && history.beginsContent(seen, recorded)) return { is: "stale", seq: base + 1 + i };
    else if (recorded !== 0) return broken(`entry ${base + 1 + i} is not what a later one records`);
    else if (i < top && isStale && rules.rereadUnsettled) return { is: "stale", seq: base + 1 + i };
    else {
      counted[i] = seen;
      // The read that found no entry after the newest came after its own read, so a new owner will read as much.
      if (i === top) firm[i] = true;
      else if (mayGrow(history, rules, { seen, next: view[i + 1] ?? 0 })) unsettled.push(seen);
      // The writer of that `open` may have read less, and be about to record it.
      else firm[i] = !history.firstLine(seen).grows || isNamed(history, seen, view[i + 1] ?? 0);
    }
    const clash = note(history, rules, { load, named, firm, of: counted[i] ?? 0, firmHere: firm[i] ?? false });
    if (clash !== undefined) return broken(clash);
  }
  const isBaseCut = isBaseOpen(history, rules, load, counted);
  if (isBaseCut) unsettled.push(history.history(load.baseHistory).content);
  const cut = isBaseCut ? -1 : counted.findIndex((content) => unsettled.includes(content));
  if (unsettled.length > 0 && hasGoneOn(history, rules, counted.slice(cut + 1))) {
    return { is: "broken", why: "a session goes on behind a segment whose length nobody records", isForGood: false };
  }
  return link(history, rules, load, { counted, firm, unsettled });
}

/** True if the `open` after the checkpoint names another line than its last one, and no line says which. */
function isBaseOpen(history: History, rules: Rules, load: View, counted: readonly ContentId[]): boolean {
  const { content: base, line } = history.history(load.baseHistory);
  if (!rules.opensSettle || base === 0 || load.view.length === 0) return false;
  if (history.firstLine(load.view[0] ?? 0).prev === line) return false;
  return !counted.some((content) => linesIn(history, content).some(({ names }) => names.includes(base)));
}

function hasGoneOn(history: History, { settledFirst }: Rules, contents: readonly ContentId[]): boolean {
  if (settledFirst === "nothing") return false;
  const isMore = ({ kind }: Line) => kind === "ops" || kind === "kept" || (settledFirst === "lines" && kind !== "open");
  return contents.some((content) => linesIn(history, content).some(isMore));
}

function linesIn(history: History, content: ContentId): readonly Line[] {
  const lines: Line[] = [];
  for (let node = content; node !== 0; node = history.content(node).parent) {
    lines.push(history.lineOf(history.content(node).line));
  }
  return lines;
}

/** Whether more lines than were read may count in a segment whose length is not recorded. */
function mayGrow(history: History, rules: Rules, at: { readonly seen: ContentId; readonly next: ContentId }): boolean {
  if (!history.firstLine(at.seen).grows || !rules.settledCounts) return false;
  if (rules.opensName || !isClosed(history, at.seen)) return true;
  return rules.opensSettle && !isNamed(history, at.seen, at.next);
}

/** True if the entry after it names the last line of a segment. */
function isNamed(history: History, seen: ContentId, next: ContentId): boolean {
  return history.firstLine(next).prev === history.content(seen).line;
}

/** Records the lengths that the counted lines of one entry name. */
function note(
  history: History,
  rules: Rules,
  at: { load: View; named: ContentId[]; firm: boolean[]; of: ContentId; firmHere: boolean },
): string | undefined {
  const { base, baseHistory } = at.load;
  for (let node = at.of; node !== 0; node = history.content(node).parent) {
    const { parent, line } = history.content(node);
    const { names, kind } = history.lineOf(line);
    if (kind === "settled" && !rules.settledCounts) continue;
    for (const name of names) {
      const i = history.content(name).seq - base - 1;
      if (i === -1 && rules.checksBase && name !== history.history(baseHistory).content) {
        return `another length is recorded of entry ${base} than the checkpoint says`;
      }
      if (i < 0) continue;
      const other = at.named[i] ?? 0;
      if (other !== 0 && other !== name) return `two lengths are recorded of entry ${base + 1 + i}`;
      at.named[i] = name;
      // A first line exists as long as its file does; a later one only as long as its own entry's length says so.
      if (at.firmHere || parent === 0) at.firm[i] = true;
    }
  }
  return undefined;
}

/** Folds the counted contents and checks that each begins where the one before ended. */
function link(
  history: History,
  rules: Rules,
  load: View,
  parts: { counted: readonly ContentId[]; firm: readonly boolean[]; unsettled: readonly ContentId[] },
): Reading {
  let known = load.baseHistory;
  let sure = known;
  let allFirm = true;
  for (const [i, content] of parts.counted.entries()) {
    const before = history.history(known);
    const first = history.firstLine(content);
    // A new owner's `open` carries the last line that it had read before it created its entry; more may have followed.
    const isLoose =
      rules.looseOpen && before.seq !== 0 && mayBeLoose(history, rules, { first, before: before.content });
    const isNear = i === 0 || !rules.opensNear || history.hasLine(before.content, first.prev);
    if (first.prev !== before.line && !(isLoose && isNear))
      return broken(`entry ${first.seq} does not follow the entry before`);
    known = history.fold(known, content);
    allFirm &&= parts.firm[i] ?? false;
    if (allFirm) sure = known;
  }
  return { is: "whole", known, sure, unsettled: parts.unsettled };
}

/** Whether the first line of an entry may name another line than the last one before it. */
function mayBeLoose(
  history: History,
  rules: Rules,
  { first, before }: { readonly first: Line; readonly before: ContentId },
): boolean {
  if (!rules.opensName) return first.kind === "open" && history.firstLine(before).grows;
  const { seq } = history.content(before);
  return !first.names.some((name) => history.content(name).seq === seq);
}
