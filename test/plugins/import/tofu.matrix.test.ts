/** `engine import` of real states of OpenTofu: the program plans nothing, and no secret is in the clear. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { configuration, SECRET } from "./configurations.ts";
import { checkFormat, checkTypes, REQUIRED, type TofuProject, textBelow, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject | undefined;
afterEach(async () => {
  await made?.remove();
  made = undefined;
});

/** Reads of a provider, and plans; everything else would be a change. */
const HARMLESS =
  /^(GetProviderSchema|GetSchema|(Validate|Configure|Prepare|Upgrade|Plan|Read)\w*|Stop\w*|GetMetadata|Configure)$/;

async function takeOver(project: TofuProject): Promise<string> {
  project.asked();
  const shown = await project.imports("--plan");
  expect(shown, shown.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was written.") });
  expect(await project.project.names()).not.toContain("engine.run.ts");
  expect(await project.project.names()).not.toContain(".engine");
  const imported = await project.imports("--json");
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  expect(project.asked().filter((rpc) => !HARMLESS.test(rpc))).toEqual([]);
  const env = await project.variables(imported.stdout);
  const planned = await project.engine(env, "plan", "--exit-code");
  expect(planned.stdout, planned.stderr).toContain("nothing to do");
  expect(planned.code).toBe(0);
  const written = await textBelow(project.project.folder, ["tf", "node_modules", "mirror", "cache"]);
  expect(written).not.toContain(SECRET);
  const program = await project.project.read("engine.run.ts");
  await checkFormat(program);
  await checkTypes(project.project);
  return program;
}

describeUnless(lacks, "the state of a project of OpenTofu", () => {
  test("with three modules becomes a program with a function for each, which plans nothing", async () => {
    made = await tofuProject();
    await made.apply({
      "main.tf": `
module "net" {
  source   = "./net"
  for_each = { eu = 10, us = 20 }
  region   = each.key
  size     = each.value
}
module "db" {
  source = "./db"
  net    = module.net["eu"].id
}
module "app" {
  source = "./app"
  db     = module.db.id
}
resource "fixture_thing" "web" {
  count = 3
  name  = "web-\${count.index}"
}
output "servers" { value = module.app.ids }
`,
      "net/main.tf": `${REQUIRED}
variable "region" {}
variable "size" {}
resource "fixture_thing" "vpc" {
  name = "vpc-\${var.region}"
  size = var.size
}
resource "fixture_thing" "subnet" {
  for_each = toset(["public", "private"])
  name     = "\${each.key}-\${fixture_thing.vpc.id}"
}
output "id" { value = fixture_thing.vpc.id }
`,
      "db/main.tf": `${REQUIRED}
variable "net" {}
resource "fixture_thing" "main" {
  name   = "db"
  secret = "${SECRET}db"
  tags   = { net = var.net }
}
resource "fixture_blocks" "blocks" {
  name = "blocks"
  rule {
    port = 80
    target { host = "h" }
  }
  label { key = "a" }
  single {}
}
resource "fixture_attributes" "all" {
  string         = "é"
  number         = 12345678901234567890123
  dynamic        = [1, "x"]
  tuple          = ["a", 1]
  set_of_objects = [{ name = "n", count = 1, on = true }]
}
output "id" { value = fixture_thing.main.id }
`,
      "app/main.tf": `${REQUIRED}
variable "db" {}
resource "fixture_thing" "server" {
  for_each = toset(["a", "b"])
  name     = "server-\${each.key}"
  tags     = { db = var.db }
}
output "ids" { value = [for one in fixture_thing.server : one.id] }
`,
    });
    const program = await takeOver(made);
    expect(program).toContain("async function netModule({ fixture, instance, size }: NetModuleOptions)");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(program).toContain("name: `vpc-${instance}`, size");
    expect(program).toContain('for (const key of ["private", "public"])');
    expect(program).toContain("secret: engine.secret.env.DB_MAIN_SECRET");
    expect(program).toContain("tags: { net }");
    const again = await made.imports("--stage", "dev", "--name", "shop");
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("were recorded before.") });
    await writeFile(join(made.project.folder, "engine.run.ts"), `${program}\n`);
    expect(await made.imports()).toMatchObject({ code: 1, stderr: expect.stringContaining("FILE_EXISTS") });
  }, 120_000);

  test.each(Array.from({ length: 10 }, (_one, at) => at))(
    "of 20 random configurations plans nothing (%i)",
    async (batch) => {
      made = await tofuProject();
      const numbers = Array.from({ length: 20 }, (_one, at) => batch * 20 + at);
      const files = Object.assign({}, ...numbers.map((seed) => configuration(seed, `c${seed}`)));
      const calls = numbers.map((seed) => `module "c${seed}" {\n  source = "./c${seed}"\n}\n`);
      await made.apply({ ...files, "main.tf": calls.join("") });
      await takeOver(made);
    },
    600_000,
  );
});
