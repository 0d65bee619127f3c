/** Encodes records and data of one stage for another one: secrets are sealed with its key, bound to its names. */
import { hasForeign, type ValueLocation } from "../../../../core/codec/index.js";
import {
  type Encoded,
  folderOf,
  fqnIn,
  isScopeOwner,
  outputsOwner,
  type Position,
  type ResourceRecord,
  scopeOwner,
} from "../../../../core/contract/index.js";
import type { App } from "../../../../core/run/index.js";
import { outputsLocation, scopeAt } from "../../../../core/scope/index.js";
import type { Change, Contents } from "../../../../core/state/index.js";

/** The two apps, with their states loaded. */
export interface Ends {
  readonly from: App;
  readonly to: App;
}

/**
 * Returns the changes that add a record and its data to the target. Moved records keep their order among each other,
 * after those of the target.
 *
 * @param later what is added to the first element of its positions
 * @throws EngineError `PASSWORD_REQUIRED`, `WRONG_PASSWORD`; `STATE_CORRUPT` if a secret cannot be decrypted
 */
export async function resealedRecord(ends: Ends, record: ResourceRecord, later: number): Promise<readonly Change[]> {
  const { uid, props, output, lastGood, ready, done } = record;
  const moved = (value: Encoded, slot: "props" | "output", before?: Encoded): Promise<Encoded> => {
    const at = (app: App): ValueLocation => ({ ...placeIn(app, record), slot });
    return resealed(ends, value, at, before);
  };
  const next: { -readonly [K in keyof ResourceRecord]: ResourceRecord[K] } = { ...record };
  next.props = await moved(props, "props");
  if (output !== undefined) next.output = await moved(output, "output");
  if (lastGood) {
    // Secrets that a pending update does not change stay equal texts.
    const { output: former } = lastGood;
    next.lastGood = {
      props: await moved(lastGood.props, "props", next.props),
      ...(former === undefined ? {} : { output: await moved(former, "output", next.output) }),
    };
  }
  next.ready = placedLater(ready, later);
  if (done) next.done = placedLater(done, later);
  const changes: Change[] = [{ op: "put", record: next }];
  for (const [key, value] of ends.from.ledger.contents.data.get(uid) ?? []) {
    const at = (app: App): ValueLocation => ({ ...placeIn(app, record), slot: "data", key });
    changes.push({ op: "data", owner: uid, key, value: await resealed(ends, value, at) });
  }
  return changes;
}

/**
 * Returns the change that gives data of a scope, a plugin or the stage to the target.
 *
 * @throws EngineError as {@link resealedRecord}
 */
export async function resealedData(ends: Ends, owner: string, key: string): Promise<Change> {
  const value = ends.from.ledger.contents.data.get(owner)?.get(key) ?? null;
  const at = (app: App): ValueLocation => {
    if (owner === outputsOwner) return outputsLocation(app);
    const path = owner.slice(scopeOwner("").length);
    return { scope: scopeAt(app, path), fqn: fqnIn(app.root, path), owner, slot: "data", key };
  };
  const isValue = owner === outputsOwner || isScopeOwner(owner);
  return { op: "data", owner, key, value: isValue ? await resealed(ends, value, at) : value };
}

function placeIn(app: App, { key, uid }: ResourceRecord): Pick<ValueLocation, "scope" | "fqn" | "owner"> {
  return { scope: scopeAt(app, folderOf(key)), fqn: fqnIn(app.root, key), owner: uid };
}

async function resealed(
  { from, to }: Ends,
  value: Encoded,
  at: (app: App) => ValueLocation,
  before?: Encoded,
): Promise<Encoded> {
  if (!hasForeign(value)) return value;
  const decoded = await from.codec.decode(value, at(from));
  return to.codec.encode(decoded, { ...at(to), before: () => (before === undefined ? [] : [before]) });
}

/** Returns how far moved records must go to come after all records of the target. */
export function distance(target: Contents, records: readonly ResourceRecord[]): number {
  const first = ({ ready, done }: ResourceRecord): readonly number[] => [ready[0] ?? 0, done?.[0] ?? ready[0] ?? 0];
  let [last, least] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const record of target.records.values()) last = Math.max(last, ...first(record));
  for (const record of records) least = Math.min(least, ...first(record));
  return Number.isFinite(last) && Number.isFinite(least) ? last + 1 - least : 0;
}

/** An equal shift of all first elements keeps every comparison. An empty position is before everything. */
function placedLater([first = 0, ...rest]: Position, by: number): Position {
  return [first + by, ...rest];
}
