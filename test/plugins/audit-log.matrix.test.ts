import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiledProgram } from "../helpers/processes/compiled-program.ts";
import { auditedEach, folder, path, said } from "./audited.ts";

auditedEach();

test("lines of several processes stay whole", { timeout: 120_000 }, async () => {
  const args = [compiledProgram(new URL("audit-log.child.ts", import.meta.url)), path()];
  const run = () => promisify(execFile)(process.execPath, args, { cwd: folder });
  await Promise.all([run(), run(), run()]);
  expect(await said()).toHaveLength(3 * 202);
});
