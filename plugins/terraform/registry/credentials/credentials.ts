/** Tokens for registries that want to know who asks, from where OpenTofu and Terraform have them. */
import type { Environment } from "../../../../core/base/index.js";
import { settingsFiles } from "./settings-files.js";
import { tokensIn } from "./tokens-in.js";

export interface HostToken {
  readonly token: string;
  /** For people: the variable or the file that it is from. */
  readonly from: string;
}

export interface Credentials {
  /** Undefined where there is none. @throws EngineError `PROVIDER_MISSING` where a file of settings cannot be read */
  tokenFor(host: string): Promise<HostToken | undefined>;
}

const PREFIX = "TF_TOKEN_";

/** Variables go before files. Files are read when the first host is asked for that no variable is for. */
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

/** The variable that takes the token of a host: shells have no names with dots and hyphens in them. */
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
