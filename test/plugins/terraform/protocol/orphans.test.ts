import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { groupLives } from "../../../../plugins/internal/process/process-group.js";
import { compiledProgram } from "../../../helpers/processes/compiled-program.ts";
import { isAlive } from "../../../helpers/processes/processes.ts";
import { until } from "../../../helpers/time/until.ts";
import { fixtureProgram } from "../fixture-provider.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A process that has started a provider, and the id of the provider's process group. */
async function parent(how: "wait" | "end") {
  const folder = await mkdtemp(join(tmpdir(), "fixture-"));
  folders.push(folder);
  const program = compiledProgram(new URL("./launch.child.ts", import.meta.url));
  const temporary = { ...process.env, TMPDIR: folder };
  const args = [program, fixtureProgram(), folder, how];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env: temporary });
  const ended: Promise<unknown> = once(child, "exit");
  await once(child.stdout, "data");
  return { child, ended, folder, provider: Number.parseInt(await readFile(join(folder, "pid"), "utf8"), 10) };
}

async function leftIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith("provider-"));
}

test("SIGKILL of the engine's process leaves no provider, no guard and no socket", async () => {
  const { child, ended, folder, provider } = await parent("wait");
  expect(groupLives(provider)).toBe(true);
  expect(await leftIn(folder)).toHaveLength(1);
  child.kill("SIGKILL");
  await ended;
  await until(() => !isAlive(provider));
  await until(async () => (await leftIn(folder)).length === 0);
  await until(() => !groupLives(provider));
});

test("a provider keeps no program from its end, and goes with it", async () => {
  const { ended, provider } = await parent("end");
  expect(await ended).toEqual([0, null]);
  await until(() => !isAlive(provider));
});
