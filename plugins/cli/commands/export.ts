import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { EngineError } from "../../../core/base/index.js";
import { chooseStore } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import { inOwnRun } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { shellWord } from "../../internal/text/shell-word.js";
import type { Exported } from "../../terraform/export/index.js";
import { firstOf } from "../../terraform/export/names.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { nothingThere, openStage, stageExists } from "../open-stage.js";
import { print, printJson, say, writeOut } from "../output.js";
import type { Given } from "../run-command.js";
import { withAdmin } from "../state/with-admin.js";

const FOLDER = "terraform";

export function addExport(program: Command): void {
  const command = program
    .command("export [entry]")
    .summary("write the resources of Terraform providers for OpenTofu or Terraform")
    .description(
      `Write the resources of a stage as a state and a configuration, with which "tofu plan" finds no changes.
The recorded state and the real resources stay as they are.

  $ engine export --out infra --show-secrets
  $ cd infra && tofu init && tofu plan`,
    );
  addFlags(command);
  command.action(async (entry: string | undefined, given: Given) => {
    const [envFile, app, folder = FOLDER] = [given.envFile, given.app, given.out].map(textOf);
    await openStage({ entry, app, envFile, flags: programFlags(command) }, async (stage) => {
      const isThere = await withAdmin(stage, (admin) => stageExists(admin, given));
      if (!isThere) return withAdmin(stage, async (admin) => nothingThere(admin, given));
      const found = await readStage(stage, given.showSecrets === true);
      if (found.addresses.size === 0) throw nothingToExport(stage, found.others);
      const names = [...found.files.keys()];
      refuseExisting(folder, names);
      await makeFolder(folder);
      for (const [name, text] of found.files) await writeOut(join(folder, name), text);
      report(stage, found, folder, given.json === true);
      return 0;
    });
  });
}

function nothingToExport({ root }: App, others: Exported["others"]): EngineError {
  const kinds = [...new Set(others.map(({ kind }) => kind))];
  const why = kinds.length === 0 ? "it has no resources" : `no Terraform provider has its types: ${firstOf(kinds)}`;
  return new EngineError("NOT_RECORDED", `Nothing was exported from "${root.chain.join("/")}", because ${why}.`);
}

async function readStage(app: App, showSecrets: boolean): Promise<Exported> {
  const { exportForTerraform } = await import("../../terraform/export/index.js");
  const { store, isOwn } = await chooseStore(app);
  try {
    return await inOwnRun(app, store, { command: "show" }, (own) => exportForTerraform(own, { showSecrets }));
  } finally {
    if (isOwn) await store.close?.();
  }
}

/** A state of Terraform is the only record of its resources, so none is ever overwritten. */
function refuseExisting(folder: string, names: readonly string[]): void {
  const there = [...names, "terraform.tfvars.json"]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  if (there.length === 0) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `Nothing was written, because ${there.map((path) => `"${path}"`).join(", ")} ${there.length === 1 ? "exists" : "exist"}. Delete the earlier export, or name another folder with --out.`,
  );
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusableFile(folder, "created", error);
  }
}

function report(
  { root }: App,
  { files, addresses, others, variables, notes }: Exported,
  folder: string,
  json: boolean,
) {
  const names = [...files.keys()].map((name) => join(folder, name));
  if (json) {
    const resources = [...addresses].map(([fqn, address]) => ({ fqn, address }));
    return printJson({ app: root.appName, stage: root.stage, files: names, resources, others, variables, notes });
  }
  for (const name of names) print(`written  ${name}`);
  print(
    `${counted(addresses.size, "resource")} exported from "${root.chain.join("/")}". Next: cd ${shellWord(folder)} && tofu init && tofu plan`,
  );
  if (variables.length > 0)
    say(
      `${counted(variables.length, "secret")} in plain text in these files, which only you can read. Keep them out of version control.`,
    );
  const kinds = new Map<string, string[]>();
  for (const { fqn, kind } of others) {
    const fqns = kinds.get(kind) ?? [];
    kinds.set(kind, fqns);
    fqns.push(fqn);
  }
  for (const [kind, fqns] of kinds) {
    const them = fqns.length === 1 ? "it" : "them";
    say(
      `not exported: ${firstOf(fqns)} (${kind}), because no Terraform provider has this type. Keep ${them} in the program, or declare ${them} with a provider and import ${them} there.`,
    );
  }
  for (const note of notes) say(`note: ${note}`);
  say(
    `Once Terraform manages the resources, remove them from the program and from the state: engine state forget ${forgotten([...addresses.keys()], { root, hasOthers: others.length > 0 })}`,
  );
}

/** Most names in a command. */
const NAMED = 20;

/** Returns the names for `engine state forget`. A pattern for all would also forget the resources that stay. */
function forgotten(fqns: readonly string[], { root, hasOthers }: { root: App["root"]; hasOthers: boolean }): string {
  if (!hasOthers) return '"**"';
  if (fqns.length > NAMED) return "NAME…, with the names that engine export --json lists as resources";
  const above = `${root.chain.join("/")}/`;
  return fqns.map((fqn) => shellWord(fqn.slice(above.length))).join(" ");
}
