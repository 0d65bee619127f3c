/** A project of OpenTofu with the fixture's provider, and the project of ours that takes it over. */
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { engineProject, type Finished, type Project } from "../../helpers/processes/engine-project.ts";
import { root } from "../../house/project.ts";
import { recordedIn } from "../terraform/fixture/world.ts";
import { fixtureProgram } from "../terraform/fixture-provider.ts";
import { type Tofu, tofuIn } from "../terraform/tofu.ts";

const PASSWORD = "correct horse";

export interface TofuProject {
  readonly project: Project;
  readonly tofu: Tofu;
  readonly state: string;
  /** Writes files of the configuration, and applies it. */
  apply(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command of the engine. */
  engine(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finished>;
  /** Imports the state, with the fixture from a mirror. */
  imports(...args: readonly string[]): Promise<Finished>;
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
  return {
    project,
    tofu,
    state: join(folder, "terraform.tfstate"),
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
    asked() {
      const all = recordedIn(tofu.world).map(({ rpc }) => String(rpc));
      const since = all.slice(seen);
      seen = all.length;
      return since;
    },
    remove: () => project.remove(),
  };
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

/** Checks that the program is formatted, as Biome and Prettier do with their usual width. */
export async function checkFormat(code: string): Promise<void> {
  const biome = join(root, "node_modules/.bin/biome");
  const child = spawn(biome, ["format", "--indent-style=space", "--line-width=80", "--stdin-file-path=a.ts"]);
  child.stdin.end(code);
  const formatted = await text(child.stdout);
  if (formatted !== code) throw new Error(`It is formatted as:\n${formatted}`);
}
