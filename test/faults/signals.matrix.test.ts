import { isLong } from "../helpers/checks/sampling.ts";
import { lacksPackage } from "../helpers/processes/engine-project.ts";
import { describeUnless } from "../servers/given.ts";
import { interruptedAtRandom } from "./signals.js";

describeUnless(lacksPackage, "a signal at a random instant of many runs", () => {
  interruptedAtRandom(isLong ? 500 : 12, ["SIGINT", "SIGTERM"]);
});
