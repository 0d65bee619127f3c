import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("a process in a pipe", () => {
  it("prints no control characters, and colours where FORCE_COLOR asks for them", async () => {
    const plain = await runProgram("unfinished", { cwd });
    expect(`${plain.stdout}${plain.stderr}`).not.toContain("\u001B");
    const coloured = await runProgram("failed", { cwd, env: { FORCE_COLOR: "1" } });
    expect(coloured.stderr).toContain("\u001B[31mFAILED");
    expect(coloured.stdout).toContain("\u001B[31mFAILED");
    expect(coloured.stdout).not.toMatch(/\[\?|\[\d+[A-K]/);
  });
});
