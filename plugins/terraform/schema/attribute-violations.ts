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
import { typeOfAttribute } from "./implied-type.js";
import { holding, isComputedOnly, type Level } from "./level.js";
import { memberIn } from "./nested-values.js";
import type { Attribute, NestedAttributes } from "./schema.js";

/** What was, what is configured, and what is planned to be, at one place. */
export interface Planned {
  readonly prior: CtyValue;
  readonly config: CtyValue;
  readonly planned: CtyValue;
}

/** The same of one member. */
export function memberOfAll({ prior, config, planned }: Planned, name: string): Planned {
  return { prior: memberOf(prior, name), config: memberIn(config, name), planned: memberIn(planned, name) };
}

/** The same of one element of lists. */
export function elementOfAll({ prior, config, planned }: Planned, index: number): Planned {
  const at = (value: CtyValue): CtyValue => (isList(value) ? (value[index] ?? null) : null);
  return { prior: at(prior), config: at(config), planned: at(planned) };
}

/** What is planned is there where what is configured is. */
export function presenceViolations({ config, planned }: Planned, path: Path): readonly Problem[] {
  if (isNull(planned) && !isNull(config)) return [{ path, message: "is planned to be absent, but is configured." }];
  if (isNull(config) && !isNull(planned)) return [{ path, message: "is planned to be there, but is not configured." }];
  return [];
}

/** True where a level has values that must not be told. */
export const holdsSecret = holding(isSecretItself);

/** True where a value must not be told: that of an attribute, or of one nested in it. */
export function isSecret(attribute: Attribute): boolean {
  return isSecretItself(attribute) || (attribute.nested !== undefined && holdsSecret(attribute.nested));
}

function isSecretItself({ sensitive, writeOnly }: Attribute): boolean {
  return sensitive === true || writeOnly === true;
}

/** Where the plan for attributes is none for what is configured. */
export function attributesViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  return Object.entries(level.attributes).flatMap(([name, attribute]) =>
    attributeViolations(attribute, memberOfAll(at, name), [...path, name]),
  );
}

function attributeViolations(attribute: Attribute, at: Planned, path: Path): readonly Problem[] {
  const { prior, config, planned } = at;
  const type = typeOfAttribute(attribute);
  if (isEqual(type, planned, config)) return [];
  if (isEqual(type, planned, prior) && !isNull(prior) && !isNull(config)) return [];
  if (isComputedOnly(attribute) || (attribute.computed && isNull(config))) return [];
  const isHidden = isSecret(attribute) || areSecret([prior, config, planned]);
  const is = isHidden ? "a sensitive value" : shown(planned);
  if (isNull(config)) return [{ path, message: `is planned as ${is}, but is not configured and not computed.` }];
  if (attribute.nested) return nestedViolations(attribute.nested, at, path);
  if (attribute.writeOnly && isNull(planned)) return [];
  if (isHidden) return [{ path, message: "is planned as another sensitive value than is configured." }];
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
  return { path, message: `is planned with ${countOf(planned)} elements, but configured with ${countOf(config)}.` };
}

function countOf(value: CtyValue): string {
  return isList(value)
    ? String(value.length)
    : isRecord(value)
      ? String(Object.keys(value).length)
      : "an unknown number of";
}

/** Elements of a set that are not known yet may turn out to be one. */
function mayHaveSameCount(one: CtyValue, other: CtyValue): boolean {
  const [[least, most], [otherLeast, otherMost]] = [countsOf(one), countsOf(other)];
  return least <= otherMost && otherLeast <= most;
}

function countsOf(value: CtyValue): readonly [number, number] {
  const count = isList(value) ? value.length : 0;
  return isWhollyKnown(value) ? [count, count] : [Math.min(count, 1), count];
}

/** Both have the same keys; each member is judged by itself. */
export function keyViolations(
  at: Planned,
  path: Path,
  judge: (at: Planned, path: Path) => readonly Problem[],
): readonly Problem[] {
  const keysOf = (value: CtyValue): readonly string[] => (isRecord(value) ? Object.keys(value) : []);
  const [planned, given] = [keysOf(at.planned), keysOf(at.config)];
  const pathOf = (key: string): Path => [...path, { element: "string", key }];
  const judged = planned.flatMap((key) =>
    given.includes(key)
      ? judge(memberOfAll(at, key), pathOf(key))
      : [{ path: pathOf(key), message: "is planned, but is not configured." }],
  );
  const missing = given.filter((key) => !planned.includes(key));
  return [...judged, ...missing.map((key) => ({ path: pathOf(key), message: "is configured, but is not planned." }))];
}
