/** Habits of modules, secrets, names and values. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL
import type { Habit } from "./configured-habits.ts";
import { type Draw, hcl, pick, TEXTS } from "./drawing.ts";
import { REQUIRED } from "./tofu-project.ts";

const WORDS = "class await enum let yield arguments eval async of get set static NaN console process app engine then";
const OWNED = "toString hasOwnProperty prototype __proto__ constructor fixture key index instance name length";
const WORD_LIST = `${WORDS} ${OWNED}`.split(" ");
const ODD = ["1", "01", "1st", "a.b", "a/b", "a_b", "a-b", "A-B", "a b", "a:b", "a[0]", 'a"b', "a\\b", "a'b", "a`b"];
const ODDER = ["${a}", "%{a}", "é", "漢", "🎉", ".", "..", "-", "_", "</script>", "a\nb", "{}", "aB", "ab", "Ab", "-1"];

function several(draw: Draw, all: readonly string[], count: number): readonly string[] {
  return [...new Set(Array.from({ length: count }, () => pick(draw, all)))];
}

const listed = (texts: readonly string[]): string => `[${texts.map(hcl).join(", ")}]`;

/** Modules with `for_each` in modules with `for_each`, whose instances differ by a nested object. */
export const nestedModules: Habit = (draw, folder, files) => {
  const zone = () =>
    `{ size = ${draw(3)}, tags = ${pick(draw, ["{}", '{ team = "x" }', '{ team = "x", deep = "y" }'])} }`;
  const region = () => `{ zones = { a = ${zone()}, "b.1" = ${zone()} }, extra = ${pick(draw, ["null", '"more"'])} }`;
  files[`${folder}/region/main.tf`] = `${REQUIRED}
variable "region" {}
variable "of" {}
resource "fixture_thing" "vpc" { name = "vpc-\${var.region}" }
resource "fixture_thing" "extra" {
  count = var.of.extra == null ? 0 : 1
  name  = "extra-\${var.of.extra}"
}
module "zone" {
  source   = "./zone"
  for_each = var.of.zones
  vpc      = fixture_thing.vpc.id
  zone     = each.value
  key      = "\${var.region}-\${each.key}"
}
output "id" { value = fixture_thing.vpc.id }
output "keys" { value = { for key, one in var.of.zones : "\${var.region}/\${key}" => one.size } }
`;
  files[`${folder}/region/zone/main.tf`] = `${REQUIRED}
variable "vpc" {}
variable "zone" {}
variable "key" {}
resource "fixture_thing" "subnet" {
  for_each = { for n in range(var.zone.size) : "n\${n}" => n }
  name     = "subnet-\${var.key}-\${each.key}"
  size     = each.value
  tags     = merge(var.zone.tags, { vpc = var.vpc })
}
resource "terraform_data" "zone" { input = var.zone }
`;
  return `
module "region" {
  source   = "./region"
  for_each = { eu = ${region()}, "us-1" = ${region()} }
  region   = each.key
  of       = each.value
}
resource "fixture_thing" "by_output" {
  for_each   = merge(values(module.region)[*].keys...)
  name       = "by-\${each.key}-\${module.region["eu"].id}"
  size       = each.value
  depends_on = [module.region]
}
`;
};

/** Data sources in modules with `count`, of which one has no instance. */
export const countedData: Habit = (draw, folder, files) => {
  files[`${folder}/found/main.tf`] = `${REQUIRED}
variable "name" {}
data "fixture_lookup" "it" { name = var.name }
resource "fixture_thing" "user" { name = "user-of-\${data.fixture_lookup.it.id}-\${data.fixture_lookup.it.size}" }
output "found" { value = data.fixture_lookup.it.id }
`;
  const name = hcl(`found-in-${folder}`);
  return `
resource "fixture_thing" "found" {
  name = ${name}
  size = ${1000 + draw(9000)}
}
module "found" {
  source     = "./found"
  count      = ${1 + draw(2)}
  name       = ${name}
  depends_on = [fixture_thing.found]
}
module "not_found" {
  source = "./found"
  count  = 0
  name   = "nothing"
}
resource "fixture_thing" "after" { name = "after-\${module.found[0].found}" }
`;
};

