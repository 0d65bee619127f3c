/** Runs an author's programs through random histories in virtual time. */
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
import { failed, type Problem, SimulationError } from "./error.js";
import type { History } from "./history.js";
import { type Lived, live } from "./life.js";
import type { SimulatedStoreName, SimulateOptions, SimulationReport } from "./options.js";
import { running } from "./outside.js";
import { watchRealWaits } from "./real-waits.js";
import { shrink } from "./shrink.js";
import { SimulatedStage } from "./stage.js";

const STORES: readonly SimulatedStoreName[] = ["files", "redis", "bucket"];

const RULES: RulesOf<SimulateOptions> = {
  seed: number,
  histories: wholeFrom(0),
  store: oneOf<SimulatedStoreName>({ files: true, redis: true, bucket: true }),
  lost: number,
  setUp: required(callback),
};

/** Simulations take turns: each replaces what the whole process runs on. */
const turns = processWide("simulations@1", () => ({ last: Promise.resolve() as Promise<unknown> }));

/**
 * Lives through histories of a stage: its programs are deployed by processes that are killed, interrupted or paused, alone or
 * several at a time, on a store and a network that lose requests. Then nothing goes wrong any more, and the stage must come
 * to rest: a run succeeds, another one does nothing, a plan is empty, a destroy leaves nothing.
 *
 * All of it happens in this process, in virtual time, and follows from the seed. Simulations wait for each other; nothing
 * else may use the engine in the process meanwhile.
 *
 * @throws SimulationError with the fewest steps that lead to what is wrong, and how to see it again
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
  if (!whole(first, 0)) throw new SimulationError(`The option "seed" must be a whole number, not ${first}.`);
  if (!whole(histories, 1)) throw new SimulationError(`The option "histories" must be at least 1, not ${histories}.`);
  let [runs, calls] = [0, 0];
  let trace: readonly string[] = [];
  for (let seed = first; seed < first + histories; seed++) {
    const lived = await one(options, seed);
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

async function one(options: SimulateOptions, seed: number, history?: History): Promise<Lived> {
  const stage = new SimulatedStage(seed, storeOf(options, seed));
  const { request, sleep, now, random } = stage.outside;
  const subject = await options.setUp({ request, sleep, now, random });
  if (subject.programs.length === 0) throw new SimulationError("setUp must give one program at least.");
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

/** With the smallest history that fails in the same way. */
async function explained(options: SimulateOptions, seed: number, lived: Lived): Promise<SimulationError> {
  const kindsOf = (problems: readonly Problem[]): string | undefined => problems[0]?.kind;
  let smallest = lived;
  await shrink(lived.history, async (history) => {
    const tried = await one(options, seed, history);
    const isAlike = kindsOf(tried.problems) === kindsOf(lived.problems);
    if (isAlike) smallest = tried;
    return isAlike;
  });
  return failed({ ...smallest, seed });
}
