/** Measures this build and that of another commit in turns. */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { measureRow, type Outcomes } from "./measure.js";
import { type Measured, medianOf } from "./measured.js";
import { BadOption } from "./options.js";
import type { Row } from "./rows.js";
import { oursSide } from "./side.js";
import { Stores } from "./stores.js";
import { duration, markdownTable } from "./table.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const run = promisify(execFile);

export interface Comparison {
  /** Returns the file of this build's entry. */
  entry(): string;
  readonly rows: readonly Row[];
  readonly runs: number;
}

/** Returns a table. @throws BadOption if there is no such commit */
export async function compareWith(commit: string, comparison: Comparison): Promise<string> {
  const sha = await shaOf(commit);
  const folder = await mkdtemp(join(tmpdir(), "bench-against-"));
  // The folders of the runs are made in it, and removed with it.
  process.env.TMPDIR = folder;
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      stopped.abort();
      removeLater(folder);
      process.exit(1);
    });
  }
  try {
    console.error(`Building ${sha.slice(0, 8)} …`);
    const earlier = await buildOf(sha, join(folder, "earlier"), stopped.signal);
    return await tableOf([comparison.entry(), earlier], sha, comparison);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * In a process of its own: tsx kills a program that stays busy long after a signal, and there are twenty thousand
 * files.
 */
function removeLater(folder: string): void {
  // Programs that are still ending may write meanwhile.
  const options = "{ recursive: true, force: true, maxRetries: 10 }";
  const args = ["--eval", `fs.rmSync(process.argv[1], ${options})`, folder];
  spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref();
}

async function shaOf(commit: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`];
  try {
    return (await run("git", args, { cwd: root })).stdout.trim();
  } catch (error) {
    throw new BadOption(`--against: there is no commit "${commit}" in this repository.`, { cause: error });
  }
}

/** Resolves with the file of the build's entry. */
async function buildOf(sha: string, folder: string, signal: AbortSignal): Promise<string> {
  await run("git", ["clone", "--quiet", "--shared", "--no-checkout", root, folder], { signal });
  await run("git", ["checkout", "--quiet", "--detach", sha], { cwd: folder, signal });
  await install(folder, signal);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readText(folder, "package.json"));
  // Without the declarations, which take longer and are not measured.
  await run("npm", ["run", "--silent", scripts["build:code"] ? "build:code" : "build"], { cwd: folder, signal });
  return join(folder, "dist/plugins/index.js");
}

async function install(folder: string, signal: AbortSignal): Promise<void> {
  const [own, theirs] = [await readText(root, "package-lock.json"), await readText(folder, "package-lock.json")];
  if (own === theirs && (await link(folder, signal))) return;
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, signal });
}

/**
 * Makes hard links to the installed packages; a symbolic link to the folder would lead the bundler out of the
 * repository. False if the temporary folder is on another disk.
 */
async function link(folder: string, signal: AbortSignal): Promise<boolean> {
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")];
  const packages = (await readdir(from)).filter((name) => name !== ".cache").map((name) => join(from, name));
  await mkdir(to);
  try {
    await run("cp", ["--archive", "--link", ...packages, to], { signal });
    return true;
  } catch {
    signal.throwIfAborted();
    await rm(to, { recursive: true, force: true });
    return false;
  }
}

function readText(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), "utf8");
}

async function tableOf(
  [own, earlier]: readonly [string, string],
  sha: string,
  { rows, runs }: Comparison,
): Promise<string> {
  const stores = new Stores();
  const sides = new Map([
    ["ours", oursSide(pathToFileURL(own).href)],
    ["earlier", oursSide(pathToFileURL(earlier).href)],
  ] as const);
  const that = sha.slice(0, 8);
  const head = ["work", "this build", that, "ratio", "CPU, this build", `CPU, ${that}`, "ratio"];
  const lines: string[][] = [];
  try {
    for (const row of rows) {
      const line = [row.name, ...cellsOf(await measureRow(row, { runs, stores, sides }))];
      lines.push(line);
      console.error(`[${lines.length}/${rows.length}] ${line.join("   ")}`);
    }
  } finally {
    await stores.close();
  }
  return `${markdownTable([head, ...lines])}\n\nMedians of ${runs} in turns; Node ${process.version}; ratios below 1: this build is faster.`;
}

function cellsOf({ ours, earlier }: Outcomes): string[] {
  const [own, other] = [medianOf(ours), medianOf(earlier)];
  const cells = (of: (measured: Measured) => number | undefined): string[] => {
    const [a, b] = [own && of(own), other && of(other)];
    const known = [a, b].map((ms) => (ms === undefined ? "not run" : duration(ms)));
    return [...known, a === undefined || b === undefined ? "" : (a / b).toFixed(2)];
  };
  return [...cells(({ totalMs }) => totalMs), ...cells(({ cpuMs }) => cpuMs)];
}
