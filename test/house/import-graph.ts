/** What imports what when the built files are loaded: type-only and dynamic imports are no part of it. */
import { packageName, targetOf } from "./import-rules.ts";
import type { SourceImport } from "./source-imports.ts";

export type Imports = ReadonlyMap<string, readonly SourceImport[]>;

/** Groups of files that import each other; each is sorted. */
export function cyclesOf(imports: Imports): string[][] {
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
export function packagesLoadedBy(entry: string, imports: Imports): Map<string, string> {
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

/** The files loaded because of `file`; itself only where it is part of a cycle. */
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
