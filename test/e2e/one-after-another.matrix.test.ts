import { describe } from "vitest";
import { isLong } from "../helpers/checks/sampling.ts";
import { programOf, runtimes } from "../runtimes/runtimes.ts";
import { letsGoOf, ways } from "./one-after-another.ts";

const isTried = process.platform === "linux" && process.arch === "x64";
const nodes = runtimes.filter(({ name }) => name.startsWith("Node "));
/** Versions between the oldest and the newest are for long runs. */
const tried = isLong ? nodes : [...new Set([nodes.at(0), nodes.at(-1)])].flatMap((one) => one ?? []);

describe.runIf(isTried).each(tried)("a process that opens one app after another on $name", (runtime) => {
  // On the oldest version every other one; most tests run on it anyway.
  const some = ways.filter((_, index) => isLong || runtime === nodes.at(-1) || index % 2 === 1);
  letsGoOf(some, () => programOf(runtime), 120_000, isLong ? 500 : 40);
});
