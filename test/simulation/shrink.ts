/**
 * Makes a failing history smaller: the fewest chapters, deployers, faults and steps that still fail in the same way.
 */
import type { History } from "./history.ts";
import { live } from "./live.ts";

/** The kind of the violation, without names and numbers: `early`, `lost`, … */
function kindOf(problem: string): string {
  return problem.slice(0, problem.indexOf(":"));
}

/** @param told called with each smaller history that still fails */
export async function shrink(history: History, told: (smaller: History) => void = () => {}): Promise<History> {
  const first = await problemsOf(history);
  const kind = kindOf(first[0] ?? "");
  let smallest = history;
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const smaller of smallerOnes(smallest)) {
      if (!(await problemsOf(smaller)).some((problem) => kindOf(problem) === kind)) continue;
      smallest = smaller;
      hasShrunk = true;
      told(smallest);
      break;
    }
  }
  return smallest;
}

async function problemsOf(history: History): Promise<readonly string[]> {
  return (await live(history)).problems;
}

/** The plainest value of each member: tried first, in place of its present value. */
const PLAIN: Readonly<Record<string, unknown>> = {
  password: false,
  limits: 0,
  lostRequest: 0,
  lostReply: 0,
  repeated: 0,
  outage: null,
  delay: 0,
  concurrency: 64,
  parallel: false,
  lockTimeout: 0,
  isEager: false,
  refresh: false,
  force: false,
  mishap: 0,
  behind: 0,
  isWatched: false,
  isAwaited: true,
  isCaught: false,
  isSecret: false,
  calls: false,
  isLimited: false,
  vetoes: false,
  keepsOrphans: false,
  adopts: false,
  isForeseen: false,
  tag: 0,
  options: {},
  kind: "token",
  machine: 0,
  value: 0,
  name: 0,
  list: 0,
  index: 0,
};

/** Every history that is smaller by one piece: large pieces first. */
function* smallerOnes(history: History): Generator<History> {
  yield* variants(history, (smaller) => smaller as History);
}

function* variants(value: unknown, whole: (smaller: unknown) => History): Generator<History> {
  if (Array.isArray(value)) {
    for (let size = (value.length + 1) >> 1; size > 0; size >>= 1) {
      for (let at = 0; at + size <= value.length; at += size) yield whole(value.toSpliced(at, size));
    }
    for (const [index, item] of value.entries()) {
      yield* variants(item, (smaller) => whole(value.with(index, smaller)));
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const plain = PLAIN[name];
      const isText = typeof member === "string";
      const isLarger = typeof member === typeof plain || (name === "outage" && Array.isArray(member));
      if (plain !== undefined && isLarger && JSON.stringify(member) !== JSON.stringify(plain)) {
        yield whole({ ...value, [name]: plain ?? undefined });
      }
      if (!isText) yield* variants(member, (smaller) => whole({ ...value, [name]: smaller }));
    }
  }
}
