/** Random resources and data sources of a module, with loops and references to earlier ones. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL
import { type Draw, hcl, NUMBERS, pick, TEXTS } from "./drawing.ts";

export interface Made {
  /** Expression of its id. */
  readonly id: string;
  /** For `depends_on`. */
  readonly address: string;
}

export const KEYS: readonly (readonly string[])[] = [
  ["eu", "us"],
  ["a.b", "c d", "e/f"],
  ["one"],
  ["x", "y", "z", "w"],
  ["constructor", "__proto__", "0"],
  ['q"uote', "back`tick", "${dollar}", "é 🎉"],
];

const NAMES = ["this", "main", "größe", "my-thing", "await", "constructor", "engine", "a__b"];
const TYPES = [
  "fixture_thing",
  "fixture_legacy",
  "fixture_private",
  "fixture_versioned",
  "terraform_data",
  "fixture_attributes",
  "fixture_blocks",
  "fixture_nested",
  "fixture_thing",
];

/** @param isMoved with other names, and blocks that move the old ones */
export function resourcesOf(draw: Draw, isMoved: boolean): { blocks: string[]; made: Made[] } {
  const blocks: string[] = [];
  const made: Made[] = [];
  const count = 1 + draw(4);
  for (let at = 0; at < count; at++) {
    const before = draw(3) === 0 ? `${pick(draw, NAMES)}${at}` : `r${at}`;
    const type = pick(draw, TYPES);
    const name = isMoved ? `${before}-moved` : before;
    blocks.push(resourceOf(draw, { type, name, text: before }, made));
    if (isMoved) blocks.push(`moved {\n  from = ${type}.${before}\n  to   = ${type}.${name}\n}\n`);
  }
  if (draw(3) === 0) blocks.push(...lookedUp(draw, made));
  return { blocks, made };
}

/** A thing whose name no other has, a data source that finds it, and a thing that depends on the data source. */
function lookedUp(draw: Draw, made: Made[]): readonly string[] {
  const loop = draw(2) === 0 ? "" : "  count = 2\n";
  const found = loop === "" ? "data.fixture_lookup.found" : "data.fixture_lookup.found[1]";
  const blocks = [
    `resource "fixture_thing" "target" {\n  name = "target-of-\${${made[0]?.id}}"\n  size = ${draw(100)}\n}\n`,
    `data "fixture_lookup" "found" {\n${loop}  name       = fixture_thing.target.name\n  depends_on = [${made[0]?.address}]\n}\n`,
    `resource "fixture_thing" "finder" {\n  name = "finder-of-\${${found}.id}"\n  size = ${found}.size\n}\n`,
  ];
  made.push({ id: "fixture_thing.target.id", address: "fixture_thing.target" });
  return blocks;
}

function reference(draw: Draw, made: readonly Made[]): string {
  return made.length === 0 || draw(4) === 0 ? "var.given" : String(made[draw(made.length)]?.id);
}

interface Named {
  readonly type: string;
  readonly name: string;
  /** A text with which its values begin. */
  readonly text: string;
}

function resourceOf(draw: Draw, { type, name, text }: Named, made: Made[]): string {
  const kind = draw(4);
  const keys = pick(draw, KEYS);
  const sizes = keys.map((key) => `${hcl(key)} = ${draw(3) === 0 ? "null" : draw(50)}`);
  const loops = [
    "",
    `  count = ${1 + draw(3)}\n`,
    `  for_each = toset([${keys.map(hcl)}])\n`,
    `  for_each = { ${sizes.join(", ")} }\n`,
  ];
  const own = ["plain", "n-${count.index}", "n-${each.key}", "n-${each.key}"][kind] ?? "";
  const value =
    [`"${text}-${own}"`, reference(draw, made), `"${own}-\${${reference(draw, made)}}"`, hcl(pick(draw, TEXTS))][
      draw(4)
    ] ?? "";
  const needs = draw(5) === 0 && made[0] ? `  depends_on = [${made[0].address}]\n` : "";
  const rule = draw(6) === 0 ? "  lifecycle {\n    create_before_destroy = true\n  }\n" : "";
  const members = membersOf(draw, { type, kind, value }, made);
  const address = `${type}.${name}`;
  const first = `values({ for key, one in ${address} : key => one.id })[0]`;
  made.push({ id: [`${address}.id`, `${address}[0].id`, first, first][kind] ?? "", address });
  return `resource "${type}" "${name}" {\n${loops[kind]}${members}${needs}${rule}}\n`;
}

interface Members {
  readonly type: string;
  readonly kind: number;
  /** Expression of its name. */
  readonly value: string;
}

function membersOf(draw: Draw, { type, kind, value }: Members, made: readonly Made[]): string {
  const name = `  name = ${value}\n`;
  switch (type) {
    case "terraform_data":
      return `  input = ${draw(3) === 0 ? dynamicValue(draw, made) : value}\n${draw(4) === 0 ? "  triggers_replace = [1, null]\n" : ""}`;
    case "fixture_thing":
      return name + thingMembers(draw, kind, made);
    case "fixture_attributes":
      return `  string = ${value}\n${attributeMembers(draw, made)}`;
    case "fixture_blocks":
      return name + blockMembers(draw, made);
    case "fixture_nested":
      return name + nestedMembers(draw, made);
    case "fixture_legacy":
      return `${name}${maybe(draw, "  text = null\n")}${maybe(draw, '  list = ["a", ""]\n')}`;
    default:
      return name;
  }
}

