/** Tokens for registries, from the variables and files of OpenTofu and Terraform. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, isAbsence, jsonFaultPlace, messageOf } from "../../../../core/base/index.js";
import { missing } from "../failure.js";

export interface HostToken {
  readonly token: string;
  /** Variable or file of the token, for messages. */
  readonly from: string;
}

export interface Credentials {
  /**
   * Returns a token; undefined if there is none. @throws EngineError `PROVIDER_MISSING` if a settings file cannot be
   * read
   */
  tokenFor(host: string): Promise<HostToken | undefined>;
}

const PREFIX = "TF_TOKEN_";

/** Variables take precedence over files. Files are read for the first host without a variable. */
export function credentialsOf(env: Environment, platform: NodeJS.Platform = process.platform): Credentials {
  const variables = inVariables(env);
  let files: Promise<ReadonlyMap<string, HostToken>> | undefined;
  return {
    async tokenFor(host) {
      const known = variables.get(host);
      if (known) return known;
      files ??= inFiles(env, platform);
      return (await files).get(host);
    },
  };
}

/** Returns the variable for the token of a host. Shells do not allow dots and hyphens in names. */
export function variableOf(host: string): string {
  return `${PREFIX}${host.replaceAll("-", "__").replaceAll(".", "_")}`;
}

function inVariables(env: Environment): ReadonlyMap<string, HostToken> {
  const found = new Map<string, HostToken>();
  for (const [name, token] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || !token) continue;
    const host = name.slice(PREFIX.length).replaceAll("__", "-").replaceAll("_", ".");
    found.set(host.toLowerCase(), { token, from: name });
  }
  return found;
}

async function inFiles(env: Environment, platform: NodeJS.Platform): Promise<ReadonlyMap<string, HostToken>> {
  const found = new Map<string, HostToken>();
  for (const { path, text } of await settingsFiles(env, platform)) {
    for (const [host, token] of tokensIn(text, path)) found.set(host.toLowerCase(), { token, from: path });
  }
  return found;
}

/** A file with user settings of OpenTofu or Terraform. Later files take precedence. */
interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

/** @throws EngineError `PROVIDER_MISSING` if a file exists but cannot be read */
async function settingsFiles(env: Environment, platform: NodeJS.Platform): Promise<readonly SettingsFile[]> {
  // A file named by a variable is the only one.
  const named = env.TF_CLI_CONFIG_FILE || env.TERRAFORM_CONFIG;
  if (named) return await firstOf([named]);
  const { files, folders } = usualPlaces(env, platform);
  return [...(await firstOf(files)), ...(await inFirst(folders))];
}

interface Places {
  /** Only the first existing file is used. */
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
    throw missing(
      `The settings file ${path}, which may hold tokens of registries, cannot be read: ${messageOf(error)}.`,
      error,
    );
  }
}

// Reads tokens from a settings file, by host. Other settings are ignored. Pure.

/** @param path for messages @throws EngineError `PROVIDER_MISSING` for invalid JSON */
function tokensIn(text: string, path: string): ReadonlyMap<string, string> {
  return text.trimStart().startsWith("{") ? inJson(text, path) : inHcl(text);
}

/** `{"credentials": {"HOST": {"token": "…"}}}`, which `tofu login` writes. */
function inJson(text: string, path: string): ReadonlyMap<string, string> {
  const hosts: readonly (readonly [string, unknown])[] = Object.entries(Object(Object(parsed(text, path)).credentials));
  const tokens = hosts.map(([host, said]) => [host, Object(said).token] as const);
  return new Map(tokens.filter((one): one is readonly [string, string] => typeof one[1] === "string"));
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Thrown below without the cause, which would quote a part of the text.
  }
  throw missing(
    `The settings file ${path}, which may hold tokens of registries, is not valid JSON: see ${jsonFaultPlace(text)}.`,
  );
}

/** Comments, strings, multi-line strings, words, and single signs. */
const TOKEN =
  /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|<<-?(\w+)\n[\s\S]*?\n[ \t]*\1(?=\n|$)|[\w.:-]+|[^\s\w]/g;

const COMMENT = /^(?:#|\/[/*])/;

/** `credentials "HOST" { token = "…" }` */
function inHcl(text: string): ReadonlyMap<string, string> {
  const words = (text.match(TOKEN) ?? []).filter((word) => !COMMENT.test(word) && word !== "=");
  const found = new Map<string, string>();
  let depth = 0;
  let host: string | undefined;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (word === "{") depth++;
    else if (word === "}") {
      depth--;
      if (depth === 0) host = undefined;
    } else if (depth === 0 && word === "credentials" && next !== undefined && words[at + 2] === "{")
      host = textOf(next);
    else if (depth === 1 && host !== undefined && textOf(word) === "token" && next?.startsWith('"'))
      found.set(host, textOf(next));
  }
  return found;
}

function textOf(word: string): string {
  if (!word.startsWith('"')) return word;
  return word.slice(1, -1).replace(/\\(["\\])/g, "$1");
}
