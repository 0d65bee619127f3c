/** `engine export`, as a process: OpenTofu goes on with its files. */
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { fixtureProgram } from "../terraform/fixture-provider.ts";
import { type Workshop, workshop } from "../terraform/registry/workshop.ts";
import { tofuIn } from "../terraform/tofu.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let shop: Workshop | undefined;
let project: Project | undefined;
afterEach(async () => {
  await shop?.close();
  await project?.remove();
});

const program = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
import { thing } from "./providers/thing.js";

const app = await engine("shop");
const it = thing({ token: engine.secret("t0ken") });
const other = thing({ token: engine.secret("0ther") }, { id: "other" });
await engine.run("web", async () => {
  const one = await it.thing("one", { name: "first" });
  await other.thing("two", { name: engine.secret("hidden"), tags: { of: one.id } });
});
await File("note", { path: "note.txt", content: "hello" });
await app.finalize();
`;

describeUnless(lacks, "engine export", () => {
  test("writes files for the owner only, never over others, and tofu finds no changes", async () => {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`;
    shop = await workshop([{ version: "1.2.0", text, protocols: ["5.0", "6.0"] }]);
    project = await engineProject({ "engine.run.ts": program });
    const world = join(project.folder, "world");
    const env = {
      XDG_CACHE_HOME: join(project.folder, "cache"),
      ENGINE_STAGE: "dev",
      ENGINE_PASSWORD: "correct horse",
      FIXTURE_WORLD: world,
    };
    const engine = (...args: readonly string[]) => project!.engineWith(env, ...args);
    expect(await engine("add", shop.name, "--used")).toMatchObject({ code: 0 });
    expect(await engine("export", "--missing-ok")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("no state"),
    });
    const up = await engine("up");
    expect(up.code, up.stderr).toBe(0);
    const refused = await engine("export", "--out", "infra");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"shop/dev/web/two"') });
    expect(await project.names()).not.toContain("infra");
    const done = await engine("export", "--format", "tfstate", "--out", "infra", "--show-secrets");
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toContain('2 resources exported from "shop/dev"');
    expect(done.stderr).toContain("not exported: shop/dev/note (fs:File)");
    expect(done.stderr).toContain("engine state forget web/one web/two\n");
    const folder = join(project.folder, "infra");
    const names = ["main.tf.json", "terraform.tfstate", "terraform.tfvars.json"];
    expect((await readdir(folder)).sort()).toEqual(names);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    const config = await project.read("infra/main.tf.json");
    for (const secret of ["t0ken", "0ther", "hidden"]) expect(config).not.toContain(secret);
    const again = await engine("export", "--out", "infra", "--show-secrets");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("infra/terraform.tfstate") });
    const json = await engine("export", "--out", "it's more", "--show-secrets", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      app: "shop",
      stage: "dev",
      resources: [
        { fqn: "shop/dev/web/one", address: "fixture_thing.web_one" },
        { fqn: "shop/dev/web/two", address: "fixture_thing.web_two" },
      ],
      others: [{ fqn: "shop/dev/note", kind: "fs:File" }],
    });

    const mirror = join(project.folder, "mirror", shop.name, "1.2.0/linux_amd64");
    await mkdir(mirror, { recursive: true });
    const executable = join(mirror, "terraform-provider-thing_v1.2.0");
    await writeFile(executable, text);
    await chmod(executable, 0o755);
    const settings = join(project.folder, "mirror.rc");
    const path = JSON.stringify(join(project.folder, "mirror"));
    await writeFile(settings, `provider_installation {\n  filesystem_mirror {\n    path = ${path}\n  }\n}\n`);
    const tofu = await tofuIn(folder, { FIXTURE_WORLD: world, TF_CLI_CONFIG_FILE: settings });
    await tofu.run("init", "-no-color");
    expect(await tofu.run("plan", "-no-color", "-detailed-exitcode")).toContain("No changes.");
    await writeFile(join(folder, "main.tf.json"), config.replaceAll('"first"', '"renamed"'));
    expect(await tofu.run("apply", "-auto-approve", "-no-color")).toContain(
      "Resources: 0 added, 1 changed, 0 destroyed",
    );
    const drift = await engine("drift");
    expect(drift.stdout).toContain("shop/dev/web/one");
  }, 400_000);
});