const maybe = (draw: Draw, text: string): string => (draw(2) === 0 ? text : "");

function thingMembers(draw: Draw, kind: number, made: readonly Made[]): string {
  const size = kind === 3 ? "each.value" : pick(draw, [String(draw(1_000)), "var.extent", "null", ...NUMBERS]);
  return [
    maybe(draw, `  size = ${size}\n`),
    maybe(draw, `  secret = ${pick(draw, ["var.secret", '"${var.secret}-more"', "null"])}\n`),
    maybe(draw, `  tags = { "a-b" = ${reference(draw, made)}, team = "x", odd = ${hcl(pick(draw, TEXTS))} }\n`),
    draw(3) === 0 ? '  region = "eu"\n' : "",
  ].join("");
}

function dynamicValue(draw: Draw, made: readonly Made[]): string {
  return pick(draw, [
    `{ a = [1, "x", null, { deep = ${reference(draw, made)} }], ${hcl("k ${")} = true }`,
    "[]",
    "{}",
    "[[], {}, [null]]",
    pick(draw, NUMBERS),
    "null",
    `[${hcl("${x}")}, var.given]`,
    '{ "" = 1, constructor = 2, Upper = 3, "snake_case" = 4, "a-b" = 5 }',
  ]);
}

function objectOf(draw: Draw, made: readonly Made[]): string {
  const count = pick(draw, ["null", ...NUMBERS]);
  return `{ name = ${pick(draw, [hcl(pick(draw, TEXTS)), reference(draw, made), "null"])}, count = ${count}, on = ${pick(draw, ["true", "false", "null"])} }`;
}

function attributeMembers(draw: Draw, made: readonly Made[]): string {
  const text = (): string => hcl(pick(draw, TEXTS));
  const prefix = pick(draw, ["", "", "either_"]);
  const members: Readonly<Record<string, () => string>> = {
    number: () => pick(draw, ["-7", ...NUMBERS]),
    bool: () => pick(draw, ["true", "false", "null"]),
    list: () => pick(draw, [`[${text()}, ${reference(draw, made)}]`, "[]", "null", '["", ""]']),
    set: () => `[${text()}, ${reference(draw, made)}, "z", "a"]`,
    map: () => pick(draw, [`{ ${text()} = ${text()}, camelCase = "c", snake_case = "s" }`, "{}", "null"]),
    object: () => objectOf(draw, made),
    tuple: () => `[${text()}, ${pick(draw, NUMBERS)}]`,
    dynamic: () => dynamicValue(draw, made),
    list_of_numbers: () => `[${NUMBERS.join(", ")}]`,
    set_of_numbers: () => "[3, 2, 9007199254740993, 0.5]",
    list_of_objects: () => `[${objectOf(draw, made)}, ${objectOf(draw, made)}]`,
    set_of_objects: () => `[${objectOf(draw, made)}, ${objectOf(draw, made)}]`,
    map_of_objects: () => `{ "k.1" = ${objectOf(draw, made)}, ${text()} = ${objectOf(draw, made)} }`,
    map_of_lists: () => `{ a = [${text()}], b = [] }`,
  };
  return Object.entries(members)
    .filter(() => draw(3) === 0)
    .map(([name, value]) => `  ${prefix}${name} = ${value()}\n`)
    .join("");
}

function blockMembers(draw: Draw, made: readonly Made[]): string {
  const rules = `  dynamic "rule" {
    for_each = ${pick(draw, ["[80, 443]", '{ http = 80, "h$${" = 443 }', "toset([1])"])}
    content {
      port     = rule.value
      protocol = ${pick(draw, ["null", '"tcp"', "tostring(rule.key)"])}
      dynamic "target" {
        for_each = ["a", ${reference(draw, made)}]
        content {
          host = target.value
        }
      }
    }
  }
`;
  return [
    pick(draw, [rules, "  rule {\n    port = 80\n  }\n"]),
    maybe(draw, `  single {\n    name = ${hcl(pick(draw, TEXTS))}\n  }\n`),
    maybe(draw, "  group {\n    name = null\n  }\n"),
    maybe(
      draw,
      `  label {\n    key = "z"\n  }\n  label {\n    key   = "a"\n    value = ${reference(draw, made)}\n  }\n`,
    ),
    maybe(draw, `  volume "v.1" {\n    size = 5\n  }\n  volume "é" {\n    size = 1\n    path = "/"\n  }\n`),
  ].join("");
}

function nestedMembers(draw: Draw, made: readonly Made[]): string {
  const inner = (): string =>
    `{ name = ${reference(draw, made)}, size = ${pick(draw, ["null", "7"])}, secret = ${pick(draw, ["null", "var.secret"])} }`;
  return [
    maybe(draw, `  single = ${inner()}\n`),
    maybe(draw, `  list = [${inner()}, ${inner()}]\n`),
    maybe(draw, `  set = [{ name = ${hcl(pick(draw, TEXTS))} }, { name = "b", size = 9007199254740993 }]\n`),
    maybe(draw, `  map = { "k.1" = ${inner()}, camelCase = ${inner()} }\n`),
    maybe(draw, `  deep = [{ inner = { a_b = ${inner()} } }, { inner = {} }]\n`),
  ].join("");
}
