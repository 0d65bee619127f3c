/**
 * The engine's own folders. Only their owner can read them, and the one in a project is kept out of version control.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { hasCode } from "../errors.js";

/** Folder in the root folder of a program, for its state, logs and process records. */
export const OWN_FOLDER = ".engine";

/**
 * Creates a folder and its parents if they are missing; existing ones stay as they are. An `.engine` folder that it
 * creates gets a `.gitignore`, so that nothing in it is committed.
 *
 * @returns the created folders, topmost first
 * @throws the error of the file system
 */
export function makeOwnFolder(folder: string): readonly string[] {
  const made = makeMissing(folder);
  const own = made.find((path) => basename(path) === OWN_FOLDER);
  if (own !== undefined) ignoreInGit(own);
  return made;
}

/** Does not use `mkdir` with `recursive`: on a read-only disk, Node 20 then reports ENOENT. */
function makeMissing(folder: string): string[] {
  try {
    return make(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(folder) === folder) throw error;
    const above = makeMissing(dirname(folder));
    // Tried once: below a broken link, creating a folder always fails.
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

/** Environment variables of a process, or of a run that reads no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "scope-engine";

/**
 * Returns the folder for settings. Undefined if no variable names the user's folders: then nothing can be kept for the
 * user.
 */
export function configFolder(env: Environment): string | undefined {
  return folderFor(env, { xdg: env.XDG_CONFIG_HOME, windows: env.APPDATA, inHome: [".config"] });
}

/** Returns the folder for data that can be fetched again at any time. Undefined as in {@link configFolder}. */
export function cacheFolder(env: Environment): string | undefined {
  return folderFor(env, { xdg: env.XDG_CACHE_HOME, windows: env.LOCALAPPDATA, inHome: [".cache"] });
}

/** Returns the folder for data that belongs to this machine. Undefined as in {@link configFolder}. */
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
  return own && isAbsolute(own) ? join(own, ...inHome, NAME) : undefined;
}

interface OwnPackage {
  readonly version: string;
  readonly root: URL;
  /** Folders of its code, as stack traces show them: with or without `file://`. */
  readonly folders: readonly string[];
}

/** Folders of sources and of built code. */
const CODE = ["core/", "plugins/", "adapters/", "dist/"];

let known: OwnPackage | undefined;

/** Returns the version of the package that contains this code, whether it runs from sources or was built. */
export function ownVersion(): string {
  known ??= find();
  return known.version;
}

/** Returns the URL of a file of the package. @param path below the package's root */
export function ownFile(path: string): URL {
  known ??= find();
  return new URL(path, known.root);
}

/** Returns true for a stack frame of this package. */
export function isOwnCode(frame: string): boolean {
  known ??= find();
  return known.folders.some((folder) => frame.includes(folder));
}

function find(): OwnPackage {
  // A bundler that produces CommonJS leaves `import.meta` as `{}`.
  const here: string | undefined = import.meta.url;
  if (here === undefined) return { version: "0.0.0", root: new URL("file:///"), folders: [] };
  for (const up of ["../", "../../", "../../../"]) {
    const place = new URL(up, here);
    try {
      const { name, version } = JSON.parse(readFileSync(new URL("package.json", place), "utf8"));
      const folders = CODE.map((folder) => new URL(folder, place).pathname);
      if (name === "scope-engine") return { version: String(version), root: place, folders };
    } catch {
      // Sources and built code are at different depths below the package's root.
    }
  }
  return { version: "0.0.0", root: new URL("./", here), folders: [] };
}
