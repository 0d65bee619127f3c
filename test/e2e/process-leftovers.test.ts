import { describe } from "vitest";
import { leavesNothing } from "./leaves-nothing.ts";
import { folderEach } from "./own-folder.ts";

folderEach("leftovers");

describe("nothing is left", () => {
  describe("with the state in files", () => leavesNothing("fs"));
});
