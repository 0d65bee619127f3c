import { counted } from "../../internal/text/counted.js";
import {
  areSecret,
  type CtyType,
  type CtyValue,
  Dynamic,
  isEqual,
  isList,
  isNull,
  isRecord,
  isTypeFor,
  keyOf,
  mayBecome,
  memberOf,
  type Part,
  type Path,
  type PathStep,
  type Problem,
  partsOf,
  shown,
  Unknown,
} from "../cty/index.js";
import { holdsSecret, isSecret } from "./attribute-violations.js";
import { attributesOf, blocksOf, type Level, memberIn, openBlocks, typeOfAttribute } from "./level.js";
import type { Block, NestedBlock } from "./schema.js";

/** Returns violations of a plan by its result. Known planned values must be equal; unknown ones may become anything. */
export function resultViolations(block: Block, planned: CtyValue, actual: CtyValue): readonly Problem[] {
  return blockViolations(block, planned, actual, []);
}

function blockViolations(level: Level, planned: CtyValue, actual: CtyValue, path: Path): readonly Problem[] {
  if (isNull(planned) || isNull(actual)) {
    if (isNull(planned) && isNull(actual)) return [];
    return [
      {
        path,
        message: isNull(planned)
          ? "was planned to be absent, but is there."
          : "was planned to be there, but is absent.",
      },
    ];
  }
  const attributes = attributesOf(level).flatMap(([name, attribute]) => {
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
  // The blocks were unknown, or the provider returned null for no blocks.
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
    return [{ path, message: `has ${counted(actual.length, "block")}, but was planned with ${planned.length}.` }];
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

const ANOTHER_SECRET = "is a sensitive value that is not the planned one.";

/** Returns violations of a planned value. */
function valueViolations(type: CtyType, planned: CtyValue, actual: CtyValue, path: Path): readonly Problem[] {
  if (type === "dynamic") return dynamicViolations(planned, actual, path);
  if (planned instanceof Unknown)
    return mayBecome(planned, actual) ? [] : [{ path, message: `is ${shown(actual)}, which the plan ruled out.` }];
  if (isNull(planned) && isNull(actual)) return [];
  if (actual instanceof Unknown) return [{ path, message: `was planned as ${shown(planned)}, but is unknown.` }];
  if (isNull(planned) || isNull(actual) || typeof type === "string") {
    return isEqual(type, planned, actual) ? [] : [otherwise(planned, actual, path)];
  }
  if (type[0] === "set") {
    const fits = (one: CtyValue, other: CtyValue): boolean => valueViolations(type[1], one, other, path).length === 0;
    return setViolations(isList(planned) ? planned : [], isList(actual) ? actual : [], path, fits);
  }
  return partViolations(partsOf(type, planned), partsOf(type, actual), path);
}

function otherwise(planned: CtyValue, actual: CtyValue, path: Path): Problem {
  return {
    path,
    // Computed lazily, because comparing elements of sets creates many unused problems.
    get message() {
      if (areSecret([planned, actual])) return ANOTHER_SECRET;
      return `was planned as ${shown(planned)}, but is ${shown(actual)}.`;
    },
  };
}

/** A value that was planned without its own type may be anything. */
function dynamicViolations(planned: CtyValue, actual: CtyValue, path: Path): readonly Problem[] {
  if (!(planned instanceof Dynamic) || planned.type === "dynamic") return [];
  if (!(actual instanceof Dynamic)) return [otherwise(planned, actual, path)];
  if (!isTypeFor(actual.type, planned.type))
    return [{ path, message: `was planned as ${typeText(planned.type)}, but is ${typeText(actual.type)}.` }];
  return valueViolations(planned.type, planned.value, actual.value, path);
}

function typeText(type: CtyType): string {
  return typeof type === "string" ? `a ${type}` : `a ${type[0]}`;
}

function partViolations(planned: readonly Part[], actual: readonly Part[], path: Path): readonly Problem[] {
  const now = new Map(actual.map((part) => [keyOf(part.step), part.value]));
  const expected = new Set(planned.map((part) => keyOf(part.step)));
  const at = (step: PathStep): Path => [...path, step];
  const found = planned.flatMap(({ step, type, value }) => {
    const is = now.get(keyOf(step));
    if (is === undefined) return [{ path: at(step), message: "was planned, but is not there." }];
    return valueViolations(type, value, is, at(step));
  });
  const added = actual.filter(({ step }) => !expected.has(keyOf(step)));
  return [...found, ...added.map(({ step }) => ({ path: at(step), message: "was not planned, but is there." }))];
}

/**
 * Elements of a set have no identity: each must match at least one of the others. Unknown elements may have become
 * equal, but there are never more elements than planned.
 */
function setViolations(
  planned: readonly CtyValue[],
  actual: readonly CtyValue[],
  path: Path,
  fits: (planned: CtyValue, actual: CtyValue) => boolean,
  shownAs: (element: CtyValue) => string = shown,
): readonly Problem[] {
  const problems: Problem[] = [];
  const describe = (one: CtyValue): string =>
    areSecret([...planned, ...actual]) ? "an element with a sensitive value" : shownAs(one);
  const lost = planned.filter((one, index) => !anyFits(actual, index, (other) => fits(one, other)));
  if (lost.length > 0)
    problems.push(
      ...lost.map((one) => ({ path, message: `was planned with ${describe(one)}, but does not have it.` })),
    );
  else {
    const added = actual.filter((other, index) => !anyFits(planned, index, (one) => fits(one, other)));
    problems.push(...added.map((other) => ({ path, message: `has ${describe(other)}, which was not planned.` })));
  }
  if (planned.length < actual.length)
    problems.push({
      path,
      message: `has ${counted(actual.length, "element")}, but was planned with ${planned.length}.`,
    });
  return problems;
}

/** Tries the element at the same position first, because it matches most often. */
function anyFits(elements: readonly CtyValue[], index: number, fits: (element: CtyValue) => boolean): boolean {
  const likely = elements[index];
  return (likely !== undefined && fits(likely)) || elements.some(fits);
}
