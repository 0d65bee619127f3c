import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach } from "vitest";
import { compiledProgram } from "../../../helpers/processes/compiled-program.ts";
import { fixtureProgram } from "../fixture-provider.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/**
 * Lists the handles of Node that keep a process alive after it closed its provider, except the pipes to its own parent.
 *
 * @param shutdown see the fixture's `FIXTURE_SHUTDOWN`
 */
export async function keptBy(shutdown: string, how: "asked" | "crashes"): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "fixture-"));
  folders.push(folder);
  const program = compiledProgram(new URL("./closed.child.ts", import.meta.url));
  const env = { ...process.env, FIXTURE_SHUTDOWN: shutdown };
  const { stdout } = await promisify(execFile)(process.execPath, [program, fixtureProgram(), folder, how], { env });
  return JSON.parse(stdout).filter((name: string) => name !== "PipeWrap");
}
