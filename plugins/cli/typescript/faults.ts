/** Formats the faults in a program's sources for people. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { nearest } from "../../../core/base/index.js";
import type { SourceFault } from "./compiled.js";
import { isPath } from "./known.js";

export function faultsText(faults: readonly SourceFault[]): string {
  return faults.map(faultText).join("\n\n");
}

function faultText({ message, position: { path, line, column } }: SourceFault): string {
  const near = relative(process.cwd(), path);
  const where = `${near.startsWith("..") ? path : near}:${line}:${column}`;
  const shown = lineOf(path, line);
  if (shown === undefined) return `${where}: ${message}`;
  const before = `  ${line} | `;
  const mark = " ".repeat(before.length + Math.max(0, column - 1));
  return `${where}: ${message}\n${before}${shown}\n${mark}^`;
}

/** @param meant paths of missing files that the import may mean */
export function lostText(specifier: string, meant: readonly string[]): string {
  const [first = ""] = meant;
  const near = nearest(basename(first), namesIn(dirname(first)));
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return isPath(specifier)
    ? `Cannot find "${specifier}".${hint}`
    : `Cannot find "${specifier}". The "paths" of the tsconfig lead to: ${meant.join(", ")}.${hint}`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lineOf(path: string, line: number): string | undefined {
  const shown = readFileSync(path, "utf8").split(/\r?\n/)[line - 1]?.replaceAll("\t", " ");
  // A very long line is generated code and is not shown.
  return shown === undefined || shown.length > 300 ? undefined : shown;
}
