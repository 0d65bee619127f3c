/** Eight processes on one stage in files, some of them killed, asleep, taken over, or with a wrong clock. */
import { describe, it } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { module, STORES } from "./contention-stores.js";
import { contentionSuite } from "./contention-suite.js";

contentionSuite({ describe, it }, { module, name: "segments", open: STORES.segments }, 5);
// The same disk with other rules: only long runs try it.
if (isLong) {
  contentionSuite({ describe, it }, { module, name: "entries", open: STORES.entries });
}
