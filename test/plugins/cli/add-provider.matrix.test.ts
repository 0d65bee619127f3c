import { readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { variableOf } from "../../../plugins/terraform/registry/credentials/index.ts";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { fixtureProgram } from "../terraform/fixture-provider.ts";
import { compile } from "../terraform/generate/compiled.ts";
import { type Workshop, workshop } from "../terraform/registry/workshop.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let shop: Workshop | undefined;
let project: Project | undefined;
afterEach(async () => {
  await shop?.close();
  await project?.remove();
});

describeUnless(lacks, "engine add, with a registry and a provider that run,", () => {
  test("writes the types that the program uses, and more when it uses more", async () => {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`;
    shop = await workshop([{ version: "1.2.0", text, protocols: ["5.0", "6.0"] }]);
    const program = 'import { thing } from "./providers/thing.js";\nconst it = thing();\nvoid it.thing("a");\n';
    project = await engineProject({ "engine.run.ts": program });
    shop.registry.token = "t0ken";
    const env = { XDG_CACHE_HOME: join(project.folder, "cache"), [variableOf(shop.registry.host)]: "t0ken" };
    const { code, stdout, stderr } = await project.engineWith(env, "add", shop.name, "--used");
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: `locked   ${shop.name} 1.2.0: engine.lock.json\nwritten  providers/thing.ts: 1 resource\n`,
    });
    const module = await project.read("providers/thing.ts");
    expect(module).toContain('thing: { type: "fixture_thing"');
    const { errors, stdout: said } = await compile({ "thing.ts": module });
    expect(errors, said).toEqual([]);
    await project.write("engine.run.ts", `${program}void it.data.lookup("b");\n`);
    await rename(join(project.folder, "providers"), join(project.folder, "moved"));
    await symlink(tmpdir(), join(project.folder, "providers"));
    expect(await project.engineWith(env, "add", shop.name, "--used")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("leads out of the project through a symbolic link"),
    });
    await rm(join(project.folder, "providers"));
    await rename(join(project.folder, "moved"), join(project.folder, "providers"));
    expect(await project.engineWith(env, "add", "--used")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("written  providers/thing.ts: 1 resource, 1 data source"),
    });
    expect(await project.engineWith(env, "providers", "verify")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(" cached"),
    });
    expect(await readdir(join(project.folder, "cache/scope-engine/providers/.incoming"))).toEqual([]);
    expect(await project.names()).toEqual(["cache", "engine.lock.json", "engine.run.ts", "node_modules", "providers"]);
  });

  test("writes the types that a folder with HCL uses, by the names that it has for them", async () => {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`;
    shop = await workshop([{ version: "1.2.0", text, protocols: ["5.0", "6.0"] }]);
    project = await engineProject();
    const env = { XDG_CACHE_HOME: join(project.folder, "cache") };
    const required = `terraform {\n  required_providers {\n    it = { source = "${shop.name}", version = "~> 1.0" }\n  }\n}\n`;
    await project.write("infra/versions.tf", required);
    const used =
      'resource "fixture_moved_thing" "a" {\n  provider = it\n}\ndata "fixture_lookup" "b" {\n  provider = it\n}\n';
    await project.write("infra/main.tf", `${used}module "network" {\n  source = "./network"\n}\n`);
    const { code, stdout, stderr } = await project.engineWith(env, "add", "--from", "infra");
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: `locked   ${shop.name} 1.2.0: engine.lock.json\nwritten  providers/thing.ts: 1 resource, 1 data source\n`,
    });
    expect(stderr).toContain('left out module "network"');
    expect(await project.engineWith(env, "add", shop.name, "--from", "infra")).toMatchObject({ code: 1 });
    expect(await project.engineWith(env, "add", "--from", "cache")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has no .tf or .tofu files"),
    });
  });

  test("makes what a program declares; without it, the lock file is enough to delete that", async () => {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`;
    shop = await workshop([{ version: "1.2.0", text, protocols: ["5.0", "6.0"] }]);
    const program = (name: string) => `
import { engine } from "scope-engine";
import { thing } from "./providers/thing.js";

const app = await engine("shop");
const it = thing({ token: engine.secret("t0ken") });
const one = await it.thing("one", { name: "${name}" });
await it.thing("two", { name: one.id });
await app.finalize();
`;
    project = await engineProject({ "engine.run.ts": program("first") });
    const world = join(project.folder, "world");
    const env = {
      XDG_CACHE_HOME: join(project.folder, "cache"),
      ENGINE_STAGE: "dev",
      ENGINE_PASSWORD: "correct horse",
      FIXTURE_WORLD: world,
    };
    expect(await project.engineWith(env, "add", shop.name, "--used")).toMatchObject({ code: 0 });
    expect(await project.engineWith(env, "plan")).toMatchObject({ stdout: expect.stringContaining("3 to create") });
    expect(await project.engineWith(env, "up")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 created"),
    });
    const things = async () => (await readdir(join(world, "fixture_thing"))).length;
    expect(await things()).toBe(2);
    await project.write("engine.run.ts", program("second"));
    expect(await project.engineWith(env, "up")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 updated"),
    });
    expect(await project.engineWith(env, "drift", "--exit-code")).toMatchObject({
      code: 0,
      stdout: "drift of shop/dev: 3 as recorded\n",
    });
    const [one = ""] = await readdir(join(world, "fixture_thing"));
    const text1 = await readFile(join(world, "fixture_thing", one), "utf8");
    await writeFile(join(world, "fixture_thing", one), text1.replace("second", "elsewhere"));
    await project.write(
      "engine.run.ts",
      'import { engine } from "scope-engine";\nconst app = await engine("shop");\nawait app.finalize();\n',
    );
    // No program uses its types any more.
    await rm(join(project.folder, "providers"), { recursive: true });
    expect(await project.engineWith(env, "drift", "--exit-code")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^drifted {2}shop\/dev\/.*fixture|thing/),
    });
    const destroyed = await project.engineWith(env, "destroy", "--yes");
    expect(destroyed, destroyed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("3 deleted") });
    expect(await things()).toBe(0);
  });

  test("says what a provider that cannot be started has said last", async () => {
    const text = "#!/bin/sh\necho broken >&2\nexit 3\n";
    shop = await workshop([{ version: "1.2.0", text }]);
    project = await engineProject();
    const env = { XDG_CACHE_HOME: join(project.folder, "cache") };
    const { code, stderr } = await project.engineWith(env, "add", shop.name);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/PROVIDER_FAILED[\s\S]*broken/) });
    expect(await project.names()).toEqual(["cache", "node_modules"]);
  });
});
