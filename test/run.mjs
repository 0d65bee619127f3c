/**
 * Every check of the project, told of as it goes; the very last line counts them all.
 *
 *   node test/run.mjs [--rest | --all] [PATH…] [OPTION OF VITEST…]
 *
 * With neither: what `npm test` does, all but the tests of *.matrix.test.ts; `--rest` is those alone. With paths, only the
 * tests in them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPlace } from "./runner/place.mjs";
import { processesOf } from "./runner/processes.mjs";
import { progressOn } from "./runner/progress.mjs";
import { testsIn } from "./runner/tests.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tiers = { "--rest": "rest", "--all": "all" };
const given = process.argv.slice(2);
const args = given.filter((argument) => !(argument in tiers));
const named = args.some((argument) => argument.includes("matrix")) ? "all" : "test";
const tier = given.map((argument) => tiers[argument]).find(Boolean) ?? named;
const isPart = args.length > 0;

/** Each is a script of package.json, and counts as one test. One at a time, beside the tests. */
const checks = [
  { script: "lint", args: ["--colors=off"] },
  { script: "types" },
  { script: "knip" },
  { script: "docs" },
  { script: "publint", needsBuild: true },
  { script: "attw", needsBuild: true },
];

const count = { passed: 0, failed: 0, skipped: 0 };
const progress = progressOn(process.stdout);
const place = await openPlace();
const processes = processesOf(place.folder, root);
/** What ends from then on was ended. */
let isOver = false;

async function check({ script, args = [], isPatient = true }) {
  progress.begin(script);
  const { ok, output, seconds } = await processes.run("npm", ["run", "--silent", script, "--", ...args], {
    isPatient,
    // Node reads them at each start, in more time than all else of it, and no check asks anything of a server.
    env: { NODE_EXTRA_CA_CERTS: "" },
  });
  if (isOver) return false;
  count[ok ? "passed" : "failed"] += 1;
  progress.end(script, ok ? "ok" : "FAILED", seconds);
  if (!ok) progress.line(output);
  return ok;
}

/** The others go on while the package is built; those that look at what was built wait for it. */
async function checkAll(built) {
  for (const one of checks) {
    if (one.needsBuild && !(await built)) {
      count.skipped += 1;
      progress.end(one.script, "skip", 0, "build failed");
    } else await check(one);
  }
}

async function test() {
  const tests = testsIn(root, progress, count);
  progress.begin("tests");
  const vitest = [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--config",
    "test/vitest.config.ts",
    "--root",
    ".",
  ];
  const reporter = "--reporter=./test/reporter.ts";
  const env = { TEST_TIER: tier };
  const { ok, output, seconds } = await processes.run(process.execPath, [...vitest, reporter, ...args], {
    env,
    told: tests.told,
  });
  if (isOver) return;
  if (!ok && !tests.hasFailed()) {
    count.failed += 1;
    progress.line(output);
  }
  if (!isPart) tests.remember();
  progress.end("tests", ok ? "ok" : "FAILED", seconds, tests.detail());
  progress.line(`       slowest: ${tests.slowest().join(", ")}`);
  for (const note of tests.notes()) progress.line(`       ${note}`);
  // Once more at the end, shortly: a record of a long run may have lost its middle.
  for (const failure of tests.failures) progress.line(failure);
}

/** The folder goes with the run, but a test that leaves something there would leave it everywhere else, too. */
async function checkPlace() {
  const left = isOver ? [] : await place.leftovers();
  if (left.length === 0) return;
  count.failed += 1;
  progress.line(`FAILED the tests left in the temporary folder: ${left.join(", ")}`);
}

async function finish(code) {
  if (isOver) return;
  isOver = true;
  await processes.end();
  await place.close();
  progress.close();
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  process.exit(code ?? (count.failed === 0 ? 0 : 1));
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => {
    progress.line(`stopped by ${signal}`);
    void finish(code);
  });
}

const needsBuild = !isPart || !existsSync(join(root, "dist/plugins/cli/main.js"));
const built = needsBuild ? check({ script: "build", isPatient: false }) : Promise.resolve(true);
const checked = isPart || tier === "rest" ? Promise.resolve() : checkAll(built);
if (await built) await test();
await checked;
await checkPlace();
await finish();
