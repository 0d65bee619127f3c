/**
 * Our side and the peer's, the same work in one run, in turns: medians and ratios.
 *
 *   npm run bench                      builds, installs the peer into a temporary folder, runs all rows
 *   npm run bench -- --runs 5 --peer DIR --only "create" --json FILE
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const PEER = "alchemy@0.94.0";
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    peer: { type: "string" },
    only: { type: "string" },
    json: { type: "string" },
  },
});

interface Row {
  readonly name: string;
  /** Arguments of both programs. */
  readonly measured: readonly string[];
  /** Arguments of the runs that prepare the state, outside the measurement. */
  readonly before: readonly (readonly string[])[];
  /** How many times faster we mean to be. */
  readonly target: number;
}

const thousand = ["--n", "1000"];
const fiveThousand = ["--n", "5000"];
const secrets = ["--n", "100", "--secrets"];
const withSecrets: readonly Row[] = [
  { name: "create 100 with a secret each", measured: secrets, before: [], target: 50 },
  { name: "unchanged 100 with a secret each", measured: secrets, before: [secrets], target: 50 },
];
const plain: readonly Row[] = (["seq", "par"] as const).flatMap((mode) => {
  const how = mode === "seq" ? "one after the other" : "all at once";
  const up = (rev: number, n: readonly string[]) => [...n, "--mode", mode, "--rev", String(rev)];
  return [
    { name: `create 1,000 ${how}`, measured: up(0, thousand), before: [], target: 20 },
    { name: `update 1,000 ${how}`, measured: up(1, thousand), before: [up(0, thousand)], target: 20 },
    { name: `unchanged 5,000 ${how}`, measured: up(0, fiveThousand), before: [up(0, fiveThousand)], target: 10 },
    ...(mode === "seq"
      ? [
          {
            name: "destroy 1,000",
            measured: [...thousand, "--phase", "destroy"],
            before: [up(0, thousand)],
            target: 20,
          },
        ]
      : []),
  ];
});

const rows: readonly Row[] = [...plain, ...withSecrets];

interface Report {
  readonly totalMs: number;
  readonly importMs: number;
  readonly rssMb: number;
}

function runSide(side: "ours" | "peer", args: readonly string[], cwd: string, peer: string): Report {
  const script = join(here, `${side}.mjs`);
  const entry = side === "ours" ? ["--entry", pathToFileURL(join(root, "dist/plugins/index.js")).href] : [];
  const env = { ...process.env, PEER: peer };
  const out = execFileSync(process.execPath, [script, ...args, ...entry], { cwd, env, encoding: "utf8" });
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}

function measure(side: "ours" | "peer", row: Row, peer: string): Report {
  const cwd = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    for (const args of row.before) runSide(side, args, cwd, peer);
    return runSide(side, row.measured, cwd, peer);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function installPeer(): string {
  const folder = values.peer ?? join(tmpdir(), "scope-engine-bench-peer");
  if (existsSync(join(folder, "node_modules/alchemy"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  console.log(`installing ${PEER} into ${folder} (about 480 MB)`);
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", PEER], {
    cwd: folder,
    stdio: "ignore",
  });
  return folder;
}

execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
const peer = installPeer();
const runs = Number(values.runs);
const results = rows
  .filter(({ name }) => values.only === undefined || name.includes(values.only))
  .map((row) => {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let run = 0; run < runs; run++) {
      ours.push(measure("ours", row, peer).totalMs);
      theirs.push(measure("peer", row, peer).totalMs);
    }
    const [mine, other] = [median(ours), median(theirs)];
    const ratio = other / mine;
    const verdict = ratio >= row.target ? "met" : "MISSED";
    console.log(
      `${row.name.padEnd(40)} ours ${mine.toFixed(1).padStart(8)} ms   ${PEER} ${other.toFixed(1).padStart(9)} ms   ${ratio.toFixed(1).padStart(6)}×   target ${row.target}× ${verdict}`,
    );
    return { name: row.name, oursMs: mine, peerMs: other, ratio, target: row.target, runs };
  });
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, ${process.platform}`;
console.log(`medians of ${runs} runs in turns; ${machine}`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, peer: PEER, results }, null, 2)}\n`);
