/** Exports the stage of a fixture, for OpenTofu to continue with the same world. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appOf } from "../../../../core/run/index.js";
import { inOwnRun } from "../../../../plugins/admin/operations/index.js";
import { type Exported, exportForTerraform } from "../../../../plugins/terraform/export/index.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { fixtureLaunch, fixtureProgram } from "../fixture-provider.ts";
import { type Tofu, tofuIn } from "../tofu.ts";
import type { FixtureStage } from "./fixture-stage.ts";

/** Reads the stage as the command does. */
export async function exported(
  { stage, world }: FixtureStage,
  options: { readonly showSecrets?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Exported> {
  const app = appOf(stage.app);
  const { showSecrets = true, env } = options;
  return inOwnRun(app, stage.store, { command: "show" }, (own) =>
    exportForTerraform(own, {
      showSecrets,
      open: async () => launchProvider(fixtureLaunch(world.folder, { FIXTURE_PLAIN: "1", ...env })),
    }),
  );
}

/** OpenTofu in a folder with the exported files, on the world of the stage. */
export async function tofuWith(
  { world }: FixtureStage,
  { files }: Exported,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Tofu> {
  const tofu = await tofuIn(folder, { FIXTURE_WORLD: world.folder, TF_DISABLE_PLUGIN_TLS: "1", ...env });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  const mirrored = join(folder, "mirror/registry.opentofu.org/test/fixture/1.0.0/linux_amd64");
  await mkdir(mirrored, { recursive: true });
  const program = join(mirrored, "terraform-provider-fixture_v1.0.0");
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${fixtureProgram()}\n`);
  await chmod(program, 0o755);
  const settings = join(folder, "mirror.rc");
  await writeFile(
    settings,
    `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, "mirror")}"\n  }\n}\n`,
  );
  tofu.setEnv({ TF_CLI_CONFIG_FILE: settings });
  await tofu.run("init", "-no-color");
  return tofu;
}
