import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { init, parse } from "es-module-lexer";
import { expect, test } from "vitest";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { root, sourceFiles } from "../house/project.ts";
import { listOf, type PackedFile } from "./consumer.ts";
import { describePacked } from "./given-packed.ts";

const program = "dist/plugins/cli/main.js";

/** Files that are not built from a source, and must be packed. */
const others = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "THIRD-PARTY-NOTICES",
  "dist/plugins/cli/typescript/babel.cjs",
  "dist/plugins/cli/typescript/find-module.cjs",
  "dist/plugins/console-output/events.schema.json",
  "dist/plugins/ui/page/index.html",
  "package.json",
];

/** A declaration for each source except those of the program and of the page, which are never imported. */
const declarations = sourceFiles()
  .filter((file) => !/^plugins\/(cli|ui\/page)\//.test(file))
  .map((file) => `dist/${file.replace(/\.ts$/, ".d.ts")}`);

const entries = packageEntries(manifest(), sourceFiles())
  .flatMap(({ built }) => built)
  .filter((path) => path.endsWith(".js"))
  .concat(program, "dist/plugins/cli/typescript/hooks-thread.js");

/** The entries, and the files that they load sooner or later. */
function reachable(folder: string): string[] {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const [imports] = parse(readFileSync(join(folder, path), "utf8"));
    for (const { n: specifier } of imports) {
      if (specifier?.startsWith(".")) visit(posix.join(posix.dirname(path), specifier));
    }
  };
  for (const entry of entries) visit(entry);
  return [...reached];
}

await init;

describePacked("the tarball", ({ folder, tarball }) => {
  const files: readonly PackedFile[] = tarball === "" ? [] : JSON.parse(readFileSync(listOf(tarball), "utf8"));
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const);

  test("holds the built files, their declarations, the schema and the papers, and nothing else", () => {
    const expected = [...others, ...declarations, ...reachable(folder)];
    expect(files.map(({ path }) => path).sort()).toEqual([...new Set(expected)].sort());
  });

  test("has one file that can be run, and none that only its owner can read", () => {
    const unusual = files.filter(({ mode }) => (mode & 0o777) !== 0o644).map(({ path }) => path);
    expect(unusual.filter((path) => path !== program)).toEqual([]);
    expect(texts.find(([path]) => path === program)?.[1]).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test("names no folder of the machine that it was built on", () => {
    const places = [root, `${homedir()}/`, process.cwd()];
    expect(texts.length).toBe(files.length);
    expect(texts.filter(([, text]) => places.some((place) => text.includes(place))).map(([path]) => path)).toEqual([]);
  });

  test("points to no map and no source that it does not hold", () => {
    expect(texts.filter(([, text]) => /^\/\/# sourceMappingURL=/m.test(text)).map(([path]) => path)).toEqual([]);
  });
});
