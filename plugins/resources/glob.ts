/** Patterns for files: `*` and `?` within a name, `**` for any number of folders. Pure. */

export interface Glob {
  /** The folders before the first wildcard, `""` for none. */
  readonly base: string;
  /** True for a path with `/`, relative to where the pattern starts. */
  matches(path: string): boolean;
}

/** Undefined for a path without wildcards. As in a shell, wildcards leave out names that begin with a dot. */
export function parseGlob(pattern: string): Glob | undefined {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first < 0) return undefined;
  const source = parts.map((part, index) => sourceOf(part, index === parts.length - 1)).join("");
  const expression = new RegExp(`^${source}$`, "u");
  return { base: parts.slice(0, first).join("/"), matches: (path) => expression.test(path) };
}

function sourceOf(part: string, isLast: boolean): string {
  if (part === "**") return isLast ? "(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+" : "(?:(?!\\.)[^/]+/)*";
  const visible = /^[*?]/.test(part) ? "(?!\\.)" : "";
  const name = part.replace(/[\\^$.+()[\]{}|*?]/g, (character) => {
    if (character === "*") return "[^/]*";
    return character === "?" ? "[^/]" : `\\${character}`;
  });
  return visible + name + (isLast ? "" : "/");
}
