/** The properties that differ, with their values as a plan shows them. Pure. */
import type { Redact } from "../redaction.js";
import { stepsOf } from "../resource/prop-path.js";
import { hasMarker } from "../resource/unknown.js";
import { pointerOf } from "../state/codec/path.js";
import type { PropertyChange } from "./plan.js";
import { shown } from "./shown.js";

/** Longer texts are shown in part. */
const LONG = 200;
/** So much is shown of what both begin with. */
const CONTEXT = 24;

export function changesBetween(
  paths: readonly string[],
  before: unknown,
  after: unknown,
  redact: Redact,
): readonly PropertyChange[] {
  // What was spread is there by what stands for it: of its members nothing is known, and none of them is gone.
  return paths
    .filter((path) => !hasMarker(path))
    .map((path) => {
      const [one, other] = excerpts(valueAt(before, path), mayBe(after, path) ?? valueAt(after, path), redact);
      const [old, now] = [shown(one, redact), shown(other, redact)];
      return {
        path: safePath(path, redact),
        ...(old === undefined ? {} : { old }),
        ...(now === undefined ? {} : { new: now }),
      };
    });
}

/** What stands for all members that are not known, where one that is absent may be among them. */
function mayBe(value: unknown, path: string): unknown {
  const steps = stepsOf(path);
  const holder = valueAt(value, pointerOf(steps.slice(0, -1)));
  if (typeof holder !== "object" || holder === null || Object.hasOwn(holder, steps.at(-1) ?? "")) return undefined;
  const marker = Object.keys(holder).find(hasMarker);
  return marker === undefined ? undefined : Reflect.get(holder, marker);
}

/** A JSON Pointer as others may see it: keys are texts, too. */
export function safePath(pointer: string, redact: Redact): string {
  return pointerOf(stepsOf(pointer).map(redact));
}

/** Of two long texts, where they begin to differ: their beginnings tell nothing. */
function excerpts(old: unknown, now: unknown, redact: Redact): readonly [unknown, unknown] {
  if (typeof old !== "string" || typeof now !== "string") return [old, now];
  if (Math.max(old.length, now.length) <= LONG) return [old, now];
  // Before anything is cut: half a secret would not be known for one.
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

/** Each member of something that comes, or goes. */
export function membersAs(side: "old" | "new", value: unknown, redact: Redact): readonly PropertyChange[] {
  const all = shown(value, redact);
  if (typeof all !== "object" || all === null || Array.isArray(all)) {
    return all === undefined ? [] : [{ path: "", [side]: all }];
  }
  const present = Object.entries(all).filter(([, member]) => member !== undefined);
  return present.map(([name, member]) => ({ path: pointerOf([name]), [side]: member }));
}

function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((at, step) => {
    if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
    return Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  }, value);
}
