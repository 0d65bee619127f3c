/** Choices of a user that a provider could make, and data sources, in a real project of OpenTofu. */
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { checkFormat, checkTypes, type TofuProject, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject;
afterEach(() => made.remove());

describeUnless(lacks, "engine import", () => {
  test("writes what a user may have configured, names it, and finds no drift in data sources", async () => {
    made = await tofuProject();
    await made.apply({
      "main.tf": `
resource "fixture_thing" "web" {
  name   = "web-server"
  region = "eu"
}
resource "fixture_thing" "many" {
  count = 3
  name  = "many-\${count.index}"
}
resource "fixture_blocks" "each" {
  for_each = { a = "tcp", b = "udp" }
  name     = "blocks-\${each.key}"
  rule {
    port     = 80
    protocol = each.value
  }
}
resource "fixture_choice" "first" {
  title = "first"
  name  = "choice-\${fixture_thing.web.id}"
  zone  = "eu-1"
}
resource "fixture_choice" "second" {
  title   = "second"
  zone_id = "z2"
  labels  = { team = "a" }
}
data "fixture_lookup" "web" {
  name = fixture_thing.web.name
}
data "fixture_found" "first" {
  id = fixture_choice.first.id
}
data "fixture_found" "second" {
  name = fixture_choice.second.name
}
resource "fixture_thing" "last" {
  name = data.fixture_found.first.name
  tags = { web = data.fixture_lookup.web.id, many = fixture_thing.many[1].id }
  depends_on = [data.fixture_found.second]
}
output "path" { value = "things/\${fixture_thing.web.id}/\${fixture_choice.first.id}" }
`,
    });
    const imported = await made.imports();
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const program = await made.project.read("engine.run.ts");
    expect(program).toContain('name: "web-server",\n  region: "eu",');
    // A region of its own for each would keep the three from being a loop.
    expect(program).toContain("[0, 1, 2].map((index) =>");
    // A block with such a member must stay.
    expect(program).toMatch(/protocol: "tcp"[\s\S]*protocol: "udp"/);
    expect(program).toMatch(/found\("found-first", \{\s+id: choiceFirst\.id,/);
    // The region of some things is set, and that of others is left to the provider.
    expect(imported.stderr).toMatch(
      /sets values .*\n(?: .*\n)* +example\/fixture:thing: region of .*fixture_thing\.web/,
    );
    expect(imported.stderr).toMatch(
      /leaves these values .*\n(?: .*\n)* +example\/fixture:thing: region of fixture_thing\./,
    );
    expect(imported.stderr).toMatch(
      /leaves these values .*\n(?: .*\n)* +example\/fixture:choice: .*password, zoneId\n/,
    );
    await checkFormat(program);
    await checkTypes(made.project);
    for (const args of [["plan"], ["plan", "--refresh"], ["drift"]]) {
      const planned = await made.engine({}, ...args, "--exit-code");
      expect(planned, `${args.join(" ")}\n${program}\n${planned.stdout}${planned.stderr}`).toMatchObject({ code: 0 });
    }
  }, 400_000);
});
