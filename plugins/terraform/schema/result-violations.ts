import {
  type CtyValue,
  isList,
  isNull,
  isRecord,
  memberOf,
  type Path,
  type Problem,
  shown,
  Unknown,
} from "../cty/index.js";
import { holdsSecret, isSecret } from "./attribute-violations.js";
import { typeOfAttribute } from "./implied-type.js";
import { blocksOf, type Level } from "./level.js";
import { memberIn, openBlocks } from "./nested-values.js";
import type { Block, NestedBlock } from "./schema.js";
import { ANOTHER_SECRET, setViolations, valueViolations } from "./value-violations.js";

/** Where what a provider has made is not what was planned: all that was known has to be so, and what was unknown may be anything. */
export function resultViolations(block: Block, planned: CtyValue, actual: CtyValue): readonly Problem[] {
  return blockViolations(block, planned, actual, []);
}

function blockViolations(level: Level, planned: CtyValue, actual: CtyValue, path: Path): readonly Problem[] {
  if (isNull(planned) || isNull(actual)) {
    if (isNull(planned) && isNull(actual)) return [];
    return [{ path, message: isNull(planned) ? "was absent, but is there now." : "was there, but is absent now." }];
  }
  const attributes = Object.entries(level.attributes).flatMap(([name, attribute]) => {
    const at = [...path, name];
    const found = valueViolations(typeOfAttribute(attribute), memberIn(planned, name), memberIn(actual, name), at);
    if (found.length === 0 || !isSecret(attribute)) return found;
    return [{ path: at, message: ANOTHER_SECRET }];
  });
  const blocks = blocksOf(level).flatMap(([name, nested]) => {
    const [before, now] = [memberIn(planned, name), memberIn(actual, name)];
    return blocksViolations(nested, openBlocks(nested, before), openBlocks(nested, now), [...path, name]);
  });
  return [...attributes, ...blocks];
}

function blocksViolations(nested: NestedBlock, planned: CtyValue, actual: CtyValue, path: Path): readonly Problem[] {
  const { nesting, block } = nested;
  if (nesting === "single" || nesting === "group") {
    return planned instanceof Unknown && isNull(actual) ? [] : blockViolations(block, planned, actual, path);
  }
  if (isRecord(planned) && isRecord(actual)) return mapViolations(block, planned, actual, path);
  // It was not known which blocks there are; and where there are none, some providers say null.
  if (!isList(planned) || !isList(actual)) return [];
  if (nesting === "set") {
    const fits = (one: CtyValue, other: CtyValue): boolean => blockViolations(block, one, other, path).length === 0;
    return setViolations(
      planned,
      actual,
      path,
      fits,
      holdsSecret(block) ? () => "a block with a sensitive value" : shown,
    );
  }
  if (planned.length !== actual.length)
    return [{ path, message: `has ${actual.length} blocks, but was planned with ${planned.length}.` }];
  return planned.flatMap((element, key) =>
    blockViolations(block, element, actual[key] ?? null, [...path, { element: "number", key }]),
  );
}

function mapViolations(
  level: Level,
  planned: { readonly [key: string]: CtyValue },
  actual: { readonly [key: string]: CtyValue },
  path: Path,
): readonly Problem[] {
  const pathOf = (key: string): Path => [...path, { element: "string", key }];
  const found = Object.keys(planned).flatMap((key) =>
    Object.hasOwn(actual, key)
      ? blockViolations(level, memberOf(planned, key), memberOf(actual, key), pathOf(key))
      : [{ path: pathOf(key), message: "was planned, but is not there." }],
  );
  const added = Object.keys(actual).filter((key) => !Object.hasOwn(planned, key));
  return [...found, ...added.map((key) => ({ path: pathOf(key), message: "was not planned, but is there." }))];
}
