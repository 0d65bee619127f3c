import { describe } from "vitest";
import { destroysOthers, foldersEach } from "./process-destroy-several.ts";

foldersEach();

describe("--destroy of a program with several apps", () => {
  destroysOthers(["together"], ["quick"]);
  destroysOthers(["each", "caught"], ["quick", "slow"]);
});
