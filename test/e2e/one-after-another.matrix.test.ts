import { describe } from "vitest";
import { programOf, runtimes } from "../runtimes/runtimes.ts";
import { letsGoOf, ways } from "./one-after-another.ts";

const isTried = process.platform === "linux" && process.arch === "x64";
const nodes = runtimes.filter(({ name }) => name.startsWith("Node "));

describe.runIf(isTried).each(nodes)("a process that opens one app after another on $name", (runtime) => {
  letsGoOf(ways, () => programOf(runtime), 120_000);
});
