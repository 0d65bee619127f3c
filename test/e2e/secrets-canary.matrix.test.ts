import { failingHandlers, failingPlugins, failingPrograms } from "./canary/failures.ts";
import { noneIsSeen } from "./canary/suite.ts";

noneIsSeen([
  ["that handlers throw", failingHandlers],
  ["that programs throw", failingPrograms],
  ["that plugins throw", failingPlugins],
]);
