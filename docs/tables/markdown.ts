/** Tables in Markdown: the names in their rows, and the same tables with names and cells from code. */

/** A table of the guide that follows code. It stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
export interface Table {
  /** Path from the root. */
  readonly page: string;
  /** A page may have several tables of one name: each name of the code has a row in one of them. */
  readonly name: string;
  readonly names: readonly string[];
  /** True if the rows follow the order of `names`. */
  readonly isOrdered?: boolean;
  /** The names in the first cell of a row. Default: all names in code spans. */
  readonly namesIn?: (cell: string) => readonly string[];
  /** Cells made from code, by the heading of their column; `undefined` keeps the cell as it is written. */
  readonly cells?: Readonly<Record<string, (name: string) => string | undefined>>;
}

interface Row {
  readonly names: readonly string[];
  readonly cells: readonly string[];
}

export function inCodeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** The text of a page with its tables of one name filled in from code, and the cells that code cannot supply. */
export function generated(text: string, table: Table): { readonly text: string; readonly problems: readonly string[] } {
  const { page, name, names } = table;
  const seen: string[] = [];
  const problems: string[] = [];
  const blocks = new RegExp(
    `(<!-- generated: ${name.replaceAll("/", "\\/")} -->\\n\\n)(.*?)(\\n\\n<!-- end -->)`,
    "gs",
  );
  const replaced = text.replaceAll(blocks, (_, before: string, block: string, after: string) => {
    const [heading = "", , ...lines] = block.split("\n");
    const headings = cellsOf(heading);
    const rows = lines.flatMap((line) => rowOf(cellsOf(line), headings, table, problems));
    seen.push(...rows.flatMap((row) => row.names));
    if (table.isOrdered) rows.sort((a, b) => names.indexOf(a.names[0] ?? "") - names.indexOf(b.names[0] ?? ""));
    const all = [headings, headings.map(() => "---"), ...rows.map(({ cells }) => cells)];
    return `${before}${all.map(lineOf).join("\n")}${after}`;
  });
  const missing = names.filter((one) => !seen.includes(one));
  const twice = seen.filter((one, index) => seen.indexOf(one) !== index);
  problems.push(
    ...missing.map(
      (one) => `${page}: \`${one}\` has no row. Describe it in a table that is marked "generated: ${name}".`,
    ),
    ...twice.map((one) => `${page}: \`${one}\` has two rows in the tables "generated: ${name}". Delete one.`),
  );
  return { text: replaced, problems };
}

/** A row without the names that code no longer has; none if all of them are gone. */
function rowOf(cells: readonly string[], headings: readonly string[], table: Table, problems: string[]): Row[] {
  const [first = "", ...rest] = cells;
  const written = (table.namesIn ?? inCodeSpans)(first);
  const names = written.filter((name) => table.names.includes(name));
  if (names.length === 0) return [];
  const kept = names.length === written.length ? first : names.map((name) => `\`${name}\``).join(", ");
  const made = [kept, ...rest].map((cell, index) => {
    const make = table.cells?.[headings[index] ?? ""];
    if (!make) return cell;
    const values = [...new Set(names.map(make))];
    if (index === 0) return names.map((name) => make(name) ?? `\`${name}\``).join(", ");
    if (values.length > 1) problems.push(`${table.page}: ${kept} differ in "${headings[index]}". Give each a row.`);
    return values[0] ?? cell;
  });
  return [{ names, cells: made }];
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function lineOf(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}

/** The names in the first cells of the tables whose first column has a heading, each in a code span. */
export function namesInTables(markdown: string, heading: string): string[] {
  return markdown.split(/\n(?!\|)/).flatMap((block) => {
    const [first = "", ...lines] = block.split("\n").filter((line) => line.startsWith("|"));
    const isMeant = cellsOf(first)[0]?.toLowerCase() === heading;
    return isMeant ? lines.flatMap((line) => inCodeSpans(cellsOf(line)[0] ?? "")) : [];
  });
}

/** The text below a heading of the second level. */
export function sectionOf(markdown: string, title: string): string {
  return markdown.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}
