/** What a resource was, from one kept copy of the state to the next. */
import { EngineError, type Redact } from "../../base/index.js";
import type { PropertyChange } from "../../contract/index.js";
import { type ClosedSession, type Contents, type LedgerLocation, type Loaded, listKeys } from "../../state/index.js";
import { type EndedRun, endedRun } from "../history.js";
import { pathIn } from "../recorded-name.js";
import { isOwn, readKept } from "./kept-copy.js";
import { type RecordAt, recordAt, recordChanges } from "./record-changes.js";

/** A value that a resource had, or its end. */
export interface RecordedValue {
  /** The entry of the journal that it is recorded as of. */
  readonly seq: number;
  /** The run or command that made it so; undefined where that may have been an earlier one, of which there is no copy any more. */
  readonly run: EndedRun | undefined;
  /** `gone`: not recorded any more. */
  readonly what: "made" | "changed" | "gone";
  /** Against the copy before, as a plan shows values; of the first, all that it had. Of props, output and each value of data, 1,000. */
  readonly changes: readonly PropertyChange[];
}

interface Copy {
  readonly seq: number;
  readonly contents: Contents;
  readonly closed: ClosedSession | undefined;
}

/**
 * Newest first. A copy that cannot be read, or is another state's, is left out.
 *
 * @throws EngineError `NOT_RECORDED` where no copy has the name
 */
export async function valuesOf(
  location: LedgerLocation,
  present: Loaded,
  { name, redact }: { readonly name: string; readonly redact: Redact },
): Promise<readonly RecordedValue[]> {
  const key = pathIn(location, name) ?? name;
  const values: RecordedValue[] = [];
  let before: RecordAt | undefined;
  let isFirst = true;
  for await (const { seq, contents, closed } of copiesOf(location, present)) {
    const at = recordAt(contents, key);
    // The oldest copy tells what was there, and not since when, but where its run has made all that is in it.
    const isOwn = !isFirst || (closed?.summary.created ?? 0) >= contents.records.size;
    const run = isOwn && closed ? endedRun(closed) : undefined;
    const changes = recordChanges(before, at, redact);
    if (changes.length > 0) values.push({ seq, run, what: before ? (at ? "changed" : "gone") : "made", changes });
    before = at;
    isFirst = false;
  }
  if (values.length > 0) return values.reverse();
  throw new EngineError(
    "NOT_RECORDED",
    `Nothing is recorded under "${name}" in "${location.app}/${location.stage}", and no copy of its state has it.`,
  );
}

/** Oldest first, the present last; one after the other: each is as large as the state. */
async function* copiesOf(location: LedgerLocation, present: Loaded): AsyncGenerator<Copy> {
  const { histories } = await listKeys(location);
  for (const seq of histories) {
    if (seq >= present.head.seq && !present.head.open) continue;
    const kept = await readKept(location, seq);
    if (kept === undefined || "problem" in kept) continue;
    const { head, contents, closed } = kept.checkpoint;
    if (isOwn(location, present.head.lineage, head)) yield { seq, contents, closed };
  }
  const { head, contents, closed } = present;
  yield { seq: head.seq, contents, closed: head.open ? undefined : closed };
}
