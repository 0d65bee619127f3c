/** The past values of a resource, from one kept copy of the state to the next. */
import { EngineError, isEngineError, type Redact } from "../../../../core/base/index.js";
import type { PropertyChange } from "../../../../core/contract/index.js";
import { type LedgerLocation, type Loaded, listKeys } from "../../../../core/state/index.js";
import { type EndedRun, endedRun } from "../history.js";
import { pathIn } from "../recorded-name.js";
import { type CopySeal, type SealStatus, sealOfCopy, sealStatusOf } from "../verify/prove-copy.js";
import { type RecordAt, recordAt, recordChanges } from "./difference.js";
import { type CopyAt, isOwn, readKept } from "./kept-copy.js";

/** One past version of a resource, or its removal. */
export interface RecordedValue {
  /** Number of the journal entry of that copy. */
  readonly seq: number;
  /**
   * The run or command that made the change; undefined if it may have been an earlier one that has no copy any more.
   */
  readonly run: EndedRun | undefined;
  /** `gone`: not recorded any more. */
  readonly what: "made" | "changed" | "gone";
  /**
   * Differences from the copy before, shown as in a plan; for the first version, all its values. At most 1,000 each for
   * props, output and each value of data.
   */
  readonly changes: readonly PropertyChange[];
  /** Shows whether the author of the copy is proven. */
  readonly seal: SealStatus;
}

interface Copy extends CopyAt {
  readonly seq: number;
}

/**
 * Returns the versions, newest first. Leaves out copies that cannot be read, belong to another state or are forged.
 *
 * @throws EngineError `NOT_RECORDED` if no copy has the name
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
  for await (const { seq, contents, closed, seal } of copiesOf(location, present)) {
    const at = recordAt(contents, key);
    // The oldest copy does not show when its resources were made, unless its run created all of them.
    const isOwn = !isFirst || (closed?.summary.created ?? 0) >= contents.records.size;
    const run = isOwn && closed ? endedRun(closed) : undefined;
    const changes = recordChanges(before, at, redact);
    const what = before ? (at ? "changed" : "gone") : "made";
    if (changes.length > 0) values.push({ seq, run, what, changes, seal });
    before = at;
    isFirst = false;
  }
  if (values.length > 0) return values.reverse();
  throw new EngineError(
    "NOT_RECORDED",
    `Nothing is recorded under "${name}" in "${location.app}/${location.stage}", and no copy of its state contains it.`,
  );
}

/** Yields the copies, oldest first, then the present state. One at a time: each is as large as the state. */
export async function* copiesOf(location: LedgerLocation, present: Loaded): AsyncGenerator<Copy> {
  const { histories } = await listKeys(location);
  for (const seq of histories) {
    if (seq >= present.head.seq && !present.head.open) continue;
    const kept = await readKept(location, seq);
    if (kept === undefined || "problem" in kept) continue;
    const { head, contents, closed } = kept.checkpoint;
    if (!isOwn(location, present.head.lineage, head)) continue;
    const seal = await unlessForged(sealOfCopy(location, present, location.keys.history(seq), kept.checkpoint));
    if (seal !== undefined) yield { seq, contents, closed, seal };
  }
  const { head, contents, closed } = present;
  yield { seq: head.seq, contents, closed: head.open ? undefined : closed, seal: sealStatusOf(present) };
}

async function unlessForged(copy: Promise<CopySeal>): Promise<SealStatus | undefined> {
  try {
    return (await copy).seal;
  } catch (error) {
    if (isEngineError(error, "STATE_FORGED")) return undefined;
    throw error;
  }
}
