import { describe } from "vitest";
import { programOf, runtimes } from "../runtimes/runtimes.ts";
import { letsGoOf, ways } from "./one-after-another.ts";

const isTried = process.platform === "linux" && process.arch === "x64";
const nodes = runtimes.filter(({ name }) => name.startsWith("Node "));
/** What is between the oldest and the newest is for long runs. */
const tried =
  process.env.LONG === undefined ? [...new Set([nodes.at(0), nodes.at(-1)])].flatMap((one) => one ?? []) : nodes;

describe.runIf(isTried).each(tried)("a process that opens one app after another on $name", (runtime) => {
  letsGoOf(ways, () => programOf(runtime), 120_000, process.env.LONG === undefined ? 40 : 500);
});
