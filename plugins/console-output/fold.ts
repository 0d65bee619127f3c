/** Folds a text into rows of a terminal, at spaces where there are any. */

/** @param width columns that a text takes */
export function fold(text: string, columns: number, width: (text: string) => number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (width(longer) <= columns) {
      row = longer;
      continue;
    }
    if (row !== "") rows.push(row);
    const parts = partsOf(word, columns, width);
    row = parts.pop() ?? "";
    rows.push(...parts);
  }
  return [...rows, row];
}

/** A word that is too long for a row is cut where the row ends. */
function partsOf(word: string, columns: number, width: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part !== "" && width(part + character) > columns) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}
