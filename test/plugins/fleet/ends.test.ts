import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";
import { newFolder } from "../../helpers/processes/new-folder.js";

test("a process ends by itself after runs of a fleet that ended, waited, or were interrupted or cancelled", async () => {
  const program = compiledProgram(new URL("ends.child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: await newFolder() });
  expect(stdout).toBe("done waiting done interrupted waiting cancelled done waiting\n");
});
