import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { EngineError, makeOwnFolder, publishFile } from "../../../core/base/index.js";
import { chooseStore } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import { inOwnRun } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { isMissing, leadsOut } from "../../internal/text/leads-out.js";
import { shellWord } from "../../internal/text/shell-word.js";
import type { Exported } from "../../terraform/export/index.js";
import { firstOf } from "../../terraform/export/names.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { nothingThere, openStage, stageExists } from "../open-stage.js";
import { print, printJson, say } from "../output.js";
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
      writeAll(folder, found.files);
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

/** Matches files that Terraform reads as a part of the configuration. */
const CONFIGURATION = /\.(?:tf|tofu)(?:\.json)?$|^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/;

/**
 * Writes all files or none. A state of Terraform is the only record of its resources, so none is ever overwritten.
 *
 * @throws EngineError `INVALID_ARGUMENT`
 */
function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  refuseOthers(folder, [...files.keys()]);
  const made: string[] = [];
  try {
    for (const path of makeFolder(folder)) made.unshift(path);
    for (const [name, text] of files) {
      const path = join(folder, name);
      if (!publishedAt(path, text)) throw exists([path]);
      made.unshift(path);
    }
  } catch (error) {
    for (const path of made) removeOwn(path);
    throw error;
  }
}

function refuseOthers(folder: string, names: readonly string[]): void {
  const own = [...names, "terraform.tfvars.json"];
  const there = isMissing(folder) ? [] : entriesOf(folder);
  const others = there.filter((name) => own.includes(name) || CONFIGURATION.test(name));
  if (others.length > 0) throw exists(others.map((name) => join(folder, name)));
  const outside = own.map((name) => join(folder, name)).find((path) => leadsOut(process.cwd(), path));
  if (outside !== undefined) {
    const message = `"${outside}" leads out of the folder through a symbolic link, so nothing was written. Name the folder itself with --out.`;
    throw new EngineError("INVALID_ARGUMENT", message);
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unusableFile(folder, "read", error);
  }
}

function exists(paths: readonly string[]): EngineError {
  const names = firstOf(paths.map((path) => `"${path}"`));
  return new EngineError(
    "INVALID_ARGUMENT",
    `Nothing was written, because ${names} ${paths.length === 1 ? "exists" : "exist"}. Terraform would read old and new files together. Delete the earlier export, or name another folder with --out.`,
  );
}

function makeFolder(folder: string): readonly string[] {
  try {
    return makeOwnFolder(folder);
  } catch (error) {
    throw unusableFile(folder, "created", error);
  }
}

function publishedAt(path: string, text: string): boolean {
  try {
    return publishFile(path, text);
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}

/** Removes a file, or a folder that is empty. The error that led here is the one to report. */
function removeOwn(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else unlinkSync(path);
  } catch {
    // It stays, as after a kill.
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
    `${countedAddresses([...addresses.values()])} exported from "${root.chain.join("/")}". Next: cd ${shellWord(folder)} && tofu init && tofu plan`,
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

function countedAddresses(addresses: readonly string[]): string {
  const data = addresses.filter((one) => one.startsWith("data.")).length;
  const resources = counted(addresses.length - data, "resource");
  return data === 0 ? resources : `${resources} and ${counted(data, "data source")}`;
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
