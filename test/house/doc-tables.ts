/** What the guide's tables list, and what the sources have. */
import ts from "typescript";

/**
 * The names in the first cells of the tables whose first column is headed `heading`, each in a code span; a cell may
 * hold several.
 */
export function namesInTables(markdown: string, heading: string): string[] {
  const names: string[] = [];
  let listed = false;
  let inTable = false;
  for (const line of markdown.split("\n")) {
    const first = /^\s*\|([^|]*)\|/.exec(line)?.[1]?.trim();
    if (first === undefined) inTable = false;
    else if (!inTable) {
      inTable = true;
      listed = first.toLowerCase() === heading;
    } else if (listed) names.push(...[...first.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""));
  }
  return names;
}

/** The cells of each row of the tables whose first column is headed `heading`. */
export function rowsOf(markdown: string, heading: string): string[][] {
  const rows: string[][] = [];
  let table: string[][] | undefined;
  for (const line of markdown.split("\n")) {
    const cells = /^\s*\|/.test(line) ? cellsOf(line) : undefined;
    if (!cells) table = undefined;
    else if (!table) table = cells[0]?.toLowerCase() === heading ? rows : [];
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.push(cells);
  }
  return rows;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** The names of an interface's members. */
export function membersOf(source: string, interfaceName: string): string[] {
  return [...typesOf(source, interfaceName).keys()];
}

/** The members of an interface by their names, each with its type as it is written. */
export function typesOf(source: string, interfaceName: string): Map<string, string> {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const found = file.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === interfaceName);
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`There is no interface ${interfaceName}.`);
  return new Map(
    found.members.flatMap((member): [string, string][] => {
      const { name } = member;
      if (!name || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return [];
      return [[name.text, ts.isPropertySignature(member) ? (member.type?.getText() ?? "") : ""]];
    }),
  );
}

/** Every string in a source text, but those of the array called `except`. */
export function stringsIn(source: string, except?: string): Set<string> {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const strings = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === except) return;
    if (ts.isStringLiteralLike(node)) strings.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return strings;
}

export interface Difference {
  readonly undocumented: string[];
  readonly unknown: string[];
}

/** What the code has and the page lacks, and the other way round. */
export function difference(code: readonly string[], page: readonly string[]): Difference {
  return {
    undocumented: code.filter((name) => !page.includes(name)),
    unknown: page.filter((name) => !code.includes(name)),
  };
}

/** The text below each heading of the second level, by that heading. */
export function sectionsOf(markdown: string): Map<string, string> {
  const [, ...parts] = markdown.split(/^## /m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")).trim(), part.slice(part.indexOf("\n"))]));
}

/** The cells below `column`, of the tables whose first column is headed `heading`. */
export function columnOf(markdown: string, heading: string, column: string): string[] {
  const cells: string[] = [];
  let at = -1;
  let inTable = false;
  for (const line of markdown.split("\n")) {
    const row = line.startsWith("|") ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : undefined;
    if (row === undefined) inTable = false;
    else if (!inTable) {
      inTable = true;
      at = row[1]?.toLowerCase() === heading ? row.findIndex((cell) => cell.toLowerCase() === column) : -1;
    } else if (at >= 0 && !/^-+$/.test(row[at] ?? "")) cells.push(row[at] ?? "");
  }
  return cells;
}
