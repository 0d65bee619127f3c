import { type CtyType, elementType, keyOf, memberType, type Path, pathText } from "../cty/index.js";
import { attributeOf, blockOf, type Level, type Nested, nestedIn } from "./level.js";
import { namesOf } from "./names.js";

/** Where something is in the props or the output of a resource, in the names of programs. */
export type ProgramPath = readonly (string | number)[];

/** A path of a provider in the names of programs. What the schema does not know is left as it is. */
export function programPath(level: Level, path: Path): ProgramPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const name = String(keyOf(step));
  const program = namesOf(level).toProgram.get(name);
  const of = attributeOf(level, name) ?? blockOf(level, name);
  if (program === undefined || of === undefined) return path.map(keyOf);
  const nested = nestedIn(of);
  return [program, ...(nested || "block" in of ? nestedPath(nested, rest) : programPathIn(of.type, rest))];
}

function nestedPath(nested: Nested | undefined, path: Path): ProgramPath {
  if (nested === undefined) return path.map(keyOf);
  if (nested.nesting === "single" || nested.nesting === "group") return programPath(nested.level, path);
  const [step, ...rest] = path;
  return step === undefined ? [] : [keyOf(step), ...programPath(nested.level, rest)];
}

/** The same within an attribute whose type is no nested one. */
export function programPathIn(type: CtyType, path: Path): ProgramPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const key = keyOf(step);
  if (typeof type === "string") return path.map(keyOf);
  if (type[0] === "object") {
    const name = String(key);
    const member = memberType(type[1], name) ?? "dynamic";
    return [namesOf(type[1]).toProgram.get(name) ?? name, ...programPathIn(member, rest)];
  }
  return [key, ...programPathIn(elementType(type, Number(key)), rest)];
}

/** As people read it, e.g. `ingress[0].cidrBlocks`. */
export function programPathText(path: ProgramPath): string {
  return pathText(path);
}
