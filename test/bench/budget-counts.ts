/**
 * Counts function calls and file operations of the package for the rows of the budget, in processes of their own, with
 * a build of the present sources.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { BuiltFile, type CoveredScript, calledFunctions, type NamedFunction } from "./named-functions.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const run = promisify(execFile);

export interface Counts {
  /** Calls of functions of the package and its dependencies. */
  readonly calls: number;
  /** Distinct functions among them. */
  readonly functions: number;
  /** Bytes of the JavaScript files that were loaded. */
  readonly bytes: number;
  readonly writes: number;
  readonly stats: number;
  readonly fsyncs: number;
  /** Events that had an observer, so the engine formatted them. */
  readonly events: number;
}

export interface Counted {
  readonly counts: Counts;
  readonly functions: readonly NamedFunction[];
}

/** Arguments of each row; with `loud` the console prints, as it does by default. */
const STAGE_ROWS: Readonly<Record<string, readonly string[]>> = {
  "create 1,000": ["--loud"],
  "unchanged 1,000": ["--loud"],
  "update 1,000": ["--loud", "--rev", "1"],
  "destroy 1,000": ["--loud", "--phase", "destroy"],
};
const QUIET_ROW = "create 1,000 quietly";
const START_ROW = "start-up";

export const BUDGET_ROWS: readonly string[] = [...Object.keys(STAGE_ROWS), QUIET_ROW, START_ROW];

/** Counts each row once: the counts of two runs are equal. */
export async function countRows(): Promise<ReadonlyMap<string, Counted>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "budget-")));
  try {
    const entry = await build(folder);
    const counted = new Map<string, Counted>();
    const stage = await newFolder(folder, "stage");
    for (const [row, args] of Object.entries(STAGE_ROWS)) {
      counted.set(row, await count(stage, entry, ["ours.mjs", "--entry", entry, ...args]));
    }
    counted.set(QUIET_ROW, await count(await newFolder(folder, "quiet"), entry, ["ours.mjs", "--entry", entry]));
    counted.set(START_ROW, await count(await newFolder(folder, "start"), entry, ["start.mjs", "ours", entry]));
    return counted;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds as `npm run build` does, with maps to the sources. Returns the URL of the entry. */
async function build(folder: string): Promise<string> {
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const dist = await newFolder(folder, "dist");
  await run(process.execPath, [join(root, "test/build.mjs"), "--outdir", dist, "--maps"]);
  return pathToFileURL(join(dist, "plugins/index.js")).href;
}

async function newFolder(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

async function count(folder: string, entry: string, [program = "", ...args]: readonly string[]): Promise<Counted> {
  const [preload, file] = ["counting.mjs", program].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const result = join(folder, "counts.json");
  // Nothing of the caller's environment: colours or CI would change the counts.
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, COUNTS: result };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  await run(process.execPath, ["--import", pathToFileURL(preload ?? "").href, file ?? "", ...args], options);
  const { fileCalls, scripts }: Raw = JSON.parse(await readFile(result, "utf8"));
  return named(fileCalls, scripts.filter(isOfPackage(entry)));
}

/** The format that `counting.mjs` writes. */
interface Raw {
  readonly fileCalls: Readonly<Record<string, number>>;
  readonly scripts: readonly CoveredScript[];
}

/** Files of the build and of dependencies, and code that they generate. */
function isOfPackage(entry: string): (script: CoveredScript) => boolean {
  const dist = new URL("../", entry).href;
  return ({ url }) => url === "" || url.startsWith(dist) || (url.startsWith("file:") && url.includes("/node_modules/"));
}

function named(fileCalls: Raw["fileCalls"], scripts: readonly CoveredScript[]): Counted {
  const files = new Map<string, BuiltFile>();
  const fileOf = (url: string): BuiltFile => {
    const file = files.get(url) ?? new BuiltFile(url, root);
    files.set(url, file);
    return file;
  };
  const called = scripts.flatMap((script) => calledFunctions(script, script.url ? fileOf(script.url) : undefined));
  const bytes = [...files.values()].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const ofFiles = { writes: 0, stats: 0, fsyncs: 0 };
  const callsOfNode = Object.entries(fileCalls).map(([key, calls]): NamedFunction => {
    const [group = "", name = "", url = "", line = "", column = ""] = key.split(" ");
    ofFiles[group as keyof typeof ofFiles] += calls;
    return { file: fileOf(url).sourceAt(Number(line) - 1, Number(column) - 1), name: `node:fs ${name}`, calls };
  });
  const events = sum(called.filter(({ file, name }) => file.includes("/mitt/") && name === "emit"));
  const counts = { calls: sum(called), functions: called.length, bytes, ...ofFiles, events };
  return { counts, functions: together([...called, ...callsOfNode]) };
}

function sum(functions: readonly NamedFunction[]): number {
  return functions.reduce((all, { calls }) => all + calls, 0);
}

/** Functions of one name in one file count as one. */
function together(functions: readonly NamedFunction[]): NamedFunction[] {
  const byName = new Map<string, NamedFunction>();
  for (const one of functions) {
    const key = `${one.file} ${one.name}`;
    byName.set(key, { ...one, calls: one.calls + (byName.get(key)?.calls ?? 0) });
  }
  return [...byName.values()];
}
