/**
 * The engine's sources as plain JavaScript, one file each, which test files load by Node itself: with Vite each test
 * file would start half a second later.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join, relative } from "node:path";
import { buildSync } from "esbuild";
import type { Plugin } from "vitest/config";

const FOLDERS = ["core", "plugins", "adapters"];
/** Number of earlier states of the sources that are kept. */
const KEPT = 4;
/** Milliseconds for which a state is kept in any case: another run may be using it, perhaps from another checkout. */
const LEAST = 3 * 3_600_000;

/** Returns the folder with the compiled sources, made once for each state of the sources. */
function compileSources(root: string): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ).filter((file) => file.endsWith(".ts"));
  const digest = createHash("sha256");
  for (const file of files.sort()) digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  digest.update(readFileSync(join(root, "package.json")));
  const cache = join(root, "node_modules/.cache/scope-engine-tests/sources");
  const folder = join(cache, digest.digest("hex").slice(0, 16));
  if (existsSync(folder)) {
    const now = new Date();
    utimesSync(folder, now, now);
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  forgetOld(cache);
  const draft = mkdtempSync(join(cache, "draft-"));
  buildSync({
    absWorkingDir: root,
    entryPoints: files,
    outbase: ".",
    outdir: draft,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
  cpSync(join(root, "package.json"), join(draft, "package.json"));
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run has made it meanwhile.
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function forgetOld(cache: string): void {
  const newestFirst = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), at: statSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  const old = newestFirst.slice(KEPT - 1).filter(({ at }) => Date.now() - at > LEAST);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}

/** Matches modules that a Vitest setting must name as loaded by Node. */
export const COMPILED = /\/scope-engine-tests\/sources\//;

export function compiledSources(root: string): Plugin {
  const folder = compileSources(root);
  const isSource = (id: string): boolean =>
    FOLDERS.some((name) => id.startsWith(join(root, name, "/"))) && id.endsWith(".ts");
  /** Tests that reset modules get them, and their imports, from Vite. */
  const needsAnew = (id: string): boolean => isSource(id) || readFileSync(id, "utf8").includes("vi.resetModules(");
  return {
    name: "compiled-sources",
    enforce: "pre",
    async resolveId(source, importer) {
      // The name of the package arrives as the path that its alias has.
      if (!(/^\./.test(source) || isSource(source)) || importer === undefined || needsAnew(importer)) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      if (!found || !isSource(found.id)) return null;
      return join(folder, relative(root, found.id).replace(/\.ts$/, ".js"));
    },
  };
}
