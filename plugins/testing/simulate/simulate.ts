/** Runs an author's programs through random histories in virtual time. */

import { createHook } from "node:async_hooks";
import {
  callback,
  checkGiven,
  number,
  oneOf,
  processWide,
  type RulesOf,
  required,
  wholeFrom,
} from "../../../core/base/index.js";
import { CALM, type Chapter, type Deployer, type History } from "./history.js";
import { type Lived, live } from "./life.js";
import type { SimulatedStoreName, SimulateOptions, SimulationReport } from "./options.js";
import { failed, type Problem, SimulationError } from "./options.js";
import { running } from "./outside.js";
import { SimulatedStage } from "./stage.js";

const STORES: readonly SimulatedStoreName[] = ["files", "redis", "bucket"];

const RULES: RulesOf<SimulateOptions> = {
  seed: number,
  histories: wholeFrom(0),
  store: oneOf<SimulatedStoreName>({ files: true, redis: true, bucket: true }),
  lost: number,
  setUp: required(callback),
};

/** Simulations take turns: each replaces the platform of the whole process. */
const turns = processWide("simulations@1", () => ({ last: Promise.resolve() as Promise<unknown> }));

/**
 * Lives through histories of a stage: processes deploy its programs. They are killed, interrupted or paused, alone or
 * several at a time, on a store and a network that lose requests. Then the faults end, and the stage must come to rest:
 * a run succeeds, another one does nothing, a plan is empty, a destroy leaves nothing.
 *
 * Everything happens in this process, in virtual time, and follows from the seed. Simulations wait for each other; no
 * other code may use the engine in the process meanwhile.
 *
 * @throws SimulationError with the fewest steps that lead to the problem, and how to reproduce it
 * @example
 * ```ts
 * test("mailboxes survive", () => simulate({
 *   setUp({ request }) {
 *     service.boxes.clear();
 *     service.call = request;
 *     return { programs: [() => Mailbox("inbox", { quota: 10 }), () => Mailbox("inbox", { quota: 20 })] };
 *   },
 * }));
 * ```
 */
export function simulate(options: SimulateOptions): Promise<SimulationReport> {
  checkGiven("simulate", options, RULES);
  const turn = turns.last.then(() => simulateAll(options));
  turns.last = turn.catch(() => {});
  return turn;
}

async function simulateAll(options: SimulateOptions): Promise<SimulationReport> {
  const { seed: first = 1, histories = 100 } = options;
  const whole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  if (!whole(first, 0))
    throw new SimulationError(`The option "seed" must be a whole number of at least 0, not ${first}.`);
  if (!whole(histories, 1))
    throw new SimulationError(`The option "histories" must be a whole number of at least 1, not ${histories}.`);
  let [runs, calls] = [0, 0];
  let trace: readonly string[] = [];
  for (let seed = first; seed < first + histories; seed++) {
    const lived = await liveOnce(options, seed);
    if (lived.problems.length > 0) throw await explained(options, seed, lived);
    runs += lived.runs;
    calls += lived.calls;
    trace = lived.trace;
  }
  return { histories, runs, calls, trace };
}

function storeOf({ store }: SimulateOptions, seed: number): SimulatedStoreName {
  return store ?? STORES[seed % STORES.length] ?? "files";
}

async function liveOnce(options: SimulateOptions, seed: number, history?: History): Promise<Lived> {
  const stage = new SimulatedStage(seed, storeOf(options, seed));
  const { request, sleep, now, random } = stage.outside;
  const subject = await options.setUp({ request, sleep, now, random });
  if (subject.programs.length === 0) throw new SimulationError("setUp must return at least one program.");
  const watched = () => stage.isRunning(running.getStore()?.process);
  const stop = watchRealWaits(watched, (waitsFor, where) => {
    const present = running.getStore();
    if (present) stage.refuse(present.process, present.what, waitsFor, where);
  });
  try {
    return await live(subject, { stage, lost: options.lost ?? 0.1, history });
  } finally {
    stop();
  }
}

/** Returns the error of the smallest history that fails in the same way. */
async function explained(options: SimulateOptions, seed: number, lived: Lived): Promise<SimulationError> {
  const kindsOf = (problems: readonly Problem[]): string | undefined => problems[0]?.kind;
  let smallest = lived;
  await shrink(lived.history, async (history) => {
    const tried = await liveOnce(options, seed, history);
    const isAlike = kindsOf(tried.problems) === kindsOf(lived.problems);
    if (isAlike) smallest = tried;
    return isAlike;
  });
  return failed({ ...smallest, seed });
}

