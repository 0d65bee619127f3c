/**
 * An unchanged run of a stage that is sealed with a key or a password, beside one without: a process for each run, in
 * turns, medians.
 *
 *   npm run bench:sealed -- [--n 5000] [--runs 15] [--entry file:///…/dist/plugins/index.js]
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { runChild } from "./child.js";
import { KEY } from "./stage.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const { values } = parseArgs({
  options: {
    n: { type: "string", default: "5000" },
    runs: { type: "string", default: "15" },
    entry: { type: "string" },
  },
});
if (values.entry === undefined)
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", 2, 2] });
const entry = values.entry ?? pathToFileURL(join(root, "dist/plugins/index.js")).href;

/** More arguments of the run. */
const SIDES: Readonly<Record<string, readonly string[]>> = {
  "without a key": [],
  sealed: ["--key", KEY],
  "sealed, a secret each": ["--key", KEY, "--secrets"],
  "a password": ["--password", "pw"],
  "a password, cached": ["--password", "pw", "--cached"],
};

interface Measured {
  readonly importMs: number;
  readonly totalMs: number;
}

async function run(cwd: string, args: readonly string[]): Promise<Measured> {
  const told = [join(here, "ours.mjs"), "--entry", entry, "--n", values.n, ...args];
  const { lines } = await runChild({ command: process.execPath, args: told, cwd, patience: 120_000 });
  return JSON.parse(lines.at(-1) ?? "{}");
}

const folders = new Map<string, string>();
const times = new Map(Object.keys(SIDES).map((name) => [name, [] as Measured[]]));
try {
  for (const [name, args] of Object.entries(SIDES)) {
    const folder = await mkdtemp(join(tmpdir(), "bench-sealed-"));
    folders.set(name, folder);
    await run(folder, args);
  }
  for (let turn = 0; turn < Number(values.runs); turn++) {
    for (const [name, args] of Object.entries(SIDES)) times.get(name)?.push(await run(folders.get(name) ?? "", args));
  }
} finally {
  for (const folder of folders.values()) await rm(folder, { recursive: true });
}

function median(name: string, of: (one: Measured) => number): number {
  const all = (times.get(name) ?? []).map(of).sort((a, b) => a - b);
  return all[Math.floor(all.length / 2)] ?? Number.NaN;
}

const whole = ({ importMs, totalMs }: Measured): number => importMs + totalMs;
const [first = ""] = Object.keys(SIDES);
for (const name of Object.keys(SIDES)) {
  const [run, all] = [median(name, ({ totalMs }) => totalMs), median(name, whole)];
  const ratios = [run / median(first, ({ totalMs }) => totalMs), all / median(first, whole)];
  const text = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(`${name.padEnd(24)} ${run.toFixed(1)} ms, ${all.toFixed(1)} ms with its import (ratios ${text})`);
}
