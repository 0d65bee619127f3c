/**
 * The programs that tests start, as few files of plain JavaScript: they start several times as fast as their sources.
 */
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { filesBelow, root } from "../house/project.ts";

/** Programs, and modules that they load by a given name. */
const isEntry = (path: string): boolean =>
  /\.child\.ts$|^test\/faults\/(places\/|contention-(stores|remote)\.ts$)/.test(path) &&
  !path.startsWith("test/bench/");

/**
 * Drivers of stores: each is hundreds of files, which every program that has such a store would find and load by
 * itself.
 */
const DRIVERS: readonly string[] = ["@aws-sdk/client-s3", "@keyv/redis", "pg"];

async function otherPackages(): Promise<readonly string[]> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !DRIVERS.includes(name));
}

export async function compilePrograms(): Promise<{
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "compiled-"));
  await build({
    absWorkingDir: root,
    entryPoints: filesBelow("test", isEntry),
    outbase: ".",
    outdir: folder,
    // Shared chunks are mostly the engine, which recognises its own code by this folder.
    chunkNames: "dist/[name]-[hash]",
    bundle: true,
    splitting: true,
    external: [...(await otherPackages())],
    // Examples import the package by its name, which means the sources here.
    alias: {
      "scope-engine": join(root, "plugins/index.ts"),
      "scope-engine/fleet": join(root, "plugins/fleet/index.ts"),
      "scope-engine/resources": join(root, "plugins/resources/index.ts"),
    },
    mainFields: ["module", "main"],
    // CommonJS code in the drivers requires modules of Node.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    // A program may import a module for its side effects.
    ignoreAnnotations: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  return { settings: { TEST_COMPILED: folder }, stop: () => rm(folder, { recursive: true }) };
}
