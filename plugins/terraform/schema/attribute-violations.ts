import { counted } from "../../internal/text/counted.js";
import {
  areSecret,
  type CtyValue,
  isEqual,
  isList,
  isNull,
  isRecord,
  isWhollyKnown,
  memberOf,
  type Path,
  type Problem,
  shown,
  Unknown,
} from "../cty/index.js";
import {
  attributesOf,
  blocksOf,
  holding,
  isComputedOnly,
  type Level,
  memberIn,
  openBlocks,
  typeOfAttribute,
  typeOfBlocks,
} from "./level.js";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "./schema.js";

/** The prior, configured and planned values at one place. */
export interface Planned {
  readonly prior: CtyValue;
  readonly config: CtyValue;
  readonly planned: CtyValue;
}

/** Returns the values of one member. */
function memberOfAll({ prior, config, planned }: Planned, name: string): Planned {
  return { prior: memberOf(prior, name), config: memberIn(config, name), planned: memberIn(planned, name) };
}

/** Returns the values of one element of lists. */
function elementOfAll({ prior, config, planned }: Planned, index: number): Planned {
  const at = (value: CtyValue): CtyValue => (isList(value) ? (value[index] ?? null) : null);
  return { prior: at(prior), config: at(config), planned: at(planned) };
}

/** A planned value must exist if, and only if, a configured one does. */
function presenceViolations({ config, planned }: Planned, path: Path): readonly Problem[] {
  if (isNull(planned) && !isNull(config)) return [{ path, message: "is planned to be absent, but is configured." }];
  if (isNull(config) && !isNull(planned)) return [{ path, message: "is planned to be there, but is not configured." }];
  return [];
}

/** True if a level has values that messages must not show. */
export const holdsSecret = holding(isSecretItself);

/** True if messages must not show the value of an attribute, or of one nested in it. */
export function isSecret(attribute: Attribute): boolean {
  return isSecretItself(attribute) || (attribute.nested !== undefined && holdsSecret(attribute.nested));
}

function isSecretItself({ sensitive, writeOnly }: Attribute): boolean {
  return sensitive === true || writeOnly === true;
}

/** Returns violations of the configuration by the plan for attributes. */
function attributesViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  return attributesOf(level).flatMap(([name, attribute]) => {
    const members = memberOfAll(at, name);
    const isAsConfigured = isEqual(typeOfAttribute(attribute), members.planned, members.config);
    return isAsConfigured ? NONE : attributeViolations(attribute, members, [...path, name]);
  });
}

const NONE: readonly Problem[] = [];

function attributeViolations(attribute: Attribute, at: Planned, path: Path): readonly Problem[] {
  const { prior, config, planned } = at;
  if (isEqual(typeOfAttribute(attribute), planned, prior) && !isNull(prior) && !isNull(config)) return [];
  if (isComputedOnly(attribute) || (attribute.computed && isNull(config))) return [];
  const isHidden = isSecret(attribute) || areSecret([prior, config, planned]);
  const is = isHidden ? "a sensitive value" : shown(planned);
  if (isNull(config)) return [{ path, message: `is planned as ${is}, but is not configured and not computed.` }];
  if (attribute.nested) return nestedViolations(attribute.nested, at, path);
  if (attribute.writeOnly && isNull(planned)) return [];
  if (isHidden) return [{ path, message: "is planned as a sensitive value that is not the configured one." }];
  const before = isNull(prior) ? "" : `, and was ${shown(prior)}`;
  return [{ path, message: `is planned as ${is}, but is configured as ${shown(config)}${before}.` }];
}

function nestedViolations(nested: NestedAttributes, at: Planned, path: Path): readonly Problem[] {
  const presence = presenceViolations(at, path);
  if (presence.length > 0) return presence;
  if (at.planned instanceof Unknown) return [{ path, message: "is planned as unknown, but is configured." }];
  if (nested.nesting === "single") return attributesViolations(nested, at, path);
  if (at.config instanceof Unknown) return nested.nesting === "set" ? [] : [countProblem(at, path)];
  if (nested.nesting === "map")
    return keyViolations(at, path, (member, key) => attributesViolations(nested, member, key));
  if (nested.nesting === "set") return mayHaveSameCount(at.planned, at.config) ? [] : [countProblem(at, path)];
  if (!isList(at.planned) || !isList(at.config) || at.planned.length !== at.config.length)
    return [countProblem(at, path)];
  return at.planned.flatMap((_element, key) =>
    attributesViolations(nested, elementOfAll(at, key), [...path, { element: "number", key }]),
  );
}

