/** Folders of the engine's own: for their owner alone, and the one in a project is kept out of version control. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { hasCode } from "../errors.js";

/** In the root folder of a program: its state, logs and records of processes. */
export const OWN_FOLDER = ".engine";

/**
 * Makes a folder, and those above it, where there is none; what is there stays as it is. An `.engine` that this makes gets a
 * `.gitignore`, so that nothing in it is committed.
 *
 * @returns those that it made, topmost first
 * @throws what the file system says
 */
export function makeOwnFolder(folder: string): readonly string[] {
  const made = makeMissing(folder);
  const own = made.find((path) => basename(path) === OWN_FOLDER);
  if (own !== undefined) ignoreInGit(own);
  return made;
}

/** Not `mkdir` with `recursive`: on a read-only disk Node 20 says ENOENT then. */
function makeMissing(folder: string): string[] {
  try {
    return make(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(folder) === folder) throw error;
    const above = makeMissing(dirname(folder));
    // Once: below a link that leads nowhere nothing can be made, however often it is tried.
    return [...above, ...make(folder)];
  }
}

function make(folder: string): string[] {
  try {
    mkdirSync(folder, 0o700);
    return [folder];
  } catch (error) {
    if (hasCode(error, "EEXIST")) return [];
    throw error;
  }
}

function ignoreInGit(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

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

interface OwnPackage {
  readonly version: string;
  readonly root: URL;
  /** Where its code is, as stacks have it: with or without `file://`. */
  readonly folders: readonly string[];
}

/** Of sources, and of what is built of them. */
const CODE = ["core/", "plugins/", "adapters/", "dist/"];

let known: OwnPackage | undefined;

/** The package that this code is part of, whether it runs from its sources or as it was built. */
export function ownVersion(): string {
  known ??= find();
  return known.version;
}

/** A file of the package, by its path below the package's root. */
export function ownFile(path: string): URL {
  known ??= find();
  return new URL(path, known.root);
}

/** True for a line of a stack that is this package's own. */
export function isOwnCode(frame: string): boolean {
  known ??= find();
  return known.folders.some((folder) => frame.includes(folder));
}

function find(): OwnPackage {
  // A bundler that makes CommonJS leaves nothing of it: `{}`.
  const here: string | undefined = import.meta.url;
  if (here === undefined) return { version: "0.0.0", root: new URL("file:///"), folders: [] };
  for (const up of ["../", "../../", "../../../"]) {
    const place = new URL(up, here);
    try {
      const { name, version } = JSON.parse(readFileSync(new URL("package.json", place), "utf8"));
      const folders = CODE.map((folder) => new URL(folder, place).pathname);
      if (name === "scope-engine") return { version: String(version), root: place, folders };
    } catch {
      // Sources and what is built of them stand at different depths below the package's root.
    }
  }
  return { version: "0.0.0", root: new URL("./", here), folders: [] };
}
