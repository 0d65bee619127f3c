import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { lacksScript } from "../helpers/processes/script.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { describeUnless } from "../servers/given.ts";
import { onTerminal, threeEach } from "./confirming.ts";
import { cwd } from "./own-folder.ts";

threeEach();

describeUnless(lacksScript, "a process on a terminal that would delete more than --max-deletes allows", () => {
  it("asks, and deletes when told to", async () => {
    const { code, shown, recorded } = await onTerminal("y\r");
    expect(shown).toMatch(/delete {3}confirming\/dev\/n2 .*\r?\n.*delete {3}confirming\/dev\/n3 /);
    expect(shown).toContain("Delete these 2 resources? [y/N] ");
    expect({ code, recorded }).toEqual({ code: 0, recorded: ["n1"] });
  });
});

describe("a process without a terminal", () => {
  it("does not ask, and deletes nothing", async () => {
    const ended = await runProgram("confirming", { cwd, env: { COUNT: "1" }, args: ["--max-deletes", "50%"] });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("would delete 2 resources, but maxDeletes allows 1 (50% of 3)");
    expect((await stateIn(cwd, "confirming")).recorded).toEqual(["n1", "n2", "n3"]);
  });
});
