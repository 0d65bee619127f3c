// Counts calls of the package in this process, and writes them as JSON into the file that COUNTS names when it exits:
//   COUNTS=FILE node --import counting.mjs PROGRAM
// Time stands still meanwhile: the duration of one append decides how many changes the next one takes.
import fs from "node:fs";
import { Session } from "node:inspector";
import { syncBuiltinESMExports } from "node:module";

process.hrtime = Object.assign(() => [0, 0], { bigint: () => 0n });
// On a slow machine, a lease would send more heartbeats.
globalThis.setInterval = () => setTimeout(() => {}, 0);

const GROUPS = {
  writes: ["write", "writev", "writeFile", "appendFile"],
  stats: ["stat", "lstat", "fstat", "access", "exists"],
  fsyncs: ["fsync", "fdatasync", "sync", "datasync"],
};
/** Counts by group, function of Node and caller, e.g. `stats statSync file:///…/engine.js 120 14`. */
const fileCalls = {};
/** The programs of the benchmark, whose calls are not counted. */
const HERE = new URL("./", import.meta.url).href;
/** True inside a counted call: `writeFileSync` calls `writeSync`, which is not a call of the package. */
let isWithin = false;

function countFileCalls(owner) {
  for (const [group, names] of Object.entries(GROUPS)) {
    for (const name of names.flatMap((one) => [one, `${one}Sync`])) {
      if (typeof owner[name] === "function") owner[name] = counted(owner[name], `${group} ${name}`);
    }
  }
}

function counted(original, what) {
  const count = function (...args) {
    if (isWithin) return original.apply(this, args);
    const caller = callerOf(count);
    if (caller !== undefined) {
      const key = `${what} ${caller}`;
      fileCalls[key] = (fileCalls[key] ?? 0) + 1;
    }
    isWithin = true;
    try {
      return original.apply(this, args);
    } finally {
      isWithin = false;
    }
  };
  // `promisify` and `exists` keep symbols there.
  return Object.defineProperties(count, Object.getOwnPropertyDescriptors(original));
}

/**
 * The nearest caller that is a file, without those that wait for it; undefined if it belongs to the benchmark or only
 * Node itself made the call.
 */
function callerOf(callee) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  Error.prepareStackTrace = (_, sites) => sites;
  Error.stackTraceLimit = 10;
  Error.captureStackTrace(holder, callee);
  const site = holder.stack.find((one) => !one.isAsync() && one.getFileName()?.startsWith("file:"));
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  if (site === undefined || site.getFileName().startsWith(HERE)) return undefined;
  return `${site.getFileName()} ${site.getLineNumber()} ${site.getColumnNumber()}`;
}

const handle = await fs.promises.open(process.execPath);
await handle.close();
for (const owner of [fs, fs.promises, Object.getPrototypeOf(handle)]) countFileCalls(owner);
syncBuiltinESMExports();

const session = new Session();
session.connect();

/** Asks the profiler, which answers before `post` returns. */
function ask(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

ask("Profiler.enable");
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("exit", () => {
  const scripts = ask("Profiler.takePreciseCoverage").result;
  fs.writeFileSync(process.env.COUNTS, JSON.stringify({ fileCalls, scripts }));
});
