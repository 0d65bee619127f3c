/** The rooms of core, from the ground up: a room uses only those before it, in types, too. */
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesOf, targetOf } from "./import-rules.ts";
import { read, sourceFiles } from "./project.ts";
import { type Imports, importsOf } from "./source-imports.ts";

const sources = sourceFiles();
const imports: Imports = new Map(sources.map((file) => [file, importsOf(read(file))] as const));
const core = sources.filter((file) => file.startsWith("core/"));

const ROOMS: readonly string[] = [
  "base",
  "contract",
  "codec",
  "options",
  "state",
  "plugin",
  "order",
  "run",
  "scope",
  "resource",
  "handler",
  "rename",
  "destroy",
  "apply",
  "engine",
];

/** Limits of a folder. */
const MOST_FILES = 20;

/**
 * The types that programs and plugins see refer to each other: a scope has hooks, and hooks get values that have a
 * scope. That is one circle, in one room, and it may be larger than others.
 */
const PUBLIC_TYPES = "core/contract/";
const MOST_IN_A_CIRCLE = 4;

describe("core", () => {
  test("has its files in rooms", () => {
    expect(core.filter((file) => levelOf(file) === undefined)).toEqual([]);
  });

  test("has no room that uses one above it", () => {
    expect(upwardImports(imports)).toEqual([]);
  });

  test("has no folder that is too full", () => {
    const files = new Map<string, number>();
    for (const file of core) files.set(posix.dirname(file), (files.get(posix.dirname(file)) ?? 0) + 1);
    const full = [...files].filter(([, count]) => count > MOST_FILES);
    expect(full).toEqual([]);
  });
});

describe("all that is built", () => {
  test("comes into the rooms of core by their doors", () => {
    expect(pastDoors(imports)).toEqual([]);
  });

  test("has no large circle of files, types counted", () => {
    const large = circlesOf(imports).filter(({ length }) => length > MOST_IN_A_CIRCLE);
    expect(large.filter((circle) => !circle.every((file) => file.startsWith(PUBLIC_TYPES)))).toEqual([]);
    expect(large.length).toBeLessThanOrEqual(1);
  });
});

/** Undefined for a file outside all rooms. */
function levelOf(file: string): number | undefined {
  const [top, room = "", ...rest] = file.split("/");
  const level = ROOMS.indexOf(room);
  return top === "core" && rest.length > 0 && level >= 0 ? level : undefined;
}

/** Imports of core that lead to a room above, as sentences. */
function upwardImports(imports: Imports): string[] {
  return [...imports].flatMap(([file, found]) =>
    found.flatMap(({ specifier = "", line }) => {
      const [from, to] = [levelOf(file), levelOf(targetOf(file, specifier) ?? "")];
      return from !== undefined && to !== undefined && to > from ? [`${file}:${line} imports ${specifier}`] : [];
    }),
  );
}

/**
 * Imports of a room from outside that bypass its index file, as sentences. A module that is loaded on demand may be
 * imported directly.
 */
function pastDoors(imports: Imports): string[] {
  return [...imports].flatMap(([file, found]) =>
    found.flatMap(({ specifier = "", kind, line }) => {
      const target = targetOf(file, specifier) ?? "";
      const isInside = levelOf(target) === undefined || levelOf(target) === levelOf(file);
      const isExempt = kind === "dynamic" || target.endsWith("/index.ts");
      return isInside || isExempt ? [] : [`${file}:${line} imports ${specifier}`];
    }),
  );
}
