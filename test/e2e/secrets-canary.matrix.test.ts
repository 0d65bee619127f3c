import { failingStores, printingCommands } from "./canary/commands.ts";
import { failingHandlers, failingPlugins, failingPrograms } from "./canary/failures.ts";
import { intendedWays } from "./canary/runs.ts";
import { noneIsSeen } from "./canary/suite.ts";

noneIsSeen([
  ["that commands print", printingCommands],
  ["that are recorded, changed, read and deleted", intendedWays],
  ["that stores throw", failingStores],
  ["that handlers throw", failingHandlers],
  ["that programs throw", failingPrograms],
  ["that plugins throw", failingPlugins],
]);
