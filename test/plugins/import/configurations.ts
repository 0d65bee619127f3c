/** Random configurations of OpenTofu for the fixture: modules, loops, references and secrets. */
import { REQUIRED } from "./tofu-project.ts";

/** Secrets in configurations begin so. */
export const SECRET = "hunter2-";

type Draw = (below: number) => number;

function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Resource {
  /** Expression of its id. */
  readonly id: string;
  readonly text: string;
}

/**
 * Returns the files of a module with nested modules.
 *
 * @param folder of the module
 */
export function configuration(seed: number, folder: string): Readonly<Record<string, string>> {
  const draw = drawing(seed * 7_919 + 17);
  const files: Record<string, string> = {};
  moduleFiles(draw, folder, 0, files);
  return files;
}

const KEYS = [["eu", "us"], ["a.b", "c d", "e/f"], ["one"], ["x", "y", "z", "w"]];

function moduleFiles(draw: Draw, folder: string, depth: number, files: Record<string, string>): void {
  const blocks = [REQUIRED, 'variable "given" {\n  default = "given-by-default"\n}\n'];
  blocks.push(`variable "secret" {\n  sensitive = true\n  default   = "${SECRET}${folder.replaceAll("/", "-")}"\n}\n`);
  const made: Resource[] = [];
  const count = 1 + draw(4);
  for (let at = 0; at < count; at++) {
    const resource = resourceOf(draw, `r${at}`, made);
    made.push(resource);
    blocks.push(resource.text);
  }
  for (let at = 0; depth < 2 && at < draw(3); at++) {
    const name = `m${at}`;
    moduleFiles(draw, `${folder}/${name}`, depth + 1, files);
    const loop = ["", "  count  = 2\n", `  for_each = toset(${JSON.stringify(KEYS[draw(4)])})\n`][draw(3)] ?? "";
    blocks.push(`module "${name}" {\n  source = "./${name}"\n${loop}  given  = ${reference(draw, made)}\n}\n`);
    const first = loop === "" ? `module.${name}.id` : `values({ for key, one in module.${name} : key => one.id })[0]`;
    if (!loop.includes("count")) made.push({ id: first, text: "" });
  }
  blocks.push(`output "id" {\n  value = ${made[0]?.id}\n}\n`);
  files[`${folder}/main.tf`] = blocks.join("\n");
}

function reference(draw: Draw, made: readonly Resource[]): string {
  return made.length === 0 || draw(4) === 0 ? "var.given" : String(made[draw(made.length)]?.id);
}

const TYPES = [
  "fixture_thing",
  "fixture_legacy",
  "fixture_private",
  "fixture_versioned",
  "terraform_data",
  "fixture_thing",
];

function resourceOf(draw: Draw, name: string, made: readonly Resource[]): Resource {
  const type = TYPES[draw(TYPES.length)] ?? "";
  const kind = draw(3);
  const loop = ["", `  count = ${1 + draw(3)}\n`, `  for_each = toset(${JSON.stringify(KEYS[draw(4)])})\n`][kind] ?? "";
  const own = ["plain", "n-${" + "count.index}", "n-${" + "each.key}"][kind] ?? "";
  const value = [`"${name}-${own}"`, reference(draw, made), `"${own}-\${${reference(draw, made)}}"`][draw(3)] ?? "";
  const more = type === "fixture_thing" ? thingMembers(draw, made) : "";
  const members = type === "terraform_data" ? `  input = ${value}\n` : `  name = ${value}\n${more}`;
  const address = `${type}.${name}`;
  const id = [`${address}.id`, `${address}[0].id`, `values({ for key, one in ${address} : key => one.id })[0]`][kind];
  return { id: String(id), text: `resource "${type}" "${name}" {\n${loop}${members}}\n` };
}

function thingMembers(draw: Draw, made: readonly Resource[]): string {
  return [
    draw(2) === 0 ? "" : `  size = ${draw(1_000)}\n`,
    draw(2) === 0 ? "" : "  secret = var.secret\n",
    draw(2) === 0 ? "" : `  tags = { "a-b" = ${reference(draw, made)}, team = "x" }\n`,
    draw(3) === 0 ? '  region = "eu"\n' : "",
  ].join("");
}
