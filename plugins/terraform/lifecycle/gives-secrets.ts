import { type Level, namesOf, nestedIn } from "../schema/index.js";

/** True where the output will have something sensitive: what the provider makes itself, or what it is given. */
export function givesSecrets(level: Level, props: unknown): boolean {
  const { toProgram } = namesOf(level);
  const given = (name: string): unknown => Reflect.get(Object(props), toProgram.get(name) ?? name);
  const attributes = Object.entries(level.attributes);
  if (attributes.some(([name, { sensitive, computed }]) => sensitive && (computed || given(name) !== undefined)))
    return true;
  return [...attributes, ...Object.entries(level.blocks ?? {})].some(([name, of]) => {
    const nested = nestedIn(of);
    if (!nested) return false;
    if ("computed" in of && of.computed) return givesSecrets(nested.level, {});
    // A group is there whether or not it is given.
    if (nested.nesting === "group" && given(name) === undefined) return givesSecrets(nested.level, {});
    return elementsOf(given(name)).some((element) => givesSecrets(nested.level, element));
  });
}

/** One, several, or those of a map. */
function elementsOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given;
  return typeof given === "object" ? [given, ...Object.values(given)] : [given];
}
