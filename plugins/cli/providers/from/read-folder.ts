/** Finds the providers and types that a folder with HCL or CDKTF's JSON uses, for `engine add --from`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError, jsonFaultPlace, messageOf } from "../../../../core/base/index.js";
import { allUses, type Uses, usesInHcl, usesInJson } from "./uses.js";

/** One provider to add, with its types. */
export interface WantedProvider {
  /** As on the command line, e.g. `hashicorp/aws@~> 5.2`. */
  readonly source: string;
  readonly names: readonly string[];
}

export interface FolderUses {
  readonly wanted: readonly WantedProvider[];
  /** Lines for people about parts that were left out. */
  readonly notes: readonly string[];
}

/** The provider that is built into the tools. */
const BUILT_IN = "terraform";
const FOR_TERRAFORM_ONLY = "registry.terraform.io/";

/** @throws EngineError `INVALID_ARGUMENT` if the folder has no such files, or one that cannot be read */
export function readFolder(folder: string): FolderUses {
  const files = filesIn(folder);
  if (files.length === 0) {
    const message = `"${folder}" has no .tf or .tofu files, and no JSON that "cdktf synth" wrote. Name the folder of the configuration.`;
    throw new EngineError("INVALID_ARGUMENT", message);
  }
  return wantedBy(allUses(files.map(usesIn)));
}

/** CDKTF writes a folder for each stack. */
function filesIn(folder: string): readonly string[] {
  const named = (at: string, ends: RegExp): readonly string[] => namesIn(at).filter((name) => ends.test(name));
  const own = named(folder, /\.(?:tf|tofu)(?:\.json)?$/).map((name) => join(folder, name));
  const stacks = [join(folder, "stacks"), join(folder, "cdktf.out", "stacks")];
  const synthesized = stacks.flatMap((at) => namesIn(at).map((stack) => join(at, stack, "cdk.tf.json")));
  return [...own, ...synthesized.filter((path) => existsSync(path))];
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function usesIn(path: string): Uses {
  const text = textOf(path);
  try {
    return path.endsWith(".json") ? usesInJson(text) : usesInHcl(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Without a cause: its message quotes the file.
  throw new EngineError("INVALID_ARGUMENT", `"${path}" is not JSON: the fault is at ${jsonFaultPlace(text)}.`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `"${path}" could not be read: ${messageOf(cause)}`, { cause });
}

/** Pure. */
export function wantedBy({ required, types, configured, modules }: Uses): FolderUses {
  const used = new Set([...required.keys(), ...configured, ...types.map(({ provider }) => provider)]);
  used.delete(BUILT_IN);
  const wanted = [...used].sort().map((provider): WantedProvider => {
    const { source = provider, version } = required.get(provider) ?? {};
    const names = types.flatMap((one) => (one.provider === provider ? one.name : []));
    const address = source.replace(FOR_TERRAFORM_ONLY, "");
    const full = address.includes("/") ? address : `hashicorp/${address}`;
    return { source: version ? `${full}@${version}` : full, names: [...new Set(names)].sort() };
  });
  const builtIn = types.filter(({ provider }) => provider === BUILT_IN).map(({ name }) => name);
  const told = [...new Set(builtIn)].map(
    (name) => `left out ${name}: it is built into Terraform and needs no provider.`,
  );
  const left = [...new Set(modules)].map(
    (name) =>
      `left out module "${name}": run the command for its folder, too, and write the module as a function or a resource type.`,
  );
  return { wanted, notes: [...told, ...left] };
}
