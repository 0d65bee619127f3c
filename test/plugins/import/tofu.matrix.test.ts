/** `engine import` of real states of OpenTofu: the program plans nothing, and no secret is in the clear. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { takeOver } from "./take-over.ts";
import { REQUIRED, SECRET, type TofuProject, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject | undefined;
afterEach(async () => {
  await made?.remove();
  made = undefined;
});

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
  string         = jsonencode({ "b" = [fixture_thing.main.id, "x/\${var.net}"], "a" = { on = true, none = null } })
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
    await takeOver(made);
    const program = await made.project.read("engine.run.ts");
    expect(program).toMatch(
      /async function netModule\(\{\s+fixture,\s+instance,\s+size,\s+region,\s+\}: NetModuleOptions\)/,
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(program).toContain("name: `vpc-${instance}`,\n    size,\n    region,");
    expect(program).toContain('for (const key of ["private", "public"])');
    expect(program).toContain('secret: engine.secret.env("DB_MAIN_SECRET")');
    expect(program).toContain("tags: { net }");
    expect(program).toMatch(
      /string: JSON\.stringify\(\{\s+a: \{ none: null, on: true \},\s+b: \[main\.id, `x\/\$\{net\}`\],/,
    );
    const again = await made.imports("--stage", "dev", "--name", "shop");
    expect(again, again.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/were recorded in "[^"]+" before\./),
    });
    await writeFile(join(made.project.folder, "engine.run.ts"), `${program}\n`);
    expect(await made.imports()).toMatchObject({ code: 1, stderr: expect.stringContaining("FILE_EXISTS") });
  }, 400_000);

  test("with a tainted resource or a deposed object is refused by name until it is applied again", async () => {
    made = await tofuProject();
    const config = (extent: number, command: string): string => `
resource "terraform_data" "extent" {
  input = ${extent}
}
resource "fixture_behaviour" "kept" {
  name      = "kept"
  on_delete = "${command}"
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.extent]
  }
}
`;
    await made.apply({ "main.tf": config(1, "fail") });
    await made.tofu.run("taint", "fixture_behaviour.kept");
    const tainted = await made.imports();
    expect(tainted).toMatchObject({ code: 1, stderr: expect.stringMatching(/fixture_behaviour\.kept: .*tainted/) });
    await made.tofu.run("untaint", "fixture_behaviour.kept");
    await expect(made.apply({ "main.tf": config(2, "none") })).rejects.toThrow(/told to fail/);
    const deposed = await made.imports();
    expect(deposed).toMatchObject({ code: 1, stderr: expect.stringMatching(/kept \(deposed [0-9a-f]{8}\): /) });
    expect(await made.project.names()).not.toContain("engine.run.ts");
    expect(await made.project.names()).not.toContain(".engine");
    await made.tofu.run("state", "rm", "fixture_behaviour.kept");
    await takeOver(made);
  }, 300_000);

  test("whose provider ends while it plans is told so once, and nothing is imported", async () => {
    made = await tofuProject();
    await made.apply({
      "main.tf": `resource "fixture_behaviour" "many" {\n  count = 200\n  name  = "many-\${count.index}"\n}\n`,
    });
    const applied = await readFile(made.state, "utf8");
    for (const [when, how, ended, last] of [
      ["on_plan", "exit", "ended with exit code 7", "panic: it was told to exit"],
      ["on_validate", "crash", "ended with exit code 2", "panic: runtime error"],
      ["on_plan", "kill", "was ended by SIGKILL", "It wrote nothing."],
    ] as const) {
      const state = JSON.parse(applied);
      state.resources[0].instances[7].attributes[when] = how;
      await writeFile(made.state, JSON.stringify(state));
      const { code, stderr } = await made.imports();
      expect(code, stderr).toBe(1);
      expect(stderr).toContain("[PROVIDER_FAILED]");
      for (const words of [ended, last, "This command recorded nothing"])
        expect(stderr.split(words), stderr).toHaveLength(2);
      expect(stderr).toMatch(/It was being asked about .*fixture_behaviour\.many\[\d+\]/);
      expect(stderr).toContain("engine add example/fixture@VERSION");
      expect(stderr).not.toContain("refuses its props");
      const names = await made.project.names();
      for (const name of [".engine", "engine.run.ts"]) expect(names).not.toContain(name);
    }
  }, 300_000);
});
