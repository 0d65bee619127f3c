/** The files in which OpenTofu and Terraform have the settings of a user; the later ones hold. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, isAbsence, messageOf } from "../../../../core/base/index.js";
import { missing } from "../failure.js";

export interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

/** @throws EngineError `PROVIDER_MISSING` where one is there and cannot be read */
export async function settingsFiles(env: Environment, platform: NodeJS.Platform): Promise<readonly SettingsFile[]> {
  // Whoever names a file means that one alone.
  const named = env.TF_CLI_CONFIG_FILE || env.TERRAFORM_CONFIG;
  if (named) return await firstOf([named]);
  const { files, folders } = usualPlaces(env, platform);
  return [...(await firstOf(files)), ...(await inFirst(folders))];
}

interface Places {
  /** Of these the first that is there. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

function usualPlaces({ HOME, APPDATA, XDG_CONFIG_HOME }: Environment, platform: NodeJS.Platform): Places {
  const home = platform === "win32" ? APPDATA : HOME;
  const [folder, names] =
    platform === "win32"
      ? (["terraform.d", ["tofu.rc", "terraform.rc"]] as const)
      : ([".terraform.d", [".tofurc", ".terraformrc"]] as const);
  const xdg = platform !== "win32" && XDG_CONFIG_HOME ? [join(XDG_CONFIG_HOME, "opentofu")] : [];
  return {
    files: [...(home ? names.map((name) => join(home, name)) : []), ...xdg.map((one) => join(one, "tofurc"))],
    folders: [...(home ? [join(home, folder)] : []), ...xdg],
  };
}

async function firstOf(paths: readonly string[]): Promise<readonly SettingsFile[]> {
  for (const path of paths) {
    const text = await unlessAbsent(readFile(path, "utf8"), path);
    if (text !== undefined) return [{ path, text }];
  }
  return [];
}

async function inFirst(folders: readonly string[]): Promise<readonly SettingsFile[]> {
  for (const folder of folders) {
    const names = await unlessAbsent(readdir(folder), folder);
    if (names === undefined) continue;
    const wanted = names.filter((name) => /\.tfrc(?:\.json)?$/.test(name)).sort();
    const found: SettingsFile[] = [];
    for (const name of wanted) found.push(...(await firstOf([join(folder, name)])));
    return found;
  }
  return [];
}

async function unlessAbsent<T>(reading: Promise<T>, path: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw missing(`${path}, which may have tokens of registries, cannot be read: ${messageOf(error)}.`, error);
  }
}
