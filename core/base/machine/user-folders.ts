/** Where the user's own files are that no project has: apart for settings, for what a machine remembers, and for what can be had again. */
import { isAbsolute, join } from "node:path";

/** As variables are given to a process, or to a run that reads no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "scope-engine";

/** For settings. Undefined where nothing says where the user's own files are: then nothing about the user can be kept. */
export function configFolder(env: Environment): string | undefined {
  return folderFor(env, { xdg: env.XDG_CONFIG_HOME, windows: env.APPDATA, inHome: [".config"] });
}

/** For what can be had again at any time. Undefined as of {@link configFolder}. */
export function cacheFolder(env: Environment): string | undefined {
  return folderFor(env, { xdg: env.XDG_CACHE_HOME, windows: env.LOCALAPPDATA, inHome: [".cache"] });
}

/** For what is of this machine alone. Undefined as of {@link configFolder}. */
export function machineFolder(env: Environment): string | undefined {
  return folderFor(env, { xdg: env.XDG_STATE_HOME, windows: env.LOCALAPPDATA, inHome: [".local", "state"] });
}

interface Candidates {
  readonly xdg: string | undefined;
  readonly windows: string | undefined;
  readonly inHome: readonly string[];
}

function folderFor({ HOME: home, USERPROFILE: profile }: Environment, candidates: Candidates): string | undefined {
  const { xdg, windows, inHome } = candidates;
  if (xdg && isAbsolute(xdg)) return join(xdg, NAME);
  if (process.platform === "win32" && windows) return join(windows, NAME);
  const own = home || (process.platform === "win32" ? profile : undefined);
  return own ? join(own, ...inHome, NAME) : undefined;
}
