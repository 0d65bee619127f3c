/** The package as a bundler sees it: the files that an entry loads, and the remaining code. */
import { isBuiltin } from "node:module";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/** The imports that are followed: `static` are those that run when the entry is loaded. */
type Edges = "static" | "all";

/** Builds several modules at once, given as texts by their names: shared files are read once. */
async function buildAll(texts: Readonly<Record<string, string>>, resolveDir: string, options: BuildOptions) {
  const names = Object.keys(texts);
  const given: Plugin = {
    name: "given",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^given:/ }, ({ path }) => ({ path: path.slice("given:".length), namespace: "given" }));
      onLoad({ filter: /.*/, namespace: "given" }, ({ path }) => ({
        contents: texts[names[Number(path)] ?? ""],
        resolveDir,
      }));
    },
  };
  const { metafile, outputFiles } = await build({
    ...options,
    entryPoints: names.map((_, at) => ({ in: `given:${at}`, out: String(at) })),
    bundle: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
    outdir: "out",
    logLevel: "silent",
    plugins: [given],
  });
  const textOf = (at: number): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(`/out/${at}.js`));
    if (!file) throw new Error("A bundle is missing.");
    return file.text.trim();
  };
  return {
    metafile,
    texts: Object.fromEntries(names.map((name, at) => [name, textOf(at)])),
    entryOf: (name: string) => `given:${names.indexOf(name)}`,
  };
}

/** The packages that are loaded with each module, by way of the package's own files. */
export async function packagesOf(
  specifiers: readonly string[],
  resolveDir: string,
  edges: Edges = "static",
): Promise<Readonly<Record<string, readonly string[]>>> {
  const texts = specifiers.map((specifier) => [specifier, `export * from ${JSON.stringify(specifier)};`]);
  const { metafile, entryOf } = await buildAll(Object.fromEntries(texts), resolveDir, {
    // Splitting separates modules that are loaded later, so that each import keeps its kind.
    splitting: true,
    external: ["@aws-sdk/*", "@smithy/*", "@keyv/redis", "@redis/*", "pg", "posthog-node", "node:*"],
  });
  const found = specifiers.map((specifier) => [
    specifier,
    [...packagesReached(metafile, entryOf(specifier), edges)].sort(),
  ]);
  return Object.fromEntries(found);
}

function packagesReached({ inputs }: Metafile, entry: string, edges: Edges): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const one of inputs[path]?.imports ?? []) {
      const counts = edges === "all" || one.kind === "import-statement" || one.kind === "require-call";
      if (!counts || isBuiltin(one.path)) continue;
      const name = packageIn(one.path, one.external === true);
      if (name !== undefined) packages.add(name);
      visit(one.path);
    }
  };
  if (!(entry in inputs)) throw new Error("The bundle has no entry.");
  visit(entry);
  return packages;
}

/** The name in `…/node_modules/@scope/name/file.js`, or in a name that was left alone; none for this package. */
function packageIn(path: string, external: boolean): string | undefined {
  const after = external ? path : path.split("node_modules/").at(-1);
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(after ?? "")?.[1];
  return name === "scope-engine" ? undefined : name;
}

/** Bundles of modules' texts, without comments and spaces. */
export async function bundled(
  texts: Readonly<Record<string, string>>,
  resolveDir: string,
): Promise<Readonly<Record<string, string>>> {
  const options: BuildOptions = { packages: "bundle", minify: true, legalComments: "none" };
  return (await buildAll(texts, resolveDir, options)).texts;
}