/** Node's names of asynchronous resources that end a wait from outside, and common names for them. */
const WAITS: readonly (readonly [type: RegExp, name: string])[] = [
  [/^(Timeout|Immediate)$/, "a timer"],
  [/^FSREQ/, "a file"],
  [/^(TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP|UDPSENDWRAP)$/, "the network"],
  [/^PROCESSWRAP$/, "another process"],
  [/^WORKER$/, "a worker"],
];

/** Enough stack frames to find the caller. */
const FRAMES = 40;

/**
 * Calls `report` when a real wait begins, with its kind and the line of code, until the returned function is called.
 * `isWatched` returns true if the running code must use virtual time. Reports nothing on runtimes without asynchronous
 * hooks.
 */
export function watchRealWaits(isWatched: () => boolean, report: (what: string, where: string) => void): () => void {
  const hook = createHook({
    init(_id, type) {
      const [, what] = WAITS.find(([pattern]) => pattern.test(type)) ?? [];
      if (what === undefined || !isWatched()) return;
      const frames = stack();
      // A console may buffer lines for a moment; no code waits for that.
      if (!frames.some((frame) => frame.includes("node:internal/console"))) report(what, callerIn(frames));
    },
  });
  hook.enable();
  return () => hook.disable();
}

function stack(): readonly string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack: text = "" } = new Error();
  Error.stackTraceLimit = before;
  return text.split("\n").slice(1);
}

/** Returns the first line that belongs neither to Node nor to this file. */
function callerIn(frames: readonly string[]): string {
  // Undefined in a CommonJS bundle.
  const here: string | undefined = import.meta.url;
  const own = here === undefined ? undefined : new URL(here).pathname;
  const isOwn = (frame: string): boolean => own !== undefined && frame.includes(own);
  const caller = frames.find((frame) => !/\(?node:|<anonymous>\)?$/.test(frame) && !isOwn(frame));
  return caller?.trim().replace(/^at /, "") ?? "an unknown line";
}

/** The most histories to try. */
const MOST = 80;

/**
 * Removes parts one at a time, as long as the history still fails.
 *
 * @param fails returns true if a history still fails in the same way
 */
export async function shrink(history: History, fails: (smaller: History) => Promise<boolean>): Promise<History> {
  let smallest = history;
  let tried = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (++tried > MOST) return smallest;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Yields the history without a chapter, a process, a blow, or a fault; the largest reductions come first. */
function* smallerThan(history: History): Generator<History> {
  const { chapters } = history;
  const replaced = (at: number, chapter: Chapter): History => ({ ...history, chapters: chapters.with(at, chapter) });
  for (const at of chapters.keys()) yield { ...history, chapters: chapters.toSpliced(at, 1) };
  for (const [at, chapter] of chapters.entries()) {
    for (const smaller of smallerChapters(chapter)) yield replaced(at, smaller);
  }
  if (history.limits !== 0) yield { ...history, limits: 0 };
}

function* smallerChapters(chapter: Chapter): Generator<Chapter> {
  const { deployers } = chapter;
  if (deployers.length > 1) {
    for (const at of deployers.keys()) yield { ...chapter, deployers: deployers.toSpliced(at, 1) };
  }
  if (chapter.storeFaults > 0) yield { ...chapter, storeFaults: 0 };
  if (chapter.outage) yield { ...chapter, outage: undefined };
  for (const [at, deployer] of deployers.entries()) {
    for (const smaller of smallerDeployers(deployer)) yield { ...chapter, deployers: deployers.with(at, smaller) };
  }
}

function* smallerDeployers(deployer: Deployer): Generator<Deployer> {
  const { blows, lost, delay, concurrency } = deployer;
  for (const at of blows.keys()) yield { ...deployer, blows: blows.toSpliced(at, 1) };
  if (lost > 0) yield { ...deployer, lost: 0 };
  if (delay > 0) yield { ...deployer, delay: 0 };
  if (concurrency !== CALM.concurrency) yield { ...deployer, concurrency: CALM.concurrency };
}
