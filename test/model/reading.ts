/**
 * What a reader counts of the entries that it has read: pure, from the newest entry down.
 *
 * An entry counts as far as a counted line of a later entry says; where none says so, all its complete lines count. A
 * later `settled` may itself lie beyond the length that a still later one records, and then says nothing.
 */
import type { ContentId, History, HistoryId } from "./history.js";
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
  | { readonly is: "broken"; readonly why: string }
  | {
      readonly is: "whole";
      readonly known: HistoryId;
      /** The beginning of `known` that nobody can change any more. */
      readonly sure: HistoryId;
      /** The counted contents whose length no line records yet. */
      readonly unsettled: readonly ContentId[];
    };

/** Complete lines only: a crash in mid-write leaves half a line at the end. */
export function complete(history: History, id: ContentId): ContentId {
  const { line, parent } = history.content(id);
  return history.lineOf(line).kind === "torn" ? parent : id;
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
    if (rules.closeBeatsSettled && history.lineOf(history.content(seen).line).kind === "close") {
      counted[i] = seen;
      firm[i] = true;
    } else if (recorded !== 0 && history.beginsContent(recorded, seen)) counted[i] = recorded;
    else if (recorded !== 0 && history.beginsContent(seen, recorded)) return { is: "stale", seq: base + 1 + i };
    else if (recorded !== 0) return { is: "broken", why: `entry ${base + 1 + i} is not what a later one records` };
    else if (i < top && isStale && rules.rereadUnsettled) return { is: "stale", seq: base + 1 + i };
    else {
      counted[i] = seen;
      // The look that found no entry after the newest came after its read, so a new owner will read as much.
      if (i === top) firm[i] = true;
      else if (history.firstLine(seen).grows && rules.settledCounts) unsettled.push(seen);
      else firm[i] = true;
    }
    const clash = note(history, rules, { base, named, firm, of: counted[i] ?? 0, firmHere: firm[i] ?? false });
    if (clash !== undefined) return { is: "broken", why: clash };
  }
  return link(history, rules, load, { counted, firm, unsettled });
}

/** Records the lengths that the counted lines of one entry name. */
function note(
  history: History,
  rules: Rules,
  at: { base: number; named: ContentId[]; firm: boolean[]; of: ContentId; firmHere: boolean },
): string | undefined {
  for (let node = at.of; node !== 0; node = history.content(node).parent) {
    const { parent, line } = history.content(node);
    const { names, kind } = history.lineOf(line);
    if (kind === "settled" && !rules.settledCounts) continue;
    for (const name of names) {
      const i = history.content(name).seq - at.base - 1;
      if (i < 0) continue;
      const other = at.named[i] ?? 0;
      if (other !== 0 && other !== name) return `two lengths are recorded of entry ${at.base + 1 + i}`;
      at.named[i] = name;
      // A first line is there as long as its file is; a later one only as long as its own entry's length says so.
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
    const exact =
      !rules.looseOpen || before.seq === 0 || first.names.some((name) => history.content(name).seq === before.seq);
    // A new owner's `open` carries the last line that it had read before it created its entry; more may have followed.
    const fits = exact ? first.prev === before.line : i === 0 || history.hasLine(before.content, first.prev);
    if (!fits) return { is: "broken", why: `entry ${first.seq} does not follow the entry before` };
    known = history.fold(known, content);
    allFirm &&= parts.firm[i] ?? false;
    if (allFirm) sure = known;
  }
  return { is: "whole", known, sure, unsettled: parts.unsettled };
}
