/**
 * The package's code, from source files to few files: one for each entry of package.json, one chunk with all that
 * `import "scope-engine"` loads, and chunks that other parts share. Each file that Node loads costs it a millisecond.
 *
 *   node test/build.mjs [--outdir DIR] [--modules FILE] [--maps]
 *
 * It writes into dist/, beside the declarations of tsc. FILE gets the names of all source files, as JSON.
 * With `--maps` it also writes a source map beside each file.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { buildPage } from "./build-page.mjs";

const { values } = parseArgs({
  options: { outdir: { type: "string" }, modules: { type: "string" }, maps: { type: "boolean", default: false } },
});
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const targets = JSON.stringify(manifest.exports);
/** An index that the patterns of package.json exclude, and that no other name leads to, is not an entry. */
const isEntry = (room) => manifest.exports[`./${room}`] !== null || targets.includes(`"./dist/${room}/index.js"`);
const doorsIn = (folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((room) => existsSync(join(root, room, "index.ts")) && isEntry(room))
    .map((room) => `${room}/index.ts`);
const library = "plugins/index.ts";
const entries = [
  library,
  ...doorsIn("plugins"),
  ...doorsIn("adapters"),
  "core/contract/plugin/index.ts",
  "plugins/cli/main.ts",
  "plugins/cli/typescript/hooks-thread.ts",
];
/** Loaded whole, by `require`, and only if a program needs them: they are made as small as possible. */
const parts = ["babel", "find-module"].map((name) => `plugins/cli/typescript/${name}`);

const installed = (file) => join(root, "node_modules", file);
const builtIn = {
  // Its npm package is far larger than the part that is used.
  "@dagrejs/dagre": installed("@dagrejs/dagre/dist/dagre.esm.js"),
};
/** Dependencies that are installed with the package, or by its user; all others are built in. */
const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const isNeeded = (id) => needed.some((name) => id === name || id.startsWith(`${name}/`));
const HOOKS = ["AsyncSeriesBailHook", "AsyncSeriesHook", "SyncBailHook", "SyncWaterfallHook"];
/** The index of tapable loads every kind of hook. Ours is one CommonJS file: Node imports each of those in 2 ms. */
const isIndexOfTapable = (id, importer) => id === "tapable" && !importer?.includes("node_modules");
const TAPABLE = "#tapable";
const tapable = {
  name: "tapable",
  resolveId: (id, importer) => (isIndexOfTapable(id, importer) ? { id: TAPABLE, external: true } : undefined),
};
const hooksModule = HOOKS.map((hook) => `exports.${hook} = require("tapable/lib/${hook}.js");\n`).join("");
/** A CommonJS package, imported as an ES module: else the library's chunk needs the bundler's helpers, a file more. */
const AS_MODULE = "\0picocolors";
const asModule = {
  name: "as-module",
  resolveId: (id, importer) =>
    id === "picocolors" && importer?.startsWith(join(root, "plugins")) ? AS_MODULE : undefined,
  load: (id) => (id === AS_MODULE ? 'export { default } from "picocolors";' : undefined),
};
/** Imported by built-in dependencies, but never used there: data about browsers, and retries for opening files. */
const UNUSED = ["browserslist", "graceful-fs"];
const nothing = {
  name: "nothing",
  resolveId: (id) => (UNUSED.includes(id) ? `\0unused:${id}` : undefined),
  load: (id) => (id.startsWith("\0unused:") ? "module.exports = {};" : undefined),
};
const shared = {
  external: (id, importer) => !isIndexOfTapable(id, importer) && (isBuiltin(id) || isNeeded(id)),
  platform: "node",
  treeshake: { moduleSideEffects: false },
  resolve: { alias: builtIn },
  plugins: [tapable, asModule, nothing],
  transform: { target: "node20" },
};

/** All files that the library loads at its start, without those that it imports on demand. */
async function loadedFiles() {
  const imports = new Map();
  const note = { name: "note-imports", moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const build = await rolldown({ ...shared, input: join(root, library), plugins: [tapable, note] });
  await build.generate({ format: "esm" });
  await build.close();
  const loaded = new Set([join(root, library)]);
  for (const file of loaded) for (const other of imports.get(file) ?? []) loaded.add(other);
  return loaded;
}

const loaded = await loadedFiles();
const build = await rolldown({
  ...shared,
  input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ""), join(root, entry)])),
});
/** How the code of a CommonJS package requires a module; all built-in packages require only modules of Node. */
const REQUIRE = "/* #__PURE__ */ (() => createRequire(import.meta.url))()";
/** With maps its line stays, empty, because maps count lines. */
const UNUSED_IMPORT = 'import { createRequire } from "node:module";\n';
/** Node reads ASCII in less time and into half the memory. It would also load an imported module that is not used. */
const lean = {
  name: "lean",
  renderChunk: (code, { fileName }) => {
    const own = `"${fileName.includes("/") ? "../".repeat(fileName.split("/").length - 1) : "./"}tapable.cjs"`;
    const asked = code.replace(`"${TAPABLE}"`, own).replace(REQUIRE, "(id) => process.getBuiltinModule(id)");
    const used = asked.includes("createRequire(") ? asked : asked.replace(UNUSED_IMPORT, values.maps ? "\n" : "");
    const ascii = used.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return { code: ascii, map: null };
  },
};
const { output } = await build.write({
  dir: values.outdir ?? join(root, "dist"),
  format: "esm",
  minify: false,
  sourcemap: values.maps && "hidden",
  comments: { legal: true, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  plugins: [lean],
  codeSplitting: { groups: [{ name: "engine", test: (id) => loaded.has(id) }] },
});
await build.close();
writeFileSync(join(values.outdir ?? join(root, "dist"), "tapable.cjs"), hooksModule);
const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
for (const part of parts) {
  const whole = await rolldown({ ...shared, input: join(root, `${part}.ts`) });
  const written = await whole.write({
    file: join(values.outdir ?? join(root, "dist"), `${part}.cjs`),
    format: "cjs",
    minify: true,
    comments: { legal: false },
    plugins: [lean],
  });
  await whole.close();
  modules.push(...written.output.flatMap((chunk) => chunk.moduleIds ?? []));
}
modules.push(...(await buildPage(root, values.outdir ?? join(root, "dist"))));
if (values.modules) writeFileSync(values.modules, JSON.stringify([...new Set(modules)]));
