import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { recordsAndTells, times } from "./records-and-tells.ts";

folderEach();

describe("an uncaught error", () => {
  recordsAndTells([
    ["a rejection", "rejected"],
    ["an exception at top level", "top-level"],
  ]);

  it("that is followed by others tells all of them, and still records results", async () => {
    const { code, stderr } = await runProgram("throwing", { cwd, args: ["several"] });
    expect(code).toBe(1);
    expect(times(stderr, "The program is broken.")).toBe(1);
    expect(times(stderr, "And so is this.")).toBe(2);
    expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });
});
