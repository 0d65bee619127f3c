/** What `npm test` does: every check of the project, one line a step; the very last line counts them all. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Each is a script of package.json and counts as one test. */
const steps = [
  { script: "build" },
  { script: "lint", args: ["--colors=off"] },
  { script: "types" },
  { script: "docs" },
  { script: "publint", needs: "build" },
  { script: "attw", needs: "build" },
  { script: "knip" },
];

const count = { passed: 0, failed: 0, skipped: 0 };
const failed = new Set();

/** @param told called with each line that it prints, as it does */
function run(script, args = [], told = undefined) {
  const started = performance.now();
  const { FORCE_COLOR: _, ...env } = process.env;
  const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
    cwd: root,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  if (told) createInterface({ input: child.stdout }).on("line", told);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString(), seconds });
    });
  });
}

function report(name, outcome, seconds, detail = "") {
  console.log(`${outcome.padEnd(6)} ${name.padEnd(14)} ${`${seconds} s`.padStart(8)}${detail && `   ${detail}`}`);
}

async function check({ script, args, needs }) {
  if (failed.has(needs)) {
    count.skipped += 1;
    report(script, "skip", "0.0", `${needs} failed`);
    return;
  }
  const { ok, output, seconds } = await run(script, args);
  report(script, ok ? "ok" : "FAILED", seconds);
  if (ok) count.passed += 1;
  else {
    count.failed += 1;
    failed.add(script);
    console.log(output);
  }
}

function slowest(files) {
  return files
    .map((file) => ({ name: relative(root, file.name), seconds: (file.endTime - file.startTime) / 1_000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 12)
    .map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`);
}

async function vitest() {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-test-"));
  try {
    const file = join(folder, "results.json");
    const reporters = ["--reporter=dot", "--reporter=./test/reporter.ts", "--reporter=json", `--outputFile=${file}`];
    // What the second of them tells while the tests run is marked.
    const { ok, output, seconds } = await run("test:unit", reporters, (line) => {
      if (line.startsWith("| ")) console.log(line);
    });
    const results = JSON.parse(await readFile(file, "utf8").catch(() => '{"testResults":[]}'));
    const tests = results.testResults.flatMap((one) => one.assertionResults);
    const ended = (...statuses) => tests.filter((one) => statuses.includes(one.status)).length;
    // A file that could not be loaded has failed without a failed test; so has a run with an unhandled rejection.
    const broken = results.testResults.filter(
      (one) => one.status === "failed" && one.assertionResults.every((test) => test.status !== "failed"),
    ).length;
    const failures = ended("failed") + broken;
    count.passed += ended("passed");
    count.failed += failures === 0 && !ok ? 1 : failures;
    count.skipped += tests.length - ended("passed", "failed");
    report(
      "tests",
      ok ? "ok" : "FAILED",
      seconds,
      `${ended("passed")} of ${tests.length} in ${results.testResults.length} files`,
    );
    console.log(`       slowest: ${slowest(results.testResults).join(", ")}`);
    for (const note of tests.flatMap((one) => one.meta?.note ?? [])) console.log(`       ${note}`);
    if (!ok) console.log(output);
    // Once more at the end, shortly: a record of a long run may have lost its middle.
    for (const test of tests.filter((one) => one.status === "failed")) {
      console.log(`FAILED ${test.fullName}\n       ${test.failureMessages.join("\n").slice(0, 1_000)}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const step of steps) await check(step);
await vitest();
process.exitCode = count.failed === 0 ? 0 : 1;
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