function countProblem({ config, planned }: Planned, path: Path): Problem {
  return { path, message: `is planned with ${elementsOf(planned)}, but configured with ${elementsOf(config)}.` };
}

function elementsOf(value: CtyValue): string {
  if (isList(value)) return counted(value.length, "element");
  return isRecord(value) ? counted(Object.keys(value).length, "element") : "an unknown number of elements";
}

/** Unknown elements of a set may turn out to be equal. */
function mayHaveSameCount(one: CtyValue, other: CtyValue): boolean {
  const [[least, most], [otherLeast, otherMost]] = [countsOf(one), countsOf(other)];
  return least <= otherMost && otherLeast <= most;
}

function countsOf(value: CtyValue): readonly [number, number] {
  const count = isList(value) ? value.length : 0;
  return isWhollyKnown(value) ? [count, count] : [Math.min(count, 1), count];
}

/** Both must have the same keys. Each member is checked separately. */
function keyViolations(
  at: Planned,
  path: Path,
  check: (at: Planned, path: Path) => readonly Problem[],
): readonly Problem[] {
  const keysOf = (value: CtyValue): readonly string[] => (isRecord(value) ? Object.keys(value) : []);
  const [planned, given] = [keysOf(at.planned), keysOf(at.config)];
  const pathOf = (key: string): Path => [...path, { element: "string", key }];
  const checked = planned.flatMap((key) =>
    given.includes(key)
      ? check(memberOfAll(at, key), pathOf(key))
      : [{ path: pathOf(key), message: "is planned, but is not configured." }],
  );
  const missing = given.filter((key) => !planned.includes(key));
  return [...checked, ...missing.map((key) => ({ path: pathOf(key), message: "is configured, but is not planned." }))];
}

/**
 * Returns violations of the configuration by a plan. The provider may choose only values that are computed and not
 * configured. It may keep any prior value that means the same as the configured one.
 */
export function planViolations(block: Block, prior: CtyValue, config: CtyValue, planned: CtyValue): readonly Problem[] {
  return blockViolations(block, { prior, config, planned }, []);
}

function blockViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  const presence = presenceViolations(at, path);
  if (presence.length > 0 || isNull(at.planned)) return presence;
  const blocks = blocksOf(level).flatMap(([name, nested]) => {
    const members = memberOfAll(at, name);
    const isAsConfigured = isEqual(typeOfBlocks(nested), members.planned, members.config);
    return isAsConfigured ? NONE : blocksViolations(nested, members, [...path, name]);
  });
  return [...attributesViolations(level, at, path), ...blocks];
}

function blocksViolations(nested: NestedBlock, at: Planned, path: Path): readonly Problem[] {
  const { config, planned } = at;
  if (config instanceof Unknown) return [{ path, message: "is planned, but the configured blocks are not known yet." }];
  if (planned instanceof Unknown)
    return [{ path, message: "is planned as unknown, but only values in a block can be unknown." }];
  const { nesting, block } = nested;
  if (nesting === "single" || nesting === "group") return blockViolations(block, at, path);
  if (isNull(planned)) return [{ path, message: "is planned as null, but must be empty if there are no blocks." }];
  const opened = {
    prior: openBlocks(nested, at.prior),
    config: openBlocks(nested, config),
    planned: openBlocks(nested, planned),
  };
  if (nesting === "list") return listViolations(block, opened, path);
  if (nesting === "map") return keyViolations(opened, path, (member, key) => elementViolations(block, member, key));
  return setViolations(opened.planned, path);
}

function listViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  const [planned, given] = [isList(at.planned) ? at.planned.length : 0, isList(at.config) ? at.config.length : 0];
  if (planned !== given)
    return [{ path, message: `is planned with ${counted(planned, "block")}, but configured with ${given}.` }];
  return Array.from({ length: planned }, (_element, key) =>
    elementViolations(level, elementOfAll(at, key), [...path, { element: "number", key }]),
  ).flat();
}

function elementViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  return at.planned instanceof Unknown ? [unknownBlock(path)] : blockViolations(level, at, path);
}

function unknownBlock(path: Path): Problem {
  return { path, message: "is a block planned as unknown, but only values in a block can be unknown." };
}

/** Elements of a set have no identity, so the plan's elements are accepted as they are. */
function setViolations(planned: CtyValue, path: Path): readonly Problem[] {
  const elements = isList(planned) ? planned : [];
  return elements.flatMap((element, key) =>
    element instanceof Unknown ? [unknownBlock([...path, { element: "number", key }])] : [],
  );
}
