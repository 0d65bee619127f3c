/**
 * Plants each defect in a copy of the project, and checks that `npm test` would find it. It first runs the tests of its
 * area, then, if those pass, those of all folders below, and last the simulation.
 *
 *   npm run defects [-- PART OF A NAME]
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { root } from "../../house/project.ts";
import type { Defect } from "./defect.ts";
import { defects } from "./defects.ts";
import { defective } from "./hunt.ts";
import { moveDefects } from "./moves.ts";
import { userDefects } from "./users.ts";

const STEPS = [["test/core", "test/plugins/secrets", "test/adapters"], ["test/simulation/simulation.test.ts"]];

/** Tests of the same room, or of the fate of resources: they find most defects. */
function near(file: string): string {
  const [own = ""] = /^(core\/state|plugins\/\w+|adapters)(?=\/)/.exec(file) ?? [];
  return own === "" ? "test/core/lifecycle" : `test/${own}`;
}

const run = promisify(execFile);

/** The committed project, with the defect in it. */
async function copyWith(defect: Defect): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "defect-"));
  const archive = join(folder, "sources.tar");
  await run("git", ["archive", "--output", archive, "HEAD"], { cwd: root });
  await run("tar", ["xf", archive], { cwd: folder });
  await rm(archive);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  await writeFile(join(folder, defect.file), defective(defect));
  // Without the types: a type error would find a defect, but not as a test.
  await run("npm", ["run", "--silent", "build:code"], { cwd: folder });
  return folder;
}

/** The first test that fails; undefined if all pass. */
async function failing(folder: string, paths: readonly string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, ["test/run.mjs", ...paths, "--bail=1"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let first: string | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("FAILED ")) first ??= line.slice("FAILED ".length);
  });
  await once(child, "close");
  return first ?? (child.exitCode === 0 ? undefined : `(ended with ${child.exitCode})`);
}

async function finding(defect: Defect): Promise<string | undefined> {
  const folder = await copyWith(defect);
  try {
    for (const paths of [[near(defect.file)], ...STEPS]) {
      const found = await failing(folder, paths);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [part = ""] = process.argv.slice(2);
const chosen = [...defects, ...userDefects, ...moveDefects].filter(({ name }) => name.includes(part));
const missed: string[] = [];
for (const defect of chosen) {
  const begin = Date.now();
  const found = await finding(defect);
  if (found === undefined) missed.push(defect.name);
  const seconds = Math.round((Date.now() - begin) / 1000);
  process.stdout.write(`${defect.area}: ${defect.name}: ${found ?? "NOT FOUND"} (${seconds} s)\n`);
}
process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} found\n`);
process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;
