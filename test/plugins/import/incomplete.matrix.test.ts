/** An import that records its resources and then cannot write its files is completed by the command that it names. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isLong } from "../../helpers/checks/sampling.ts";
import { lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { describeUnless } from "../../servers/given.ts";
import { dyingAt, runBuilt } from "./killed.ts";

const STATE = {
  version: 4,
  terraform_version: "1.6.2",
  outputs: {},
  resources: [
    {
      mode: "managed",
      type: "terraform_data",
      name: "base",
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [{ schema_version: 0, attributes: { id: "id-of-base" } }],
    },
  ],
};
const FOLDER = "in fra";
const ARGS = ["import", "one.tfstate", "--name", "shop", "--root-dir", ".", "--write", FOLDER];
const COMMAND = `engine import one.tfstate --name shop --root-dir . --write '${FOLDER}'`;

let project: Project;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  project = await projectWithPeers({ "one.tfstate": JSON.stringify(STATE) });
  env = { ENGINE_STAGE: "dev", XDG_STATE_HOME: join(project.folder, "home") };
});
afterEach(() => project.remove());

const run = (...args: readonly string[]) => runBuilt(project.folder, args, env);
const listed = async (): Promise<number> => {
  const { stdout } = await run("state", "list", "--app", "shop", "--json", "--missing-ok");
  return JSON.parse(stdout).resources?.length ?? 0;
};
const clear = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(project.folder, name), { recursive: true, force: true });
};

describeUnless(lacksPackage, "engine import --write", () => {
  test.each([
    ["a folder stands in the place of the file", `mkdir -p '${FOLDER}/engine.run.ts' || true`],
    ["a file stands in the place of the folder", `rm -rf '${FOLDER}'; touch '${FOLDER}'`],
    ["the folder takes no files", `rm -rf '${FOLDER}'; ln -s /sys '${FOLDER}'`],
  ])(
    "is completed by the command that it names if from any change on %s",
    async (_what, obstacle) => {
      const ends = new Set<string>();
      for (let at = 1; ; at += isLong ? 1 : 7) {
        const { code, stderr } = await runBuilt(project.folder, ARGS, { ...env, ...dyingAt(at, obstacle) });
        const where = `change ${at}\n${stderr}`;
        const isRecorded = stderr.includes('The resources are recorded in "shop/dev"');
        ends.add(code === 0 ? "complete" : isRecorded ? "recorded" : "nothing");
        expect(await listed(), where).toBe(code === 0 || isRecorded ? 1 : 0);
        if (isRecorded) {
          expect(stderr, where).toContain(`missing: ${FOLDER}/engine.run.ts\n`);
          expect(stderr.split("\n").map((line) => line.trim())).toContain(COMMAND);
          // The obstacle is still there.
          const again = await run(...ARGS);
          expect(again, where).toMatchObject({ code: 1, stderr: expect.stringContaining(FOLDER) });
          // The records of the first run are there.
          expect(again.stderr).toMatch(/this command recorded nothing|are recorded in/);
          expect(again.stderr).not.toMatch(/nothing was/i);
        } else if (code !== 0) expect(stderr).toContain("this command recorded nothing");
        await clear(FOLDER);
        const completed = await run(...ARGS);
        const words = isRecorded ? "1 resource was recorded in" : "1 resource recorded in";
        if (code !== 0) expect(completed, where).toMatchObject({ code: 0, stdout: expect.stringContaining(words) });
        expect(await readFile(join(project.folder, FOLDER, "engine.run.ts"), "utf8"), where).toContain('"base"');
        expect(await listed(), where).toBe(1);
        await clear(FOLDER, ".engine", "home");
        if (code === 0) break;
      }
      expect(ends).toContain("recorded");
    },
    600_000,
  );
});
