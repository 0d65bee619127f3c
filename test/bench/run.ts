/**
 * Times and memory of the engine, beside others, in one run and in turns: medians, ratios, and whether targets are met.
 *
 *   npm run bench                      the rows that have a target
 *   npm run bench -- --quick           a row of each kind, in about three minutes
 *   npm run bench -- --full            the whole matrix, which takes many hours
 *   npm run bench -- --figure          the rows of the documentation, into docs/guide/speed.json and speed.svg
 *   npm run bench -- --stores          PostgreSQL, Redis and S3 at three distances, into docs/guide/speed-stores.json
 *   npm run bench -- --only "create 1,000 all at once on S3" --runs 1
 *   --json FILE, --svg FILE            the measurements, and their figure; --from FILE draws earlier ones
 *   --against COMMIT                   the build of a commit beside this one, nine times
 *   --entry FILE                       a build to measure, instead of making one: its dist/plugins/index.js
 *   --peer DIR, --no-peers             an install of Alchemy, or no peers
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compareWith } from "./against.js";
import { figureOf } from "./figure.js";
import { measureFloor } from "./floor.js";
import { type Bench, measureRow } from "./measure.js";
import { medianOf, type SideName } from "./measured.js";
import { BadOption, type BenchOptions, parseOptions } from "./options.js";
import { installPeer, type PeerName } from "./peers.js";
import { type Report, reportOf, resultOf } from "./report.js";
import type { Row } from "./rows.js";
import { oursSide, peerSide, type Side } from "./side.js";
import { Stores } from "./stores.js";
import { footOf, lineOf, tableOf } from "./table.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

async function main(argv: readonly string[]): Promise<void> {
  const options = parseOptions(argv);
  if (options.against !== undefined) {
    console.log(await compareWith(options.against, { ...options, entry: () => entryOf(options) }));
    return;
  }
  const report = options.from === undefined ? await measureAll(options) : readReport(options.from);
  console.log(`${tableOf(report.rows)}\n\n${footOf(report)}`);
  if (options.svg !== undefined) writeFileSync(options.svg, figureOf(report));
  if (report.rows.some(({ sides }) => medianOf(sides.ours) === undefined)) process.exitCode = 1;
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch (error) {
    throw new BadOption(`--from: ${file} is no report of this benchmark.`, { cause: error });
  }
}

async function measureAll(options: BenchOptions): Promise<Report> {
  const { rows, runs } = options;
  const entry = entryOf(options);
  const stores = new Stores();
  try {
    const bench: Bench = { runs, stores, sides: sidesOf(rows, { ...options, entry }) };
    const floor = await measureFloor(runs);
    let report = reportOf(runs, floor, []);
    for (const row of rows) {
      const result = resultOf(row, await measureRow(row, bench));
      report = { ...report, rows: [...report.rows, result] };
      console.error(`[${report.rows.length}/${rows.length}] ${lineOf(result)}`);
      // After each row: the results of hours must not be lost with the last row.
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    }
    return report;
  } finally {
    await stores.close();
  }
}

/** The entry of the build to measure, which is made if none was given. */
function entryOf({ entry }: BenchOptions): string {
  if (entry !== undefined) return entry;
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", 2, 2] });
  return join(root, "dist/plugins/index.js");
}

function sidesOf(rows: readonly Row[], { peer, peers, entry }: BenchOptions & { entry: string }): Bench["sides"] {
  const sides = new Map<SideName, Side | { readonly notRun: string }>();
  sides.set("ours", oursSide(pathToFileURL(entry).href));
  if (!peers) return sides;
  const all = rows.flatMap((row) => row.peers);
  for (const name of new Set<PeerName>(all.map((one) => one.name))) {
    const isRun = all.some((one) => one.name === name && one.notRun === undefined);
    const folder = isRun ? installPeer(name, name === "alchemy" ? peer : undefined) : { notRun: "nowhere to be run" };
    sides.set(name, typeof folder === "string" ? peerSide(name, folder) : folder);
  }
  return sides;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
