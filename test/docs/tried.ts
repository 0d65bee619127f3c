/** A block as a reader would try it, in a folder of its own or of its page. */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { root } from "../house/project.ts";
import type { Block } from "./blocks.ts";
import type { Job } from "./jobs.ts";
import { run, type Surroundings, wrongWithRun } from "./run-block.ts";
import { serverFor } from "./servers.ts";
import { lacksPackage, openWorkshop, type Workshop } from "./workshop.ts";

/** Called once in a test file; the returned function resolves with the fault of the first step that has one. */
export function readersTry(): (job: Job) => Promise<string | undefined> {
  let workshop: Workshop;
  beforeAll(async () => {
    if (lacksPackage === undefined) workshop = await openWorkshop();
  });
  afterAll(() => workshop?.remove());

  return async ({ name, servers, steps }) => {
    const all = steps.map(({ block }) => block);
    const found = await Promise.all(servers.map((server) => serverFor(server, all)));
    const env = Object.assign({}, ...found);
    const cwd = await workshop.place(name);
    if (isShellAlone(all)) await makeReaderProject({ folder: workshop.folder, cwd, env });
    for (const { block, runs } of steps) {
      if (block.file !== undefined) {
        await mkdir(dirname(join(cwd, block.file)), { recursive: true });
        await writeFile(join(cwd, block.file), block.code);
      }
      const wrong = runs ? await wrongWithRun(block, { folder: workshop.folder, cwd, env }) : undefined;
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** True for blocks that have no program of their own. */
function isShellAlone(all: readonly Block[]): boolean {
  return all.every(({ language, code }) => language === "sh" && !code.includes("engine init"));
}

/** A program under each name that pages use, and the stage that its first run makes. */
async function makeReaderProject(surroundings: Surroundings): Promise<void> {
  for (const name of ["engine.run.js", "app.js"]) {
    await copyFile(join(root, "test/docs/project/engine.run.js"), join(surroundings.cwd, name));
  }
  const { exitCode, printed } = await run("node", ["app.js"], surroundings);
  if (exitCode !== 0) throw new Error(`The project of the pages ended with ${exitCode}:\n${printed}`);
}
