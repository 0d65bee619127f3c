/** Where the user keeps the settings of programs. */
import { isAbsolute, join } from "node:path";

/** As variables are given to a process, or to a run that reads no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where nothing says where the user's own files are: then nothing about the user can be kept. */
export function configFolder(env: Environment): string | undefined {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows, HOME: home, USERPROFILE: profile } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, "scope-engine");
  if (process.platform === "win32" && windows) return join(windows, "scope-engine");
  const own = home || (process.platform === "win32" ? profile : undefined);
  return own ? join(own, ".config", "scope-engine") : undefined;
}
