/** A project of OpenTofu with the fixture's provider, and the project of ours that takes it over. */
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { environmentName } from "../../../plugins/import/program/names.js";
import { typeCheck } from "../../helpers/checks/type-check.ts";
import { engineProject, type Finished, type Project } from "../../helpers/processes/engine-project.ts";
import { root } from "../../house/project.ts";
import { recordedIn } from "../terraform/fixture/world.ts";
import { fixtureProgram } from "../terraform/fixture-provider.ts";
import { type Tofu, tofuIn } from "../terraform/tofu.ts";

/** Secrets of configurations have it. */
export const SECRET = "hunter2-";

const PASSWORD = "correct horse";

export interface TofuProject {
  readonly project: Project;
  readonly tofu: Tofu;
  readonly state: string;
  /** Variables of each command. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes files of the configuration, and applies it. */
  apply(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command of the engine. */
  engine(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finished>;
  /** Imports the state, with the fixture from a mirror. */
  imports(...args: readonly string[]): Promise<Finished>;
  /** The secrets of the state by the variables that the program reads, as `--json` lists them. */
  variables(json: string): Promise<Readonly<Record<string, string>>>;
  /** Questions to the provider since the last call. */
  asked(): readonly string[];
  remove(): Promise<void>;
}

/** The head that each module of a configuration needs. */
export const REQUIRED = 'terraform {\n  required_providers {\n    fixture = { source = "example/fixture" }\n  }\n}\n';

export async function tofuProject(): Promise<TofuProject> {
  const project = await engineProject();
  const folder = join(project.folder, "tf");
  await mkdir(folder);
  const tofu = await tofuIn(folder);
  const mirrored = "mirror/registry.opentofu.org/example/fixture/1.0.0/linux_amd64/terraform-provider-fixture";
  await project.write(mirrored, `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`);
  await chmod(join(project.folder, mirrored), 0o755);
  const own = {
    XDG_CACHE_HOME: join(project.folder, "cache"),
    ENGINE_PASSWORD: PASSWORD,
    ENGINE_STAGE: "dev",
    FIXTURE_WORLD: tofu.world,
  };
  let seen = 0;
  const engine: TofuProject["engine"] = (env, ...args) => project.engineWith({ ...own, ...env }, ...args);
  const state = join(folder, "terraform.tfstate");
  return {
    project,
    tofu,
    state,
    env: own,
    engine,
    async apply(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        if (name !== "main.tf") await writeFile(join(folder, name), content);
      }
      await tofu.configure(files["main.tf"] ?? "");
      await tofu.run("get");
      await tofu.run("apply", "-auto-approve", "-no-color");
    },
    imports: (...args) => engine({}, "import", "tf/terraform.tfstate", "--mirror", "mirror", "--name", "shop", ...args),
    async variables(json) {
      const { variables } = JSON.parse(json) as { variables: { name: string; usedBy: string[] }[] };
      const known = secretsIn(await readFile(state, "utf8"));
      return Object.fromEntries(
        variables.map(({ name, usedBy: [address = ""] }) => [name, secretOf(name, known.get(address) ?? [])]),
      );
    },
    asked() {
      const all = recordedIn(tofu.world).map(({ rpc }) => String(rpc));
      const since = all.slice(seen);
      seen = all.length;
      return since;
    },
    remove: () => project.remove(),
  };
}

/** A value of a state, and the end of the name of the variable for it. */
interface Part {
  readonly name: string;
  readonly value: unknown;
}

/** Returns all parts of the resources and outputs of a state, by the addresses of these. */
function secretsIn(state: string): ReadonlyMap<string, readonly Part[]> {
  const { resources, outputs } = JSON.parse(state);
  const all = new Map<string, readonly Part[]>();
  for (const [name, { value }] of Object.entries<{ value: unknown }>(outputs))
    all.set(`output.${name}`, [{ name: "", value }]);
  for (const { module, mode, type, name, instances } of resources)
    for (const { index_key: key, attributes } of instances) {
      const own = `${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`;
      const address = [module, mode === "data" ? "data" : undefined, own].filter((part) => part !== undefined);
      all.set(address.join("."), partsOf([], attributes));
    }
  return all;
}

function partsOf(path: readonly string[], given: unknown): readonly Part[] {
  const value = isDynamic(given) ? given.value : given;
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [{ name: environmentName(path), value }, ...inner.flatMap(([name, one]) => partsOf([...path, name], one))];
}

/** True for a value of a dynamic attribute, which a state holds with its type. */
function isDynamic(value: unknown): value is { readonly value: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).sort().join() === "type,value";
}

/** Returns what a user finds in the state for a variable: the part after which it is named, or its JSON. */
function secretOf(variable: string, parts: readonly Part[]): string {
  const ends = [variable, variable.replace(/_?\d+$/, "")];
  const named = parts.filter(({ name }) => name !== "" && ends.some((end) => end.endsWith(`_${name}`)));
  const [longest] = named.sort((one, other) => other.name.length - one.name.length);
  const { value } = longest ?? parts[0] ?? {};
  return typeof value === "string" ? value : String(JSON.stringify(value));
}

/** All files of a folder, without those of packages and caches, as one text. */
export async function textBelow(folder: string, without: readonly string[]): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const texts = entries
    .filter(({ name }) => !without.includes(name))
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return textBelow(path, without);
      return entry.isFile() ? readFile(path, "latin1") : "";
    });
  return (await Promise.all(texts)).join("\n");
}

const STRICT = {
  target: "ES2022",
  lib: ["ES2023", "DOM"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: [],
  strict: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
};

/** Checks a generated program with the types of the package. */
export async function checkTypes({ folder, write }: Project): Promise<void> {
  await write("package.json", '{ "type": "module" }');
  await write("tsconfig.json", JSON.stringify({ compilerOptions: STRICT, files: ["engine.run.ts"] }));
  const { status, stdout, stderr } = typeCheck("tsconfig.json", folder);
  if (status !== 0) throw new Error(`It does not type-check:\n${stdout}${stderr}`);
}

/** Checks that the program is formatted, as Biome and Prettier do with their usual width. */
export async function checkFormat(code: string): Promise<void> {
  const biome = join(root, "node_modules/.bin/biome");
  const child = spawn(biome, ["format", "--indent-style=space", "--line-width=80", "--stdin-file-path=a.ts"]);
  child.stdin.end(code);
  const formatted = (await text(child.stdout)).split("\n");
  const lines = code.split("\n");
  const at = formatted.findIndex((line, index) => line !== lines[index]);
  if (at < 0) return;
  const [is, should] = [lines, formatted].map((all) => all.slice(Math.max(0, at - 2), at + 4).join("\n"));
  throw new Error(`It is not formatted. It says:\n${is}\nIt should be:\n${should}`);
}
