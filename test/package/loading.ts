/** What a bundler sees of the package: which files an entry loads, and what is left of it. */
import { isBuiltin } from "node:module";
import { build, type Metafile } from "esbuild";

/** Which imports are followed: `static` are those that run when the entry is loaded. */
type Edges = "static" | "all";

/** The packages that are loaded with a module, by way of the package's own files. */
export async function packagesOf(specifier: string, resolveDir: string, edges: Edges = "static"): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export * from ${JSON.stringify(specifier)};`, resolveDir, sourcefile: "entry.js" },
    bundle: true,
    // Splitting keeps what is loaded later apart, so that each import keeps its kind.
    splitting: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
    outdir: "out",
    logLevel: "silent",
    external: ["@aws-sdk/*", "@smithy/*", "@keyv/redis", "@redis/*", "posthog-node", "esbuild", "node:*"],
  });
  return [...packagesReached(metafile, edges)].sort();
}

function packagesReached({ inputs }: Metafile, edges: Edges): Set<string> {
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
  const entry = Object.keys(inputs).find((path) => path.endsWith("entry.js"));
  if (entry === undefined) throw new Error("The bundle has no entry.");
  visit(entry);
  return packages;
}

/** The name in `…/node_modules/@scope/name/file.js`, or in a name that was left alone; none for this package. */
function packageIn(path: string, external: boolean): string | undefined {
  const after = external ? path : path.split("node_modules/").at(-1);
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(after ?? "")?.[1];
  return name === "scope-engine" ? undefined : name;
}

/** What a bundle of a module's text comes to, without its comments and spaces. */
export async function bundled(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "bundle",
    minify: true,
    write: false,
    logLevel: "silent",
    legalComments: "none",
  });
  return outputFiles.map(({ text }) => text.trim()).join("");
}
