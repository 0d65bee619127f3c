/** Lists the properties that differ, with their values as a plan shows them. Pure. */

import { hasMarker, type Redact, stepsOf, UNKNOWN, withoutMarkers } from "../../../core/base/index.js";
import { pointerOf, safePath } from "../../../core/codec/index.js";
import type { PropertyChange, ResolvedOptions } from "../../../core/contract/index.js";
import { isMultiline, lineDiff } from "./line-diff.js";
import { renderValue, renderWhole } from "./render-value.js";

/** Masks secrets, and shows whole values with the option `full`. */
interface Showing {
  readonly redact: Redact;
  readonly options: Pick<ResolvedOptions, "full">;
}

/** Longer texts are shown in part. */
const LONG = 200;
/** Characters shown of the common beginning. */
const CONTEXT = 24;

export function changesBetween(
  paths: readonly string[],
  before: unknown,
  after: unknown,
  showing: Showing,
): readonly PropertyChange[] {
  const { redact, options } = showing;
  // A spread value is represented by its marker: its members are not known, and none of them is deleted.
  return paths
    .filter((path) => !hasMarker(path))
    .map((path) => {
      const [one, other] = [valueAt(before, path), mayBe(after, path) ?? valueAt(after, path)];
      const sides = options.full ? [one, other] : excerpts(one, other, redact);
      const [old, now] = sides.map((side) => (options.full ? renderWhole : renderValue)(side, redact));
      return {
        path: safePath(path, redact),
        ...(old === undefined ? {} : { old }),
        ...(now === undefined ? {} : { new: now }),
        ...linesBetween(one, other, showing),
      };
    });
}

/** Returns the lines that differ between texts of several lines. */
function linesBetween(one: unknown, other: unknown, { redact, options }: Showing): Pick<PropertyChange, "lines"> {
  if (!isMultiline(one) && !isMultiline(other)) return {};
  const [before, after] = [one, other].map((side) => {
    return typeof side === "string" ? withoutMarkers(redact(side), () => UNKNOWN) : undefined;
  });
  const isText = (side: unknown): boolean => side === undefined || typeof side === "string";
  return isText(one) && isText(other) ? { lines: lineDiff(before, after, options.full) } : {};
}

/** Returns the marker of unknown members if an absent member may be among them. */
function mayBe(value: unknown, path: string): unknown {
  const steps = stepsOf(path);
  const holder = valueAt(value, pointerOf(steps.slice(0, -1)));
  if (typeof holder !== "object" || holder === null || Object.hasOwn(holder, steps.at(-1) ?? "")) return undefined;
  const marker = Object.keys(holder).find(hasMarker);
  return marker === undefined ? undefined : Reflect.get(holder, marker);
}

/** Cuts two long texts to the place where they begin to differ. */
function excerpts(old: unknown, now: unknown, redact: Redact): readonly [unknown, unknown] {
  if (typeof old !== "string" || typeof now !== "string") return [old, now];
  if (Math.max(old.length, now.length) <= LONG) return [old, now];
  // Redact before the cut: half a secret would not be recognized.
  const [before, after] = [redact(old), redact(now)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start = Math.max(0, same - CONTEXT);
  const from = start === 0 ? "" : "…";
  const part = (text: string): string => {
    const end = start + LONG;
    return `${from}${text.slice(start, end)}${text.length > end ? "…" : ""}`;
  };
  return [part(before), part(after)];
}

/**
 * Lists the members of a value that is created or deleted.
 *
 * @param rendered the value as {@link renderValue} shows it, if the caller has it
 */
export function membersAs(
  side: "old" | "new",
  value: unknown,
  showing: Showing,
  rendered?: unknown,
): readonly PropertyChange[] {
  const { options, redact } = showing;
  const all = options.full ? renderWhole(value, redact) : (rendered ?? renderValue(value, redact));
  if (typeof all !== "object" || all === null || Array.isArray(all)) {
    return all === undefined ? [] : [{ path: "", [side]: all }];
  }
  const present = Object.entries(all).filter(([, member]) => member !== undefined);
  return present.map(([name, member]) => {
    const raw = valueAt(value, pointerOf([name]));
    const lines = side === "old" ? linesBetween(raw, undefined, showing) : linesBetween(undefined, raw, showing);
    return { path: pointerOf([name]), [side]: member, ...lines };
  });
}

function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((at, step) => {
    if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
    return Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  }, value);
}
