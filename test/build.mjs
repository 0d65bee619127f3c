/**
 * The package's code, from source files to few files: one for each entry of package.json, one chunk with all that
 * `import "scope-engine"` loads, and chunks that other parts share. Each file that Node loads costs it a millisecond.
 *
 *   node test/build.mjs [--outdir DIR] [--modules FILE]
 *
 * It writes into dist/, beside the declarations of tsc, and the names of all files that it has taken in, as JSON, into FILE.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const { values } = parseArgs({ options: { outdir: { type: "string" }, modules: { type: "string" } } });
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const inFolder = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
const library = "plugins/index.ts";
const entries = [
  ...inFolder("plugins"),
  ...inFolder("adapters"),
  "core/index.ts",
  "core/testing/index.ts",
  "plugins/resources/index.ts",
  "plugins/cli/main.ts",
];

// Built in: the package that npm has of it is far larger than what is used.
const builtIn = { "@dagrejs/dagre": join(root, "node_modules/@dagrejs/dagre/dist/dagre.esm.js") };
const shared = {
  external: (id) => !/^[./]/.test(id) && !(id in builtIn),
  platform: "node",
  treeshake: { moduleSideEffects: false },
  resolve: { alias: builtIn },
  transform: { target: "node20" },
};

/** All files that the library loads by itself; what it imports when it is needed is not among them. */
async function loadedFiles() {
  const imports = new Map();
  const note = { name: "note-imports", moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const build = await rolldown({ ...shared, input: join(root, library), plugins: [note] });
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
const { output } = await build.write({
  dir: values.outdir ?? join(root, "dist"),
  format: "esm",
  minify: false,
  comments: { legal: true, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  codeSplitting: { groups: [{ name: "engine", test: (id) => loaded.has(id) }] },
});
await build.close();
if (values.modules) {
  writeFileSync(values.modules, JSON.stringify(output.flatMap((chunk) => chunk.moduleIds ?? [])));
}
