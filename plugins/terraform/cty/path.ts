/** A step into a value: a name of an object, a key of a map, a position of a list, or the element of a set itself. */
export type PathStep = string | number | { readonly element: "string" | "number"; readonly key: string | number };

export type Path = readonly PathStep[];

/** What is to be said of a value, or of a part of it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The name, key or position that a step leads to, whichever way it is written. */
export function keyOf(step: PathStep): string | number {
  return typeof step === "object" ? step.key : step;
}

/** A path as people read it, e.g. `rule[0].ports` or `tags["a b"]`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.map(keyOf).map(stepText).join("");
}

function stepText(key: string | number, index: number): string {
  if (typeof key === "number") return `[${key}]`;
  if (!word.test(key)) return `[${JSON.stringify(key)}]`;
  return index === 0 ? key : `.${key}`;
}

/** True where one path leads to, into, or around what the other leads to. */
export function touches(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => {
    const match = other[index];
    return match !== undefined && String(keyOf(step)) === String(keyOf(match));
  });
}
