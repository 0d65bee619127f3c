import { describe } from "vitest";
import { folderEach } from "./own-folder.ts";
import { destroysAll } from "./process-destroy-several.ts";

folderEach();

describe("--destroy of a program with several apps", () => destroysAll(["together"]));
