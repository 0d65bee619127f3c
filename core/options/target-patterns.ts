import { TargetPattern } from "./target-pattern.js";

/** Many patterns at once: those without wildcards are looked up by their names, and only the others are tried. Pure. */
export class TargetPatterns {
  readonly all: readonly TargetPattern[];
  /** By the path within the stage that they stand for. */
  readonly #exact = new Map<string, TargetPattern[]>();
  readonly #others: TargetPattern[] = [];

  constructor(texts: readonly string[], app: string, stage: string) {
    this.all = texts.map((text) => new TargetPattern(text, app, stage));
    for (const pattern of this.all) {
      if (pattern.path === undefined) this.#others.push(pattern);
      else {
        const known = this.#exact.get(pattern.path);
        if (known) known.push(pattern);
        else this.#exact.set(pattern.path, [pattern]);
      }
    }
  }

  /** @param key path within the stage */
  selects(key: string): boolean {
    return pathsTo(key).some((path) => this.#exact.has(path)) || this.#others.some((pattern) => pattern.selects(key));
  }

  /** Those that select a resource. @param key path within the stage */
  selecting(key: string): readonly TargetPattern[] {
    const exact = pathsTo(key).flatMap((path) => this.#exact.get(path) ?? []);
    return this.#others.length === 0 ? exact : [...exact, ...this.#others.filter((pattern) => pattern.selects(key))];
  }
}

/** A path, and all above it. */
export function pathsTo(key: string): readonly string[] {
  const paths = [key];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) paths.push(key.slice(0, end));
  return paths;
}
