/** The rooms of core, from the ground up: a room uses only those before it, in types, too. */

import type { Imports } from "./import-graph.ts";
import { targetOf } from "./import-rules.ts";

export const ROOMS: readonly string[] = [
  "base",
  "contract",
  "codec",
  "options",
  "state",
  "plugin",
  "render",
  "order",
  "scope",
  "resource",
  "select",
  "run",
  "handler",
  "records",
  "destroy",
  "apply",
  "plan",
  "engine",
  "admin",
  "testing",
];

/** What may be in a folder; the entry of core is in none. */
export const MOST_FILES = 20;

/** Undefined for what is in no room. */
export function levelOf(file: string): number | undefined {
  const [top, room = "", ...rest] = file.split("/");
  const level = ROOMS.indexOf(room);
  return top === "core" && rest.length > 0 && level >= 0 ? level : undefined;
}

/** Imports of core that lead to a room above, as sentences. */
export function upwardImports(imports: Imports): string[] {
  return [...imports].flatMap(([file, found]) =>
    found.flatMap(({ specifier = "", line }) => {
      const [from, to] = [levelOf(file), levelOf(targetOf(file, specifier) ?? "")];
      return from !== undefined && to !== undefined && to > from ? [`${file}:${line} imports ${specifier}`] : [];
    }),
  );
}

/**
 * Imports of a room from outside of it that do not come by its door, as sentences. What is loaded only when it is needed may be named by
 * itself, and the package's own entry exports what it does file by file.
 */
export function pastDoors(imports: Imports): string[] {
  return [...imports].flatMap(([file, found]) =>
    found.flatMap(({ specifier = "", kind, line }) => {
      const target = targetOf(file, specifier) ?? "";
      const isInside = levelOf(target) === undefined || levelOf(target) === levelOf(file);
      const isExempt = kind === "dynamic" || file === "core/index.ts" || target.endsWith("/index.ts");
      return isInside || isExempt ? [] : [`${file}:${line} imports ${specifier}`];
    }),
  );
}

/** Groups of files that reach each other by imports, those of types among them, and dynamic ones not; the largest first. */
export function circlesOf(imports: Imports): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    path.push(file);
    for (const target of importedBy(file, imports)) {
      if (!numbers.has(target)) visit(target);
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== number) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return circles.sort((one, other) => other.length - one.length);
}

function importedBy(file: string, imports: Imports): string[] {
  return (imports.get(file) ?? []).flatMap(({ specifier = "", kind }) => {
    const target = kind === "dynamic" ? undefined : targetOf(file, specifier);
    return target !== undefined && imports.has(target) ? [target] : [];
  });
}
