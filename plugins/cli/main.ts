#!/usr/bin/env node
/** The `engine` program: as little as possible before it is known what is asked for. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
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
  const { runProgram } = await import("./program.js");
  await runProgram(argv, versionOf(HOME));
}

/** The program of the copy of the package that the project has, where that is another one: both sides must understand each other. */
function projectProgram(): string | undefined {
  try {
    const manifest = createRequire(resolve("engine.run.js")).resolve("scope-engine/package.json");
    if (realpathSync(dirname(manifest)) === realpathSync(HOME)) return undefined;
    const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
    return typeof bin?.engine === "string" ? join(dirname(manifest), bin.engine) : undefined;
  } catch {
    return undefined; // The project has none, or one from before there was a program.
  }
}

function versionOf(home: string): string {
  return String(JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version);
}
