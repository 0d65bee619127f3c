/** Props and outputs on their way into records and out of them, each with the place that a plugin may bind it to. */

import type { ResourceRef } from "../base/index.js";
import { hasForeign, type ValueLocation } from "../codec/index.js";
import type { Encoded, ResourceRecord, Scope, ValueSlot } from "../contract/index.js";
import type { App } from "../run/index.js";

/** A resource whose values go in or out. */
export interface ValueHolder {
  readonly app: App;
  readonly scope: Scope;
  readonly ref: ResourceRef;
}

/** Props of the last success, or of the only attempt. */
export function goodProps(record: ResourceRecord): Encoded {
  return record.lastGood?.props ?? record.props;
}

/** The output of the last success: `output` may be that of the rest that a delete has left. */
export function goodOutput(record: ResourceRecord): Encoded | undefined {
  return record.lastGood?.output ?? record.output;
}

/** @param record what is recorded by now, under that uid */
export function encodeProps(
  holder: ValueHolder,
  uid: string,
  props: unknown,
  record?: ResourceRecord,
): Encoded | Promise<Encoded> {
  if (record === undefined) return holder.app.codec.encode(props, locationOf(holder, uid, "props"));
  const likely = goodProps(record);
  const location = locationOf(holder, uid, "props", likely, () => [likely, record.props]);
  return holder.app.codec.encode(props, location);
}

/** @param before the output that is recorded by now */
export function encodeOutput(
  holder: ValueHolder,
  uid: string,
  output: unknown,
  before?: Encoded,
): Encoded | Promise<Encoded> {
  if (before === undefined) return holder.app.codec.encode(output, locationOf(holder, uid, "output"));
  const location = locationOf(holder, uid, "output", before, () => [before]);
  return holder.app.codec.encode(output, location);
}

/**
 * Goes on with values, at once where they are all there: what is declared first gets its place first, and each promise
 * costs a turn.
 */
export function withAll<T>(
  values: readonly unknown[],
  next: (values: readonly unknown[]) => T,
): T | Promise<Awaited<T>>;
export function withAll<T>(values: readonly unknown[], next: (values: readonly unknown[]) => T): unknown {
  return values.some((value) => value instanceof Promise) ? Promise.all(values).then(next) : next(values);
}

/** The value, or a promise of it. */
export function decodeProps(holder: ValueHolder, uid: string, encoded: Encoded): unknown {
  return holder.app.codec.decode(encoded, locationOf(holder, uid, "props"));
}

/** The value, or a promise of it; undefined where no create has succeeded. */
export function decodeOutput(holder: ValueHolder, { uid, output }: Pick<ResourceRecord, "uid" | "output">): unknown {
  return output === undefined ? undefined : holder.app.codec.decode(output, locationOf(holder, uid, "output"));
}

/** What was encoded for one record, as it has to be for another. */
export function movedProps(
  holder: ValueHolder,
  from: string,
  to: string,
  encoded: Encoded,
): Encoded | Promise<Encoded> {
  return hasForeign(encoded) ? move(holder, from, to, encoded) : encoded;
}

async function move(holder: ValueHolder, from: string, to: string, encoded: Encoded): Promise<Encoded> {
  return encodeProps(holder, to, await decodeProps(holder, from, encoded));
}

// Member by member, and of one shape: made for every resource of every run.
function locationOf(
  { scope, ref }: ValueHolder,
  owner: string,
  slot: ValueSlot,
  likely: Encoded | undefined = undefined,
  before: ValueLocation["before"] = undefined,
): ValueLocation {
  return { scope, fqn: ref.fqn, owner, slot, before, likely };
}
