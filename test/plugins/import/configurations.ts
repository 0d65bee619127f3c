/** Random projects of OpenTofu for the fixture: modules, loops, references, data sources, secrets, and habits. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL
import { habitOf } from "./configured-habits.ts";
import { KEYS, type Made, resourcesOf } from "./configured-resources.ts";
import { type Draw, drawing, hcl, pick } from "./drawing.ts";
import { REQUIRED, SECRET } from "./tofu-project.ts";

/**
 * Returns the files of a project with a module for each seed.
 *
 * @param isMoved with other names, and `moved` blocks for them
 */
export function projectOf(seeds: readonly number[], isMoved = false): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const calls = seeds.map((seed) => {
    const draw = drawing(seed * 7_919 + 17);
    moduleFiles({ draw, isMoved: isMoved && seed % 2 === 1, depth: 0 }, `c${seed}`, files);
    files[`c${seed}/habit.tf`] = habitOf(seed, `c${seed}`, files);
    // Some use another configuration of the provider, or need another module as a whole.
    const providers = seed % 4 === 1 ? "  providers  = { fixture = fixture.west }\n" : "";
    const needs = seed % 8 === 3 ? `  depends_on = [module.c${seed - 1}]\n` : "";
    return `module "c${seed}" {
  source     = "./c${seed}"
${providers}${needs}}
output "id_${seed}" {
  value = module.c${seed}.id
}
output "secret_${seed}" {
  value     = { of = module.c${seed}.secret, none = null }
  sensitive = true
}
`;
  });
  return { ...files, "main.tf": `provider "fixture" {\n  alias = "west"\n}\n${calls.join("")}` };
}

interface Module {
  readonly draw: Draw;
  readonly isMoved: boolean;
  readonly depth: number;
}

const MODULES = ["m", "net-x", "größe", "this", "default", "class"];

function moduleFiles({ draw, isMoved, depth }: Module, folder: string, files: Record<string, string>): void {
  const secret = `${SECRET}${folder.replaceAll("/", "-")}`;
  const blocks = [
    REQUIRED,
    'variable "given" {\n  default = "given-by-default"\n}\nvariable "extent" {\n  default = 3\n}\n',
    `variable "secret" {\n  sensitive = true\n  default   = "${secret}"\n}\n`,
  ];
  const { blocks: resources, made } = resourcesOf(draw, isMoved);
  blocks.push(...resources);
  for (let at = 0; depth < 2 && at < draw(3); at++) {
    moduleFiles({ draw, isMoved, depth: depth + 1 }, `${folder}/m${at}`, files);
    blocks.push(callOf(draw, { at, isMoved }, made));
  }
  blocks.push(`output "id" {\n  value = ${made[0]?.id}\n}\n`);
  blocks.push('output "secret" {\n  value     = "of-${var.secret}"\n  sensitive = true\n}\n');
  files[`${folder}/main.tf`] = blocks.join("\n");
}

/** Returns the block that calls a module, and adds the resource that it offers. */
function callOf(draw: Draw, { at, isMoved }: { at: number; isMoved: boolean }, made: Made[]): string {
  const before = `${pick(draw, MODULES)}${at}`;
  const name = isMoved ? `moved-${before}` : before;
  const keys = pick(draw, KEYS);
  const members = keys.map((key) => `${hcl(key)} = { extent = ${draw(3) === 0 ? "null" : draw(99)}, text = "t" }`);
  const loops = [
    "",
    "  count  = 2\n",
    `  for_each = toset([${keys.map(hcl)}])\n`,
    `  for_each = { ${members.join(", ")} }\n  extent = each.value.extent\n`,
  ];
  const loop = loops[draw(4)] ?? "";
  const given = draw(4) === 0 && loop.includes("for_each") ? "each.key" : (made[draw(made.length)]?.id ?? "var.given");
  const needs = draw(4) === 0 && made[0] ? `  depends_on = [${made[0].address}]\n` : "";
  const moved = isMoved ? `moved {\n  from = module.${before}\n  to   = module.${name}\n}\n` : "";
  if (!loop.includes("count") && keys.length > 0) {
    const id = loop === "" ? `module.${name}.id` : `values({ for key, one in module.${name} : key => one.id })[0]`;
    made.push({ id, address: `module.${name}` });
  }
  return `module "${name}" {\n  source = "./m${at}"\n${loop}  given  = ${given}\n${needs}}\n${moved}`;
}
