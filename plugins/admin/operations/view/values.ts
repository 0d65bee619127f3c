/** What a resource was, from one kept copy of the state to the next. */
import { EngineError, isEngineError, type Redact } from "../../../../core/base/index.js";
import type { PropertyChange } from "../../../../core/contract/index.js";
import { type LedgerLocation, type Loaded, listKeys } from "../../../../core/state/index.js";
import { type EndedRun, endedRun } from "../history.js";
import { pathIn } from "../recorded-name.js";
import { type CopySeal, type SealStatus, sealOfCopy, sealStatusOf } from "../verify/prove-copy.js";
import { type RecordAt, recordAt, recordChanges } from "./difference.js";
import { type CopyAt, isOwn, readKept } from "./kept-copy.js";

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
  /** Who has written the copy. */
  readonly seal: SealStatus;
}

interface Copy extends CopyAt {
  readonly seq: number;
}

/**
 * Newest first. A copy that cannot be read, is another state's or is forged, is left out.
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
  for await (const { seq, contents, closed, seal } of copiesOf(location, present)) {
    const at = recordAt(contents, key);
    // The oldest copy tells what was there, and not since when, but where its run has made all that is in it.
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

/** Oldest first, the present last; one after the other: each is as large as the state. */
async function* copiesOf(location: LedgerLocation, present: Loaded): AsyncGenerator<Copy> {
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
