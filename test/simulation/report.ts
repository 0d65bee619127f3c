/**
 * The printed report of a history that failed: how to reproduce it, and the smallest one that fails in the same way, as
 * a test.
 */
import type { History } from "./history.ts";
import type { Lived } from "./live.ts";
import type { WorldName } from "./worlds.ts";

/** The last lines of a trace are the most useful. */
const LAST = 40;
const WIDEST = 220;

function replayCommand(seed: number, world: WorldName): string {
  return `npm run simulate -- ${world === "processes" ? "" : `--world ${world} `}--seed ${seed}`;
}

export function failureOf(seed: number, { problems }: Lived, world: WorldName = "processes"): string {
  return [
    `seed ${seed} fails; see it again: ${replayCommand(seed, world)}`,
    ...problems.map((line) => `  ${line}`),
  ].join("\n");
}

/** A test to paste into found.test.ts. */
export function asTest(history: History, { problems, trace }: Lived): string {
  const last = trace.slice(-LAST).map((line) => `  // ${line.slice(0, WIDEST)}`);
  return [
    ...problems.map((line) => `// ${line.split("\n")[0]}`),
    `test("SYMPTOM", async () => {`,
    ...last,
    `  const history: History = ${JSON.stringify(history)};`,
    "  expect((await live(history)).problems).toEqual([]);",
    "});",
  ].join("\n");
}
