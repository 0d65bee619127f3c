/** What imports what when the built files are loaded: type-only and dynamic imports are no part of it. */
import { packageName, targetOf } from "./import-rules.ts";
import type { SourceImport } from "./source-imports.ts";

export type Imports = ReadonlyMap<string, readonly SourceImport[]>;

/** Groups of files that import each other; each is sorted. */
export function cyclesOf(imports: Imports): string[][] {
  const reach = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, imports)] as const));
  const cycles = new Map<string, string[]>();
  for (const [file, targets] of reach) {
    if (!targets.has(file)) continue;
    const group = [...targets].filter((target) => reach.get(target)?.has(file)).sort();
    cycles.set(group.join(), group);
  }
  return [...cycles.values()];
}

/** Every package that is loaded with `entry`, with one file that imports it. */
export function packagesLoadedBy(entry: string, imports: Imports): Map<string, string> {
  const packages = new Map<string, string>();
  for (const file of [entry, ...reachableFrom(entry, imports)]) {
    for (const specifier of loadedBy(file, imports)) {
      if (!specifier.startsWith(".") && !specifier.startsWith("node:")) packages.set(packageName(specifier), file);
    }
  }
  return packages;
}

/** The files loaded because of `file`; itself only where it is part of a cycle. */
function reachableFrom(file: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const specifier of loadedBy(from, imports)) {
      const target = targetOf(from, specifier);
      if (target === undefined || reached.has(target)) continue;
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
