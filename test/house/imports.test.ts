import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { packageName, targetOf, violationsOf } from "./import-rules.ts";
import { entrySources } from "./package-exports.ts";
import { filesBelow, read, root, sourceFiles } from "./project.ts";
import { type Imports, importsOf } from "./source-imports.ts";

const sources = sourceFiles();
const imports: Imports = new Map(sources.map((file) => [file, importsOf(read(file))] as const));
const heavy = /^(@aws-sdk\/|@smithy\/|redis$|@redis\/|@keyv\/|keyv$|posthog-node$)/;

describe("the project", () => {
  test("imports only in the direction of the house", () => {
    expect([...imports].flatMap(([file, found]) => violationsOf(file, found))).toEqual([]);
  });

  test("imports only files that exist", () => {
    const missing = [...imports].flatMap(([file, found]) =>
      found.flatMap(({ specifier = "" }) => {
        const target = targetOf(file, specifier);
        return target === undefined || existsSync(root + target) ? [] : [`${file} imports ${target}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  test("has no import cycle except type-only ones", () => {
    expect(cyclesOf(imports)).toEqual([]);
  });

  test('loads no driver with "scope-engine"', () => {
    const loaded = packagesLoadedBy("plugins/index.ts", imports);
    expect([...loaded].filter(([name]) => heavy.test(name))).toEqual([]);
    expect([...loaded.keys()].sort()).toEqual(["mitt", "tapable"]);
  });

  test("has an index.ts only at entries, and at the doors of core's rooms and of large plugins", () => {
    const entries = new Set(entrySources());
    const isDoor = (file: string): boolean =>
      entries.has(file) || /^(core|adapters\/memory|plugins\/admin\/operations|plugins\/(terraform|ui))\//.test(file);
    expect(sources.filter((file) => file.endsWith("/index.ts") && !isDoor(file))).toEqual([]);
  });

  test("reaches its own sources by relative paths, and the examples reach it by its name", () => {
    const byName = [...imports].filter(([, found]) =>
      found.some(({ specifier }) => specifier?.startsWith("scope-engine")),
    );
    expect(byName.map(([file]) => file)).toEqual([]);
    const inside = filesBelow("docs/examples", (path) => path.endsWith(".ts")).filter((file) =>
      importsOf(read(file)).some(({ specifier }) => /^(\.\.\/)+(core|plugins|adapters|dist)\//.test(specifier ?? "")),
    );
    expect(inside).toEqual([]);
  });
});

/** Groups of files that import each other; each is sorted. */
function cyclesOf(imports: Imports): string[][] {
  const targets = targetsOf(imports);
  const reach = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, targets)] as const));
  const cycles = new Map<string, string[]>();
  for (const [file, reached] of reach) {
    if (!reached.has(file)) continue;
    const group = [...reached].filter((target) => reach.get(target)?.has(file)).sort();
    cycles.set(group.join(), group);
  }
  return [...cycles.values()];
}

/** Every package that is loaded with `entry`, with one file that imports it. */
function packagesLoadedBy(entry: string, imports: Imports): Map<string, string> {
  const packages = new Map<string, string>();
  for (const file of [entry, ...reachableFrom(entry, targetsOf(imports))]) {
    for (const specifier of loadedBy(file, imports)) {
      if (!specifier.startsWith(".") && !specifier.startsWith("node:")) packages.set(packageName(specifier), file);
    }
  }
  return packages;
}

/** The files that each file loads itself. */
function targetsOf(imports: Imports): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...imports.keys()].map((file) => {
      const targets = loadedBy(file, imports).map((specifier) => targetOf(file, specifier));
      return [file, targets.filter((target) => target !== undefined)];
    }),
  );
}

/** The files loaded because of `file`; the file itself only if it is part of a cycle. */
function reachableFrom(file: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const target of targets.get(from) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      visit(target);
    }
  };
  visit(file);
  return reached;
}

function loadedBy(file: string, imports: Imports): string[] {
  return (imports.get(file) ?? []).flatMap((one) =>
    one.kind === "static" && one.specifier !== undefined ? [one.specifier] : [],
  );
}
