/** Returns the word for a count of a summary, e.g. `not begun`. */
export function countWord(name: string): string {
  return name === "notBegun" ? "not begun" : name;
}
