/** The names that a JSON Pointer leads through. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A JSON Pointer for people: `tags.team`; `all` for the whole. */
export function shownPointer(pointer: string): string {
  return stepsOf(pointer).join(".") || "all";
}
