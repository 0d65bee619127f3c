/** The properties that differ, with their values as a plan shows them. Pure. */
import type { Redact } from "../redaction.js";
import { stepsOf } from "../resource/prop-path.js";
import { pointerToken } from "../state/codec/path.js";
import type { PropertyChange } from "./plan.js";
import { shown } from "./shown.js";

export function changesBetween(
  paths: readonly string[],
  before: unknown,
  after: unknown,
  redact: Redact,
): readonly PropertyChange[] {
  return paths.map((path) => {
    const old = shown(valueAt(before, path), redact);
    const now = shown(valueAt(after, path), redact);
    return { path, ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
  });
}

/** Each member of something that comes, or goes. */
export function membersAs(side: "old" | "new", value: unknown, redact: Redact): readonly PropertyChange[] {
  const all = shown(value, redact);
  if (typeof all !== "object" || all === null || Array.isArray(all)) {
    return all === undefined ? [] : [{ path: "", [side]: all }];
  }
  const present = Object.entries(all).filter(([, member]) => member !== undefined);
  return present.map(([name, member]) => ({ path: `/${pointerToken(name)}`, [side]: member }));
}

function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((at, step) => {
    if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
    return Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  }, value);
}
