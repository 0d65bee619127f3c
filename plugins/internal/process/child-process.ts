/**
 * Prepares a program call for Node. On Windows, npm installs most programs as batch files (npm.cmd): only cmd.exe runs
 * them, and Node neither finds nor starts them directly.
 */
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { EngineError, type PlatformName } from "../../../core/base/index.js";

export interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted: Node adds no quotes. */
  readonly windowsVerbatimArguments?: true;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The system on which the program is searched. */
export interface ProgramSystem {
  readonly platform: PlatformName;
  isThere(path: string): boolean;
}

const thisSystem: ProgramSystem = { platform: process.platform, isThere: existsSync };

/** Extensions of programs in search order, if Windows sets no PATHEXT. */
const ENDINGS = ".COM;.EXE;.BAT;.CMD";

const BATCH = /\.(bat|cmd)$/i;

/**
 * Returns the file and arguments that start a program.
 *
 * @throws EngineError `COMMAND_FAILED` for an argument that cannot be passed to a batch file
 */
export function startable(
  [file, ...args]: readonly [program: string, ...args: string[]],
  surroundings: Surroundings,
  system = thisSystem,
): Startable {
  const batch = system.platform === "win32" ? batchOf(file, surroundings, system) : undefined;
  if (batch === undefined) return { file, args };
  const line = [batch, ...args].map(quoted).join(" ");
  const shell = variable(surroundings.env, "ComSpec") ?? "cmd.exe";
  return { file: shell, args: ["/e:ON", "/v:OFF", "/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** Returns undefined if the name does not lead to a batch file. */
function batchOf(file: string, { cwd, env }: Surroundings, { isThere }: ProgramSystem): string | undefined {
  if (/\.(com|exe)$/i.test(file)) return undefined;
  const folders = (variable(env, "Path") ?? "").split(";").filter(Boolean);
  const endings = (variable(env, "PATHEXT") ?? ENDINGS).split(";").filter((one) => /^\.(com|exe|bat|cmd)$/i.test(one));
  const names = BATCH.test(file) ? [file] : endings.map((ending) => file + ending.toLowerCase());
  const isPath = /[\\/]/.test(file);
  // A plain name is searched in the current folder only if its extension says that it is a batch file.
  const here = isPath || BATCH.test(file) ? ["."] : [];
  const paths = [...here, ...(isPath ? [] : folders)].flatMap((folder) =>
    names.map((name) => win32.resolve(cwd, folder, name)),
  );
  const found = paths.find(isThere);
  return found !== undefined && BATCH.test(found) ? found : undefined;
}

/** Windows ignores case in the names of variables. */
function variable(env: Surroundings["env"], name: string): string | undefined {
  return Object.entries(env).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * Quotes one argument for cmd.exe and for the program that the batch file starts. Within quotes, cmd.exe interprets
 * only `%`: an empty substring of a variable after it prevents another variable.
 */
function quoted(text: string): string {
  if (/[\r\n]/.test(text)) {
    throw new EngineError(
      "COMMAND_FAILED",
      "An argument of a batch file cannot contain a line break. Start the program that the batch file starts instead.",
    );
  }
  const inside = text
    .replaceAll("%", "%%cd:~,%")
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, "$&$&");
  return `"${inside}"`;
}

/** Passwords and keys of stages: programs that the engine starts get them only if they are passed explicitly. */
const KEPT_BACK = new Set([
  "ENGINE_PASSWORD",
  "ENGINE_NEW_PASSWORD",
  "ENGINE_SCOPE_PASSWORD",
  "ENGINE_TO_PASSWORD",
  "ENGINE_KEY",
  "ENGINE_NEW_KEY",
  "ENGINE_SCOPE_KEY",
  "ENGINE_TO_KEY",
]);

/**
 * Returns the environment of a child: the variables of this process except the passwords and keys of stages, and all
 * variables in `env`.
 *
 * @param isKeptBack true for the name, in capitals, of another variable of this process that the child does not get
 */
export function childEnvironment(
  env: Readonly<Record<string, string>> = {},
  isKeptBack: (name: string) => boolean = () => false,
): Record<string, string | undefined> {
  // Windows ignores case in names.
  const ours = Object.entries(process.env).filter(([given]) => {
    const name = given.toUpperCase();
    return !KEPT_BACK.has(name) && !isKeptBack(name);
  });
  return { ...Object.fromEntries(ours), ...env };
}
