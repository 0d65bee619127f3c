/** A TypeScript program as one ES module that this Node can load. */
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, parse, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { EngineError } from "../../core/base/index.js";
import type { Source } from "./watch/messages.js";
import { stampOf } from "./watch/stamp.js";

export interface BundleOptions {
  /** First statement of the module. */
  readonly banner: string;
  /** Called with each of the program's own files before it is read, and with those that are looked for and not there. */
  seen?(source: Source): void;
}

/** Marks a look-up that the plugin itself makes. */
const OWN = Symbol("own");
/** What stands for `import.meta` of each file; a bundle has one for all. */
const PLACES = {
  "import.meta.url": "__engine_url",
  "import.meta.dirname": "__engine_dirname",
  "import.meta.filename": "__engine_filename",
  __dirname: "__engine_dirname",
  __filename: "__engine_filename",
} as const;
const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
};

/**
 * The text of the module, with its source map, to be loaded from a file beside the entry. Packages are left to Node, so
 * that the program shares them with whatever else loads them.
 *
 * @throws EngineError `INVALID_PROGRAM` with each fault of the sources, its file and line
 */
export async function bundle(entry: string, { banner, seen }: BundleOptions): Promise<string> {
  const { build, formatMessages } = await import("esbuild");
  const base = dirname(entry);
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      absWorkingDir: base,
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: `node${process.versions.node}`,
      sourcemap: "inline",
      sourcesContent: false,
      outfile: resolve(base, "program.mjs"),
      charset: "utf8",
      logLevel: "silent",
      banner: { js: banner },
      define: { ...PLACES },
      plugins: [...(seen ? [filesSeen(seen)] : []), packagesAside(base), placesKept()],
    });
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    const faults: unknown = Reflect.get(Object(error), "errors");
    if (!Array.isArray(faults) || faults.length === 0) throw error;
    throw faulty(entry, await formatMessages(faults, { kind: "error", color: false }));
  }
}

function filesSeen(seen: (source: Source) => void): Plugin {
  const tell = (path: string): void => seen({ path, stamp: stampOf(path) });
  return {
    name: "files-seen",
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => void tell(path));
      build.onResolve({ filter: /^\.\.?\// }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === OWN) return undefined;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: OWN });
        // Once it is made, the program may be whole.
        if (found.errors.length > 0) for (const name of namesOf(resolve(resolveDir, path))) tell(name);
        return undefined;
      });
    },
  };
}

/** What a program may mean by a path. */
function namesOf(path: string): readonly string[] {
  const { ext } = parse(path);
  const typed = /^\.[cm]?jsx?$/.test(ext) ? [path.replace(/js(x?)$/, "ts$1")] : [];
  return ext === "" ? [`${path}.ts`, `${path}.js`, `${path}.json`] : [path, ...typed];
}

/** Without its cause, which says the same again. */
function faulty(entry: string, faults: readonly string[]): EngineError {
  const texts = faults.map((fault) => fault.replace(/^\S+ \[ERROR\] /, ""));
  return new EngineError("INVALID_PROGRAM", `"${entry}" cannot be run:\n${texts.join("\n").trimEnd()}`);
}

function packagesAside(base: string): Plugin {
  return {
    name: "packages-aside",
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, (args) => aside(build, base, args));
    },
  };
}

async function aside(build: PluginBuild, base: string, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
  const { path, kind, importer, resolveDir, pluginData } = args;
  if (pluginData === OWN || kind === "entry-point" || /^[A-Za-z]:[\\/]/.test(path)) return undefined;
  // Never twice in one process, wherever its files are.
  if (isBuiltin(path) || path.includes(":") || /^scope-engine(\/|$)/.test(path)) return { path, external: true };
  const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: OWN });
  // Node says better what it cannot find.
  if (found.errors.length > 0) return { path, external: true };
  // Sources of the same workspace, or of a path that the tsconfig knows.
  if (!found.path.includes("/node_modules/") && /\.[cm]?tsx?$/.test(found.path)) return { path: found.path };
  const fromBase = await build.resolve(path, { kind, resolveDir: base, pluginData: OWN });
  if (fromBase.path === found.path) return { path, external: true };
  return { path: pathToFileURL(found.path).href, external: true };
}

function placesKept(): Plugin {
  return {
    name: "places-kept",
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => loaded(path));
    },
  };
}

async function loaded(path: string): Promise<OnLoadResult | undefined> {
  const text = await readFile(path, "utf8");
  if (!/import\.meta\.|__dirname|__filename/.test(text)) return undefined;
  const { href } = pathToFileURL(path);
  const places = `const ${PLACES["import.meta.url"]} = ${JSON.stringify(href)}, ${PLACES.__dirname} = ${JSON.stringify(dirname(path))}, ${PLACES.__filename} = ${JSON.stringify(path)};`;
  // No line may move: errors name them.
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  return { contents: `${text.slice(0, start)}${places}${text.slice(start)}`, loader: LOADERS[extname(path)] ?? "js" };
}
