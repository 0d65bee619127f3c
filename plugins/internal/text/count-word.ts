/** What a summary counts, as people say it, e.g. `not begun`. */
export function countWord(name: string): string {
  return name === "notBegun" ? "not begun" : name;
}
