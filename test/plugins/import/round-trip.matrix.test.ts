/** There and back: OpenTofu applies, the engine imports, changes and exports, and OpenTofu plans no changes. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { tofuIn } from "../terraform/tofu.ts";
import { configuration } from "./configurations.ts";
import { type TofuProject, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject;
afterEach(() => made.remove());

describeUnless(lacks, "a project that comes from OpenTofu", () => {
  test("goes back to it after changes, and 20 random configurations plan nothing there", async () => {
    made = await tofuProject();
    const numbers = Array.from({ length: 20 }, (_one, at) => 1_000 + at);
    const files = Object.assign({}, ...numbers.map((seed) => configuration(seed, `c${seed}`)));
    const calls = numbers.map((seed) => `module "c${seed}" {\n  source = "./c${seed}"\n}\n`);
    await made.apply({ ...files, "main.tf": calls.join("") });
    const imported = await made.imports("--json");
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const env = await made.variables(imported.stdout);
    const planned = await made.engine(env, "plan", "--exit-code");
    expect(planned, planned.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do") });

    const { folder } = made.project;
    const { files: written } = JSON.parse(imported.stdout) as { files: readonly string[] };
    let changes = 0;
    for (const name of written) {
      const code = await made.project.read(name);
      const changed = code.replaceAll(/\bsize: (\d+)|\bteam: "x"/g, (text, size?: string) => {
        changes++;
        return size === undefined ? 'team: "y"' : text.replace(size, String(Number(size) + 1));
      });
      await writeFile(join(folder, name), changed);
    }
    expect(changes).toBeGreaterThan(10);
    const up = await made.engine(env, "up");
    expect(up, up.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("updated") });
    const exported = await made.engine(env, "export", "--out", "back", "--show-secrets");
    expect(exported, exported.stderr).toMatchObject({ code: 0 });

    const back = join(folder, "back");
    const settings = join(folder, "mirror.rc");
    const path = JSON.stringify(join(folder, "mirror"));
    await writeFile(settings, `provider_installation {\n  filesystem_mirror {\n    path = ${path}\n  }\n}\n`);
    const tofu = await tofuIn(back, { FIXTURE_WORLD: made.tofu.world, TF_CLI_CONFIG_FILE: settings });
    await tofu.run("init", "-no-color");
    expect(await tofu.run("plan", "-no-color", "-detailed-exitcode")).toContain("No changes.");
  }, 900_000);
});