/** Secrets in lists, maps, objects, sets and blocks, and one secret of several resources. */
export const innerSecrets: Habit = (draw) => {
  const secret = () => pick(draw, ["var.secret", '"${var.secret}-a"', '"${var.secret} \\"q\\" $${x}\\n🎉"']);
  const optional = (text: string): string => (draw(3) === 0 ? "" : `  ${text}\n`);
  return `
resource "fixture_attributes" "secrets" {
${optional(`list = ["a-1", ${secret()}, "b-2"]`)}${optional(`map = { k = "v", "s.1" = ${secret()} }`)}
${optional(`set = ["z", ${secret()}]`)}${optional(`object = { name = ${secret()}, count = 1, on = true }`)}
${optional(`list_of_objects = [{ name = "n", count = 1, on = true }, { name = ${secret()}, count = 2, on = null }]`)}
${optional(`map_of_lists = { l = ["q", ${secret()}] }`)}${optional(`dynamic = { a = [1, ${secret()}], b = "p" }`)}
${optional(`set_of_objects = [{ name = ${secret()}, count = null, on = null }]`)}
}
resource "fixture_blocks" "secrets" {
  name = "blocks"
  rule {
    port     = 80
    protocol = ${secret()}
    target { host = ${secret()} }
  }
  single { name = ${secret()} }
  label {
    key   = "a"
    value = ${secret()}
  }
  label { key = "b" }
}
resource "fixture_nested" "secrets" {
  single = { name = ${secret()}, secret = ${secret()} }
  set    = [{ name = ${secret()} }, { name = "n", size = 1 }]
  map    = { m = { name = "n", secret = ${secret()} } }
}
resource "terraform_data" "secrets" {
  input            = { a = var.secret, b = ["x", ${secret()}] }
  triggers_replace = [${secret()}, "plain"]
}
resource "fixture_thing" "copies" {
  count  = 2
  name   = "copies-\${count.index}"
  secret = var.secret
  tags   = { of = terraform_data.secrets.output.a }
}
`;
};

/** Keys and names that languages have for themselves, or that are equal in other cases. */
export const oddNames: Habit = (draw) => {
  const words = several(draw, WORD_LIST, 9);
  const odd = several(draw, [...ODD, ...ODDER], 12);
  return `
resource "fixture_thing" "words" {
  for_each = toset(${listed(words)})
  name     = "w-\${each.key}"
}
resource "fixture_thing" "odd" {
  for_each = toset(${listed(odd)})
  name     = "o-\${each.key}"
  size     = length(each.key)
}
resource "fixture_attributes" "keys" {
  map            = { for w in ${listed([...words, ...odd, ""])} : w => "v-\${w}" }
  map_of_objects = { for w in ${listed(words)} : w => { name = w, count = 1, on = null } }
  dynamic        = { for w in ${listed(odd)} : w => w }
}
${["my-name", "my_name", "myName", "MyName", "my__name"].map((name, at) => `resource "fixture_thing" ${hcl(name)} { name = "n${at}" }\n`).join("")}
resource "fixture_thing" "users" {
  name = "users"
  tags = { a = fixture_thing.my-name.id, b = fixture_thing.my_name.id, c = fixture_thing.MyName.id, d = fixture_thing.odd[${hcl(odd[0] ?? "")}].id }
}
`;
};

/** Dynamic values of all types, empty and null elements, and numbers of all sizes. */
export const values: Habit = (draw) => {
  const typed = () =>
    pick(draw, [
      'tolist(["a", "b"])',
      "tolist([])",
      'slice(tolist(["a"]), 0, 0)',
      'tomap({ "a.b" = "c", "$${k}" = "v" })',
      'toset(["b", "a"])',
      '[tomap({ a = toset([1, 2]) }), "x", null]',
      "tolist([{ a = 1, b = true }, { a = 2, b = null }])",
    ]);
  return `
resource "fixture_attributes" "typed" { dynamic = { it = ${typed()}, other = ${typed()}, none = null } }
resource "fixture_attributes" "whole" { dynamic = ${typed()} }
resource "fixture_attributes" "nulls" {
  list            = [null, "a"]
  map             = { a = null, b = "" }
  tuple           = [null, ${draw(9)}]
  list_of_objects = [null, { name = null, count = null, on = null }]
  map_of_lists    = { a = null, b = [${hcl(pick(draw, TEXTS))}] }
  either_list     = ["a", null]
  list_of_numbers = [-5, 9007199254740991, 9007199254740993, 0.30000000000000004, 1e100, 123456.789]
}
resource "terraform_data" "values" {
  for_each = { a = {}, b = { x = [] }, c = { x = null }, d = { x = [[], {}, [null]] } }
  input    = each.value
}
`;
};
