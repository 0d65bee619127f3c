/** Random histories of a stage in virtual time, each from a seed. */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { live } from "./live.ts";
import { asTest, failureOf } from "./report.ts";
import { shrink } from "./shrink.ts";
import { isWorld, type WorldName, worlds } from "./worlds.ts";

const USAGE = `Usage:
  npm run simulate -- --histories 10000 [--seed 1] [--workers 2]   as many from that seed on, by default from a random one
  npm run simulate -- --seed 1234   one history, with all that happened, and made smaller where it fails
  --world users   histories of the world of users: services that refuse, lag and answer late, things made by others
  --world moves   histories of two stages, between which records move`;

const values = given();
const world = worldGiven();
const historyOf = worlds[world];
const first = numberOf("seed") ?? Math.floor(Math.random() * 2 ** 31);
const count = numberOf("histories") ?? (values.seed === undefined ? 1_000 : 1);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.part) await liveAll(first, count);
else if (count === 1) await look(first);
else await share(numberOf("workers") ?? availableParallelism());

function given() {
  try {
    const options = {
      seed: { type: "string" },
      histories: { type: "string" },
      world: { type: "string" },
      workers: { type: "string" },
    } as const;
    /** `part`: in a worker. */
    return parseArgs({ options: { ...options, part: { type: "boolean", default: false } } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function worldGiven(): WorldName {
  const { world: name = "processes" } = values;
  return isWorld(name) ? name : refuse(`--world must be one of ${Object.keys(worlds).join(", ")}, not ${name}`);
}

function numberOf(name: "seed" | "histories" | "workers"): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  return /^\d{1,15}$/.test(text) && (name === "seed" || Number(text) > 0)
    ? Number(text)
    : refuse(`--${name} must be a whole number${name === "seed" ? "" : " from 1"}, not ${text}`);
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n${USAGE}\n`);
  process.exit(2);
}

/** In this process: prints each failure, and the progress. */
async function liveAll(from: number, histories: number): Promise<void> {
  let failed = 0;
  let last = performance.now();
  for (let done = 0; done < histories; done++) {
    const lived = await live(historyOf(from + done));
    if (lived.problems.length > 0) {
      failed++;
      print(failureOf(from + done, lived, world));
    }
    if (performance.now() - last < 10_000) continue;
    last = performance.now();
    process.send?.({ done: done + 1, failed });
  }
  process.send?.({ done: histories, failed });
  process.disconnect?.();
}

async function look(seed: number): Promise<void> {
  const history = historyOf(seed);
  const lived = await live(history);
  for (const line of lived.trace) print(line);
  if (lived.problems.length === 0) return print(`seed ${seed}: nothing is wrong`);
  process.exitCode = 1;
  print(failureOf(seed, lived, world));
  print("Making it smaller …");
  const smallest = await shrink(history);
  print(asTest(smallest, await live(smallest)));
}

async function share(workers: number): Promise<void> {
  print(`${count} histories from seed ${first}, in ${workers} processes`);
  const started = performance.now();
  const progress = Array.from({ length: workers }, () => ({ done: 0, failed: 0 }));
  const each = Math.ceil(count / workers);
  const told = setInterval(() => print(rate()), 30_000);
  const rate = (): string => {
    const done = progress.reduce((sum, one) => sum + one.done, 0);
    const failed = progress.reduce((sum, one) => sum + one.failed, 0);
    const minutes = (performance.now() - started) / 60_000;
    return `${done} of ${count} histories · ${failed} failed · ${Math.round(done / minutes)} a minute`;
  };
  const codes = progress.map((own, index) => {
    const from = first + index * each;
    const args = [
      "--part",
      "--world",
      world,
      "--seed",
      String(from),
      "--histories",
      String(Math.min(each, first + count - from)),
    ];
    const child = fork(fileURLToPath(import.meta.url), args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.on("message", (message) => Object.assign(own, message));
    return new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  });
  const ends = await Promise.all(codes);
  clearInterval(told);
  print(rate());
  const isSound = ends.every((code) => code === 0) && progress.every(({ failed }) => failed === 0);
  process.exitCode = isSound ? 0 : 1;
}
