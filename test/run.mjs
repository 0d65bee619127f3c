/**
 * Runs the checks and the tests of the project. The last line counts both.
 *
 *   node test/run.mjs [--rest | --all] [PATH…] [OPTION OF VITEST…]
 *
 * Without a flag: all checks, and all tests except the matrix (`*.matrix.test.ts`). `--rest` runs the matrix alone;
 * with paths of the project (`adapters/redis`), the part that proves them, as test/matrix.mjs says. `--all` runs
 * everything. Without `--rest`, a path is part of the name of a test file, and the checks are left out.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { matrixOf } from "./matrix.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const isRest = given.includes("--rest");
const rest = given.filter((argument) => argument !== "--rest" && argument !== "--all");
const args = isRest ? matrixFilters(rest) : rest;
const isPart = rest.length > 0;
const namesMatrix = args.some((argument) => argument.includes("matrix"));
const tier = isRest ? "rest" : given.includes("--all") || namesMatrix ? "all" : "test";

/** Scripts of package.json, with their arguments. Each counts as one test; they run one at a time, beside the tests. */
const CHECKS = {
  // The site comes first: tests of its pages skip themselves if it is missing.
  test: [["docs"], ["lint", "--colors=off"], ["types"]],
  rest: [["package-check"]],
};
/** Files that other programs keep in the temporary folder from one start to the next. */
const caches = /^(tsx-|v8-compile-cache|node-compile-cache|node-jiti|yarn--|npm-|hsperfdata)/;
/** An output is kept up to this number of characters; its end matters. */
const LIMIT = 100_000;

const count = { passed: 0, failed: 0, skipped: 0 };
// The name is short because tests create sockets below it, and the path of a socket has at most about a hundred bytes.
const folder = await mkdtemp(join(await realpath(tmpdir()), "run-"));
// Servers that refuse to run as root have their data in it.
await chmod(folder, 0o711);
const { FORCE_COLOR: _, ...inherited } = process.env;
const running = new Set();
let isOver = false;

/** Resolves with the exit code, the output (unless it is shown at once) and the seconds that the program took. */
function run(command, commandArgs, { env = {}, isShown = false, isPatient = false } = {}) {
  const started = performance.now();
  const child = spawn(command, commandArgs, {
    cwd: root,
    env: { ...inherited, NO_COLOR: "1", TMPDIR: folder, ...env },
    stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"],
    // Ctrl-C reaches this process alone, which then ends the others.
    detached: true,
  });
  running.add(child);
  if (isPatient && child.pid !== undefined) setPriority(child.pid, 10);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-LIMIT);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      running.delete(child);
      resolve({ code, output, seconds: (performance.now() - started) / 1_000 });
    });
  });
}

function matrixFilters(paths) {
  const { filters, unknown } = matrixOf(paths.filter((path) => !path.startsWith("-")));
  if (unknown.length > 0) {
    console.error(`No matrix test proves ${unknown.join(", ")}. test/matrix.mjs lists the paths.`);
    process.exit(2);
  }
  return [...filters, ...paths.filter((path) => path.startsWith("-"))];
}

async function check([script, ...own], isPatient = true) {
  // No check asks a server. Node reads the certificates at each start, which takes longer than the rest of the start.
  const env = { NODE_EXTRA_CA_CERTS: "" };
  const { code, output, seconds } = await run("npm", ["run", "--silent", script, "--", ...own], { env, isPatient });
  if (isOver) return false;
  const isGood = code === 0;
  count[isGood ? "passed" : "failed"] += 1;
  console.log(`${isGood ? "ok    " : "FAILED"} ${script} ${seconds.toFixed(0)} s`);
  if (!isGood) console.log(output);
  return isGood;
}

async function checkAll() {
  for (const one of CHECKS[tier] ?? [...CHECKS.test, ...CHECKS.rest]) await check(one);
}

async function test() {
  const summary = join(folder, "summary.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = ["run", "--config", "test/vitest.config.ts", "--root", ".", "--reporter=./test/reporter.ts"];
  const env = { TEST_TIER: tier, TEST_SUMMARY: summary };
  const { code } = await run(process.execPath, [vitest, ...options, ...args], { env, isShown: true });
  if (isOver) return;
  const counted = existsSync(summary)
    ? JSON.parse(await readFile(summary, "utf8"))
    : { passed: 0, failed: 0, skipped: 0 };
  await rm(summary, { force: true });
  for (const [name, number] of Object.entries(counted)) count[name] += number;
  if (code !== 0 && counted.failed === 0) count.failed += 1;
}

/** A test, or the engine, that leaves something in the temporary folder would leave it on users' machines too. */
async function checkLeftovers() {
  const left = (await readdir(folder)).filter((name) => !caches.test(name)).sort();
  if (left.length === 0 || isOver) return;
  count.failed += 1;
  console.log(`FAILED the tests left in the temporary folder: ${left.join(", ")}`);
}

async function finish(code) {
  if (isOver) return;
  isOver = true;
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  process.exit(code ?? (count.failed === 0 ? 0 : 1));
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => void finish(code));
}

const needsBuild = !isPart || !existsSync(join(root, "dist/plugins/cli/main.js"));
const built = needsBuild ? check(["build"], false) : Promise.resolve(true);
const hasChecks = !isPart || rest.includes("package.json");
// The checks of the package look at the build.
const checked = hasChecks ? (tier === "test" ? checkAll() : built.then(checkAll)) : undefined;
if (await built) await test();
await checked;
await checkLeftovers();
await finish();
