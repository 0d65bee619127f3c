import { sameType } from "./equal.js";
import type { CtyType } from "./type.js";

/** The one type that values of all these types can be given; undefined where there is none. What is still `dynamic` fits to any. */
export function unify(types: readonly CtyType[]): CtyType | undefined {
  const [first, ...rest] = types.filter((type) => type !== "dynamic");
  if (first === undefined) return "dynamic";
  if (rest.every((type) => sameType(first, type))) return first;
  const all = [first, ...rest];
  if (all.every(isPrimitive)) return all.includes("string") ? "string" : undefined;
  const [kind] = first;
  if (!all.every((type) => !isPrimitive(type) && type[0] === kind)) return undefined;
  if (kind === "object") return unifyObjects(all);
  return kind === "tuple" ? unifyTuples(all) : wrapped(kind as "list" | "set" | "map", all.flatMap(innerTypes));
}

function isPrimitive(type: CtyType): boolean {
  return typeof type === "string";
}

function wrapped(kind: "list" | "set" | "map", inner: readonly CtyType[]): CtyType | undefined {
  const type = unify(inner);
  return type && [kind, type];
}

/** Objects with other names become maps, where their members can be of one type. */
function unifyObjects(types: readonly CtyType[]): CtyType | undefined {
  const members = types.map(
    (type) => new Map(Object.entries(type[0] === "object" && !isPrimitive(type) ? type[1] : {})),
  );
  const names = [...(members[0]?.keys() ?? [])];
  const haveSame = members.every((of) => of.size === names.length && names.every((name) => of.has(name)));
  if (!haveSame) return wrapped("map", types.flatMap(innerTypes));
  const unified: [string, CtyType][] = [];
  for (const name of names) {
    const type = unify(members.flatMap((of) => of.get(name) ?? []));
    if (type === undefined) return undefined;
    unified.push([name, type]);
  }
  return ["object", Object.fromEntries(unified)];
}

/** Tuples of other lengths become lists, where their elements can be of one type. */
function unifyTuples(types: readonly CtyType[]): CtyType | undefined {
  const all = types.map(innerTypes);
  const length = all[0]?.length ?? 0;
  if (!all.every((elements) => elements.length === length)) return wrapped("list", all.flat());
  const unified: CtyType[] = [];
  for (let index = 0; index < length; index++) {
    const type = unify(all.map((elements) => elements[index] ?? "dynamic"));
    if (type === undefined) return undefined;
    unified.push(type);
  }
  return ["tuple", unified];
}

function innerTypes(type: CtyType): readonly CtyType[] {
  if (typeof type === "string") return [];
  if (type[0] === "tuple") return type[1];
  return type[0] === "object" ? Object.values(type[1]) : [type[1]];
}
