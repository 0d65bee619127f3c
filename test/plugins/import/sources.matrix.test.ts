/** `engine import` from S3, of a newer provider, and with the configuration of a provider. */
import { readFile } from "node:fs/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { makeTestBucket } from "../../helpers/stores/s3-store.ts";
import { until } from "../../helpers/time/until.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { describeWithS3 } from "../../servers/given-s3.ts";
import { s3ClientOf } from "../../servers/s3-client.ts";
import { recordsIn } from "./records-in.ts";
import { takeOver } from "./take-over.ts";
import { checkFormat, REQUIRED, type TofuProject, textBelow, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject;
afterEach(() => made.remove());

/** That of `makeTestBucket`. */
const BUCKET = "scope-engine-tests";
const FLAGS = ["--mirror", "mirror", "--name", "shop"];
const things = `
resource "fixture_thing" "base" {
  name   = "base"
  region = "eu"
}
resource "fixture_thing" "web" {
  for_each = toset(["a", "b"])
  region   = "eu"
  name     = "web-\${each.key}"
  secret   = "hunter2-\${each.key}"
  tags     = { base = fixture_thing.base.id }
}
`;

async function plansNothing(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const planned = await made.engine(env, "plan", "--exit-code");
  expect(planned, planned.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do") });
}

describeUnless(lacks, "engine import", () => {
  test("configures a provider with a secret of the environment, which no file has", async () => {
    made = await tofuProject();
    await made.apply({ "main.tf": things });
    const config = { fixture: { note: "of a file", token: { $env: "FIXTURE_TOKEN" } } };
    await made.project.write("config.json", JSON.stringify(config));
    const flags = ["import", "tf/terraform.tfstate", ...FLAGS, "--provider-config", "config.json", "--json"];
    const unset = await made.engine({}, ...flags);
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining("FIXTURE_TOKEN") });
    const refused = await made.engine({ FIXTURE_TOKEN: "wrong" }, ...flags);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("PROVIDER_REFUSED") });
    expect(await made.project.names()).not.toContain("engine.run.ts");
    const misnamed = { fixtur: {}, fixture: { tokn: "x" } };
    for (const [name, own] of Object.entries(misnamed)) {
      await made.project.write("misnamed.json", JSON.stringify({ [name]: own }));
      const mistaken = await made.engine(
        {},
        "import",
        "tf/terraform.tfstate",
        ...FLAGS,
        "--provider-config",
        "misnamed.json",
      );
      expect(mistaken.code).toBe(1);
      expect(mistaken.stderr).toContain(name === "fixtur" ? 'Did you mean "fixture"?' : 'Did you mean "token"?');
    }
    const env = { FIXTURE_TOKEN: "t0ken-of-the-test" };
    const imported = await made.engine(env, ...flags);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const program = await made.project.read("engine.run.ts");
    expect(program).toContain('engine.secret.env("FIXTURE_TOKEN")');
    expect(program).toContain('note: "of a file"');
    expect(program).toContain('  { show: ["note"] },\n');
    await checkFormat(program);
    expect(await textBelow(made.project.folder, ["tf", "node_modules"])).not.toContain(env.FIXTURE_TOKEN);
    await plansNothing({ ...(await made.variables(imported.stdout)), ...env });
  }, 400_000);

  test("names the configurations that it does not carry over, and leaves no file if its push is refused", async () => {
    made = await tofuProject();
    const west = 'provider "fixture" {\n  alias = "west"\n}\n';
    const two =
      'resource "fixture_thing" "two" {\n  provider   = fixture.west\n  name       = "two"\n  depends_on = [fixture_thing.web]\n}\n';
    await made.apply({ "main.tf": `${west}${things}${two}` });
    await made.project.write(
      "hold.mjs",
      `import { existsSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { engine } from "scope-engine";
const app = await engine("shop");
await app.set("held", true);
writeFileSync("holding", "");
while (!existsSync("go")) await setTimeout(20);
await app.finalize();
`,
    );
    const holder = made.engine({}, "up", "hold.mjs");
    await until(async () => (await made.project.names()).includes("holding"));
    const before = await made.project.names();
    const refused = await made.imports();
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("[STATE_LOCKED]") });
    const left = (await made.project.names()).filter((name) => !before.includes(name));
    // The other program may have begun its state meanwhile.
    expect(left.filter((name) => name !== ".engine")).toEqual(["cache"]);
    await made.project.write("go", "");
    expect(await holder).toMatchObject({ code: 0 });
    const imported = await made.imports("--stage", "other");
    expect(imported, imported.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("4 resources recorded in"),
    });
    expect(imported.stderr).toContain("passes none to them: fixture, fixture.west. Pass a JSON file with them");
    expect(imported.stderr).toContain("--provider-config FILE");
  }, 400_000);

  test("keeps numbers with more digits than JavaScript's, also secret ones and those of modules, in a program that type-checks", async () => {
    made = await tofuProject();
    const exact = "0.1234567890123456789";
    const [large, small] = ["123456789012345678901", "0.1000000000000000000000001"];
    const inModule = `${REQUIRED}
variable "weight" {}
resource "fixture_attributes" "of" {
  number          = var.weight
  list_of_numbers = [1.5, ${exact}, ${large}]
  object          = { name = "o", count = ${exact}, on = true }
  map_of_objects  = { k = { name = "m", count = ${small}, on = false } }
}
resource "fixture_attributes" "next" {
  number        = fixture_attributes.of.number
  either_number = -${exact}
}
`;
    const main = `
variable "hidden" {
  sensitive = true
  default   = ${small}
}
variable "text" {
  sensitive = true
  default   = "hunter2-text"
}
variable "large" {
  sensitive = true
  default   = ${large}
}
resource "fixture_attributes" "secret" {
  number          = var.hidden
  list_of_numbers = [var.large]
  string          = var.text
  bool            = var.text == "hunter2-text"
  list            = [var.text]
  map             = { a = var.text, b = "plain" }
}
module "a" {
  source = "./m"
  weight = ${exact}
}
module "b" {
  for_each = { x = ${small}, y = ${exact} }
  source   = "./m"
  weight   = each.value
}
output "weight" {
  value = ${exact}
}
`;
    await made.apply({ "m/main.tf": inModule, "main.tf": main });
    await takeOver(made, { SECRET_NUMBER: small, SECRET_LIST_OF_NUMBERS_0: large, SECRET_BOOL: "true" });
    const code = await made.project.read("engine.run.ts");
    expect(code).toContain(`"-${exact}" as unknown as number`);
    expect(code).toContain(`${large}n as unknown as number`);
    expect(code).toContain("readonly number: number;");
  }, 400_000);

  test("a secret object is refused as an instance of Digits, and the plan of a secret list has rounded numbers", async () => {
    made = await tofuProject();
    const [exact, large] = ["0.1234567890123456789", "123456789012345678901"];
    const config = (object: string, numbers: string): string => `
variable "hidden" {
  sensitive = true
  default   = { name = "hunter2-o", count = ${exact}, on = true }
}
variable "numbers" {
  sensitive = true
  default   = [${large}]
}
resource "fixture_attributes" "secret" {
  object          = ${object}
  list_of_numbers = ${numbers}
}
`;
    await made.apply({ "main.tf": config("var.hidden", "var.numbers") });
    const before = await made.project.names();
    const refused = await made.imports();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("[IMPORT_REFUSED]") });
    for (const name of ["object", "listOfNumbers"])
      expect(refused.stderr).toContain(`fixture_attributes.secret: its secret "${name}" holds a number`);
    for (const secret of [exact, large]) expect(refused.stderr).not.toContain(secret);
    const left = (await made.project.names()).filter((name) => !before.includes(name) && name !== "cache");
    expect(left).toEqual([]);

    const known = "{ name = var.hidden.name, count = nonsensitive(var.hidden.count), on = var.hidden.on }";
    await made.apply({ "main.tf": config(known, "nonsensitive(var.numbers)") });
    await takeOver(made, { SECRET_OBJECT_NAME: "hunter2-o", SECRET_OBJECT_ON: "true" });
  }, 400_000);

  test("asks a provider two questions for each resource", async () => {
    made = await tofuProject();
    const web = `
resource "fixture_thing" "web" {
  count  = 40
  name   = "web-\${count.index}"
  region = "eu"
}
`;
    await made.apply({ "main.tf": web });
    made.asked();
    const imported = await made.imports();
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const asked = made.asked().filter((rpc) => /Resource/.test(rpc));
    expect(asked).toHaveLength(2 * 40);
    expect(new Set(asked).size).toBe(2);
  }, 400_000);

  test("records the value that a newer version of a provider upgrades", async () => {
    made = await tofuProject();
    made.tofu.setEnv({ FIXTURE_OLD: "1" });
    await made.apply({ "main.tf": 'resource "fixture_versioned" "old" {\n  title = "first"\n  size  = "3"\n}\n' });
    expect(JSON.parse(await readFile(made.state, "utf8")).resources[0].instances[0]).toMatchObject({
      schema_version: 0,
      attributes: { title: "first", size: "3" },
    });
    const imported = await made.imports();
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    expect(await made.project.read("engine.run.ts")).toContain('fixture.versioned("old", { name: "first", size: 3 })');
    await plansNothing();
    const { old } = recordsIn((await made.engine({}, "state", "pull")).stdout);
    expect(old?.output).toMatchObject({ name: "first", size: 3 });
    expect(old?.output).not.toHaveProperty("title");
  }, 400_000);
});

describeWithS3("engine import from S3", (settings) => {
  const { endpoint, accessKeyId, secretAccessKey } = settings;
  test("reads an object of a bucket, and names a missing one", async () => {
    made = await tofuProject();
    await made.apply({ "main.tf": things });
    await makeTestBucket();
    const prefix = `import-sources/${Date.now()}`;
    const client = s3ClientOf(settings);
    const [Bucket, Key, Body] = [BUCKET, `${prefix}/terraform.tfstate`, await readFile(made.state)];
    await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    client.destroy();
    const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: "us-east-1" };
    const url = (name: string) => `s3://${BUCKET}/${prefix}/${name}?endpoint=${encodeURIComponent(endpoint)}`;
    const missing = await made.engine(keys, "import", url("nothing.tfstate"), ...FLAGS);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing.tfstate") });
    const imported = await made.engine(keys, "import", url("terraform.tfstate"), ...FLAGS, "--json");
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    await plansNothing(await made.variables(imported.stdout));
  }, 400_000);
});
