/** There and back: OpenTofu applies, the engine imports, changes and exports, and OpenTofu plans no changes. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isLong } from "../../helpers/checks/sampling.ts";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { tofuIn } from "../terraform/tofu.ts";
import { projectOf } from "./configurations.ts";
import { objectsIn } from "./objects-in.ts";
import { expectNoSecret, expectNoWrite, takeOver } from "./take-over.ts";
import { type TofuProject, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject;
afterEach(() => made.remove());

/** Edits the program like a user. Returns the number of changed places. */
async function edit(files: readonly string[]): Promise<number> {
  let changes = 0;
  for (const name of files) {
    const code = await made.project.read(name);
    const changed = code.replaceAll(/\b(size|port): (\d+)\b|\bteam: "x"/g, (_text, name?: string, number?: string) => {
      changes++;
      return name === undefined ? 'team: "y"' : `${name}: ${BigInt(number ?? 0) + 1n}`;
    });
    await writeFile(join(made.project.folder, name), changed);
  }
  return changes;
}

async function exported(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  made.asked();
  const written = await made.engine(env, "export", "--out", folder, "--show-secrets");
  expect(written, written.stderr).toMatchObject({ code: 0 });
  expectNoWrite(made);
  return join(made.project.folder, folder);
}

/** OpenTofu itself decides whether the exported state and configuration fit to the real resources. */
async function expectNoChanges(folder: string): Promise<void> {
  const settings = join(made.project.folder, "mirror.rc");
  const path = JSON.stringify(join(made.project.folder, "mirror"));
  await writeFile(settings, `provider_installation {\n  filesystem_mirror {\n    path = ${path}\n  }\n}\n`);
  const tofu = await tofuIn(folder, { FIXTURE_WORLD: made.tofu.world, TF_CLI_CONFIG_FILE: settings });
  await tofu.run("init", "-no-color");
  expect(await tofu.run("plan", "-no-color", "-detailed-exitcode")).toContain("No changes.");
}

describeUnless(lacks, "a project that comes from OpenTofu", () => {
  test.each(Array.from({ length: isLong ? 25 : 1 }, (_one, at) => at))(
    "of 8 random configurations plans nothing, also after a change and back in OpenTofu (%i)",
    async (batch) => {
      made = await tofuProject();
      const seeds = Array.from({ length: 8 }, (_one, at) => batch * 8 + at);
      await made.apply(projectOf(seeds));
      await made.apply(projectOf(seeds, true));
      const before = objectsIn(await readFile(made.state, "utf8"));
      const { env, files } = await takeOver(made);

      const unchanged = await exported("unchanged", env);
      expect(objectsIn(await readFile(join(unchanged, "terraform.tfstate"), "utf8"))).toEqual(before);

      expect(await edit(files)).toBeGreaterThan(10);
      const up = await made.engine(env, "up");
      expect(up, up.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("updated") });
      await expectNoSecret(made);
      await expectNoChanges(await exported("back", env));
    },
    1_200_000,
  );
});
