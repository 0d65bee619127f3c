import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/child-program.ts";
import { compiledProgram } from "../helpers/compiled-program.ts";
import { lacksScript } from "../helpers/script.ts";
import { stateIn } from "../helpers/state-in.ts";
import { describeUnless } from "../servers/given.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
  await runProgram("confirming", { cwd, env: { COUNT: "3" } });
});
afterEach(() => rm(cwd, { recursive: true }));

/** Runs the program on a terminal; keys are pressed when it asks. */
async function onTerminal(keys: string, env: Readonly<Record<string, string>> = {}) {
  const file = compiledProgram(new URL("programs/confirming.child.ts", import.meta.url));
  const command = [process.execPath, file, "--max-deletes=1"];
  const child = spawn("script", ["-qec", command.map((part) => `'${part}'`).join(" "), "/dev/null"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ENGINE_STAGE: "dev", COUNT: "1", ...env },
  });
  let shown = "";
  child.stdout.on("data", (part: Buffer) => {
    const wasAsked = shown.includes("[y/N]");
    shown += part.toString();
    if (!wasAsked && shown.includes("[y/N]")) child.stdin.write(keys);
  });
  await once(child, "close");
  return { code: child.exitCode, shown, recorded: (await stateIn(cwd, "confirming")).recorded };
}

describeUnless(lacksScript, "a process on a terminal that would delete more than --max-deletes allows", () => {
  it("asks, and deletes when told to", async () => {
    const { code, shown, recorded } = await onTerminal("y\r");
    expect(shown).toMatch(/delete {3}confirming\/dev\/n2 .*\r?\n.*delete {3}confirming\/dev\/n3 /);
    expect(shown).toContain("Delete these 2 resources? [y/N] ");
    expect({ code, recorded }).toEqual({ code: 0, recorded: ["n1"] });
  });

  it.each([
    ["no", "n\r"],
    ["nothing but Return", "\r"],
    ["the end of the input", "\x04"],
    ["Ctrl-C", "\x03"],
  ])("deletes nothing when the answer is %s", async (_answer, keys) => {
    const { code, shown, recorded } = await onTerminal(keys);
    expect(shown).toContain("Nothing was deleted: maxDeletes allows 1, and to delete 2 was not confirmed.");
    expect({ code, recorded }).toEqual({ code: 1, recorded: ["n1", "n2", "n3"] });
  });

  it("does not ask in CI", async () => {
    const { code, shown, recorded } = await onTerminal("y\r", { CI: "true" });
    expect(shown).not.toContain("[y/N]");
    expect({ code, recorded }).toEqual({ code: 1, recorded: ["n1", "n2", "n3"] });
  });
});

describe("a process without a terminal", () => {
  it("does not ask, and deletes nothing", async () => {
    const ended = await runProgram("confirming", { cwd, env: { COUNT: "1" }, args: ["--max-deletes", "50%"] });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("would delete 2 resources, and maxDeletes allows 1 (50% of 3)");
    expect((await stateIn(cwd, "confirming")).recorded).toEqual(["n1", "n2", "n3"]);
  });
});
