#!/usr/bin/env node
/** Starts the `engine` program, and loads as little as possible for it. */
import { readFileSync, realpathSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Folder of the package that this file belongs to. */
const HOME = fileURLToPath(new URL("../../..", import.meta.url));

const argv = process.argv.slice(2);

const other = projectProgram();
if (other !== undefined) await import(pathToFileURL(other).href);
else if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V"))
  process.stdout.write(`${versionOf(HOME)}\n`);
else {
  // Node 22 can keep compiled code between starts, in the folder for temporary files or in NODE_COMPILE_CACHE.
  if ("enableCompileCache" in nodeModule && typeof nodeModule.enableCompileCache === "function")
    nodeModule.enableCompileCache();
  const { runProgram } = await import("./program.js");
  await runProgram(argv, versionOf(HOME));
}

/**
 * Returns the program of the project's own copy of the package, if it is another copy: command and project must match.
 */
function projectProgram(): string | undefined {
  try {
    const manifest = createRequire(resolve("engine.run.js")).resolve("scope-engine/package.json");
    if (realpathSync(dirname(manifest)) === realpathSync(HOME)) return undefined;
    const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
    return typeof bin?.engine === "string" ? join(dirname(manifest), bin.engine) : undefined;
  } catch {
    return undefined; // The project has no copy, or an old one without the `engine` program.
  }
}

function versionOf(home: string): string {
  return String(JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version);
}
