/** What a summary counts, as people say it, e.g. `not begun`. */
export function countWord(name: string): string {
  if (name === "skipped") return "unchanged";
  return name === "notBegun" ? "not begun" : name;
}
