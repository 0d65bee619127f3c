/** Node's flag against code made from texts, which some services set for all their programs. */
import { expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { newFolder } from "../helpers/processes/new-folder.ts";

const env = { NODE_OPTIONS: "--disallow-code-generation-from-strings" };

it("a program runs in a process that may not make code from texts", async () => {
  const { code, stderr, stdout } = await runProgram("current-scope", { cwd: await newFolder(), env });
  expect(stderr).toBe("");
  expect(stdout).toContain("in a handler there: two/dev");
  expect(code).toBe(0);
});
