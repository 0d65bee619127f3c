/** Separates write-only props from recorded ones. */
import { isUnknown } from "../../../core/base/index.js";
import { elementsOf, isObject } from "./given-value.js";
import { attributesAndBlocks, holding, type Level, type Nested, nestedIn } from "./level.js";
import { namesOf } from "./names.js";

export interface Apart {
  /** The props without write-only ones. */
  readonly recorded: unknown;
  /** The write-only props, with the objects and arrays that lead to them; undefined if there are none. */
  readonly written: unknown;
}

const holdsWriteOnly = holding(({ writeOnly }) => writeOnly === true);

/** Separates props. A value without members yet, such as a promise, counts as recorded. */
export function apart(level: Level, props: unknown): Apart {
  if (!isMembered(props) || !holdsWriteOnly(level)) return { recorded: props, written: undefined };
  const { toProgram } = namesOf(level);
  const recorded: Record<string, unknown> = { ...props };
  const written: Record<string, unknown> = {};
  for (const [name, of] of attributesAndBlocks(level)) {
    const program = toProgram.get(name) ?? name;
    const member = recorded[program];
    if (member === undefined) continue;
    const isWritten = "writeOnly" in of && of.writeOnly === true;
    const parts = isWritten ? { recorded: undefined, written: member } : apartNested(nestedIn(of), member);
    if (parts.written === undefined) continue;
    written[program] = parts.written;
    if (isWritten) delete recorded[program];
    else recorded[program] = parts.recorded;
  }
  return { recorded, written: Object.keys(written).length === 0 ? undefined : written };
}

/** True for a plain object. A promise has no members yet. */
export function isMembered(value: unknown): value is Readonly<Record<string, unknown>> {
  return !isUnknown(value) && isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function apartNested(nested: Nested | undefined, given: unknown): Apart {
  if (nested === undefined || !holdsWriteOnly(nested.level)) return { recorded: given, written: undefined };
  const elements = elementsOf(given);
  if (elements) {
    const all = elements.map((element) => apart(nested.level, element));
    const hasWritten = all.some(({ written }) => written !== undefined);
    return {
      recorded: hasWritten ? all.map(({ recorded }) => recorded) : given,
      written: hasWritten ? all.map(({ written }) => written) : undefined,
    };
  }
  if (nested.nesting !== "map" || !isMembered(given)) return apart(nested.level, given);
  const all = Object.entries(given).map(([key, member]) => [key, apart(nested.level, member)] as const);
  const written = all.filter(([, one]) => one.written !== undefined);
  return {
    recorded: Object.fromEntries(all.map(([key, one]) => [key, one.recorded])),
    written: written.length === 0 ? undefined : Object.fromEntries(written.map(([key, one]) => [key, one.written])),
  };
}

/** Joins separated props again. */
export function together(recorded: unknown, written: unknown): unknown {
  if (written === undefined) return recorded;
  if (Array.isArray(recorded) && Array.isArray(written))
    return recorded.map((element, index) => together(element, written[index]));
  if (!isMembered(recorded) || !isMembered(written)) return written;
  const members = Object.entries(written).map(([name, member]) => [name, together(recorded[name], member)]);
  return { ...recorded, ...Object.fromEntries(members) };
}
