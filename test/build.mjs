/**
 * The package's code, from source files to few files: one for each entry of package.json, one chunk with all that
 * `import "scope-engine"` loads, and chunks that other parts share. Each file that Node loads costs it a millisecond.
 *
 *   node test/build.mjs [--outdir DIR] [--modules FILE]
 *
 * It writes into dist/, beside the declarations of tsc, and the names of all files that it has taken in, as JSON, into FILE.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const { values } = parseArgs({ options: { outdir: { type: "string" }, modules: { type: "string" } } });
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const doorsIn = (folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}/index.ts`)
    .filter((door) => existsSync(join(root, door)));
const library = "plugins/index.ts";
const entries = [
  library,
  ...doorsIn("plugins"),
  ...doorsIn("adapters"),
  "core/index.ts",
  "core/testing/index.ts",
  "plugins/cli/main.ts",
];

const installed = (file) => join(root, "node_modules", file);
const builtIn = {
  // The package that npm has of it is far larger than what is used.
  "@dagrejs/dagre": installed("@dagrejs/dagre/dist/dagre.esm.js"),
  // A dozen files that every program would have to find and load by themselves.
  mitt: installed("mitt/dist/mitt.mjs"),
  tapable: installed("tapable/lib/index.js"),
};
/** As tapable itself says for where there is no node:util, of which it uses one function. */
const isUtilOfTapable = (id, importer) => id === "util" && importer?.startsWith(installed("tapable/"));
const utilOfTapable = {
  name: "util-of-tapable",
  resolveId: (id, importer) => (isUtilOfTapable(id, importer) ? installed("tapable/lib/util-browser.js") : undefined),
};
const shared = {
  external: (id, importer) => !/^[./]/.test(id) && !(id in builtIn) && !isUtilOfTapable(id, importer),
  platform: "node",
  treeshake: { moduleSideEffects: false },
  resolve: { alias: builtIn },
  plugins: [utilOfTapable],
  transform: { target: "node20" },
};

/** All files that the library loads by itself; what it imports when it is needed is not among them. */
async function loadedFiles() {
  const imports = new Map();
  const note = { name: "note-imports", moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const build = await rolldown({ ...shared, input: join(root, library), plugins: [utilOfTapable, note] });
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
/** What is all ASCII Node reads in less time, into half the memory; and a package that is not used it would load all the same. */
const lean = {
  name: "lean",
  renderChunk: (code) =>
    (code.includes("createRequire(")
      ? code
      : code.replace('import { createRequire } from "node:module";\n', "")
    ).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
};
const { output } = await build.write({
  dir: values.outdir ?? join(root, "dist"),
  format: "esm",
  minify: false,
  comments: { legal: true, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  plugins: [lean],
  codeSplitting: { groups: [{ name: "engine", test: (id) => loaded.has(id) }] },
});
await build.close();
if (values.modules) {
  writeFileSync(values.modules, JSON.stringify(output.flatMap((chunk) => chunk.moduleIds ?? [])));
}
