/** What a resource has recorded at one place of its values, from there on where what was shown of it has ended. Pure. */
import { EngineError, type Redact, stepsOf } from "../../base/index.js";
import { isList } from "../../codec/index.js";
import type { Encoded, ResourceRecord } from "../../contract/index.js";
import { renderWhole } from "../../render/index.js";
import { decodedMasked } from "../detail.js";
import { knownKey, type Naming, notRecorded } from "../recorded-name.js";
import { cutOf, encodedAt, plainMembers, type ValueLimits } from "./cut.js";

/** Where to go on. */
export interface PartOptions extends ValueLimits {
  /** JSON Pointer that begins with `/props`, `/output`, `/lastGoodProps` or `/data/key`. */
  readonly path: string;
  /** Number of the first member, element or character. */
  readonly from: number;
}

/** A part of a value. */
export interface ValuePart {
  /** All members, elements or characters that there are. */
  readonly total: number;
  readonly from: number;
  /** An object, a list or a text, with those from the first on. */
  readonly value: unknown;
  /** Number of the first that is not among them. */
  readonly to: number;
}

/** @throws EngineError `NOT_RECORDED` where nothing is recorded there, or nothing that has parts */
export function partOf(
  naming: Naming,
  name: string,
  { path, from, ...limits }: PartOptions,
  redact: Redact,
): ValuePart {
  const key = knownKey(naming, name);
  const record = key === undefined ? undefined : naming.contents.at(key);
  if (!record) throw notRecorded(naming, name);
  const [slot = "", ...steps] = stepsOf(path);
  const values = slotOf(naming, record, slot);
  const found = values === undefined ? undefined : encodedAt(values, steps);
  const shown = (value: Encoded): unknown => renderWhole(decodedMasked(value), redact);
  if (typeof found === "string") {
    const text = String(shown(found));
    const to = Math.min(text.length, from + limits.size);
    return { total: text.length, from, to, value: text.slice(from, to) };
  }
  const members = found === undefined ? undefined : plainMembers(found);
  if (found !== undefined && isList(found)) {
    const some = found.slice(from, from + limits.members);
    return { total: found.length, from, to: from + some.length, value: shown(cutOf(some, limits)) };
  }
  if (members) {
    const names = Object.keys(members);
    const some = names.slice(from, from + limits.members);
    const part = Object.fromEntries(some.map((one) => [one, members[one] ?? null]));
    return { total: names.length, from, to: from + some.length, value: shown(cutOf(part, limits)) };
  }
  throw new EngineError("NOT_RECORDED", `At "${path}" of "${name}" nothing is recorded that has parts.`);
}

function slotOf({ contents }: Naming, record: ResourceRecord, slot: string): Encoded | undefined {
  if (slot === "props") return record.props;
  if (slot === "output") return record.output;
  if (slot === "lastGoodProps") return record.lastGood?.props;
  return slot === "data" ? Object.fromEntries(contents.data.get(record.uid) ?? []) : undefined;
}
