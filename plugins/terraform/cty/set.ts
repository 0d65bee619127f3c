import { fingerprint } from "./fingerprint.js";
import { isWhollyKnown } from "./known.js";
import type { CtyType } from "./type.js";
import type { CtyValue } from "./value.js";

/** The elements of a set, each once. What is not known yet may turn out to be another one. */
export function setOf(type: CtyType, elements: readonly CtyValue[]): readonly CtyValue[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const text = fingerprint(type, element);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst || !isWhollyKnown(element);
  });
}
