/** The `exports` of package.json, and the sources that they are built from. */
import { filesBelow, read } from "./project.ts";

type Target = null | string | Readonly<Record<string, string>>;

/** A subpath that a program may import, and its source. */
export interface PackageEntry {
  /** As a program writes it, e.g. `scope-engine/resources`. */
  readonly specifier: string;
  readonly source: string;
  /** The files that package.json names, from the root, e.g. `dist/plugins/index.js`. */
  readonly built: readonly string[];
}

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Target>>;
}

export function manifest(): Manifest {
  return JSON.parse(read("package.json"));
}

/** The entries that are TypeScript, wildcards replaced by the files that they match. */
export function packageEntries({ name, exports }: Manifest, files: readonly string[]): PackageEntry[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const built = builtFiles(target);
    if (!built.some((path) => path.endsWith(".js"))) return [];
    const pattern = sourceOf(built.find((path) => path.endsWith(".js")) ?? "");
    const [before = "", after] = pattern.split("*");
    const stars = after === undefined ? [""] : matches(before, after, files);
    return stars
      .map((star) => ({
        specifier: `${name}${subpath.slice(1)}`.replace("*", star),
        source: pattern.replace("*", star),
        built: built.map((path) => path.replace("*", star)),
      }))
      .filter((entry) => !isHidden(`.${entry.specifier.slice(name.length)}`, subpath, exports));
  });
}

/** The sources of all entries of this package. */
export function entrySources(): string[] {
  const files = filesBelow("plugins", isSource).concat(filesBelow("adapters", isSource));
  return packageEntries(manifest(), files).map((entry) => entry.source);
}

function isSource(path: string): boolean {
  return path.endsWith(".ts");
}

function builtFiles(target: Target): string[] {
  const paths = target === null ? [] : typeof target === "string" ? [target] : Object.values(target);
  return paths.map((path) => path.replace(/^\.\//, ""));
}

function sourceOf(built: string): string {
  return built.replace(/^dist\//, "").replace(/\.js$/, ".ts");
}

/** The replacements of `*` in each file that a pattern matches; like Node's, it also matches slashes. */
function matches(before: string, after: string, files: readonly string[]): string[] {
  return files
    .filter((file) => file.length > before.length + after.length && file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, file.length - after.length));
}

/** True if a longer pattern with the target `null`, or an entry of its own, takes precedence over `subpath`'s. */
function isHidden(path: string, subpath: string, exports: Manifest["exports"]): boolean {
  return Object.entries(exports).some(([other, target]) => {
    if (other === subpath || !subpath.includes("*")) return false;
    const [before = "", after] = other.split("*");
    if (after === undefined) return path === other;
    return target === null && before.length > subpath.indexOf("*") && path.startsWith(before) && path.endsWith(after);
  });
}
