/**
 * What is handed to Node so that a program starts. On Windows most that npm installs are batch files (npm.cmd), which only cmd.exe
 * runs, and Node neither finds them nor starts them by themselves.
 */
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { EngineError, type PlatformName } from "../../../core/base/index.js";

export interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are as the program is to get them: Node adds no quotes. */
  readonly windowsVerbatimArguments?: true;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A system on which programs are looked for. */
export interface ProgramSystem {
  readonly platform: PlatformName;
  isThere(path: string): boolean;
}

const thisSystem: ProgramSystem = { platform: process.platform, isThere: existsSync };

/** Kinds of programs, in the order in which they are looked for, where Windows says nothing of it. */
const ENDINGS = ".COM;.EXE;.BAT;.CMD";

const BATCH = /\.(bat|cmd)$/i;

/** @throws EngineError `COMMAND_FAILED` for an argument that no batch file can be given */
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

/** Undefined where the name stands for something else, or for nothing. */
function batchOf(file: string, { cwd, env }: Surroundings, { isThere }: ProgramSystem): string | undefined {
  if (/\.(com|exe)$/i.test(file)) return undefined;
  const folders = (variable(env, "Path") ?? "").split(";").filter(Boolean);
  const endings = (variable(env, "PATHEXT") ?? ENDINGS).split(";").filter((one) => /^\.(com|exe|bat|cmd)$/i.test(one));
  const names = BATCH.test(file) ? [file] : endings.map((ending) => file + ending.toLowerCase());
  const isPath = /[\\/]/.test(file);
  // What is only named is taken from the current folder where its ending says what it is.
  const here = isPath || BATCH.test(file) ? ["."] : [];
  const paths = [...here, ...(isPath ? [] : folders)].flatMap((folder) =>
    names.map((name) => win32.resolve(cwd, folder, name)),
  );
  const found = paths.find(isThere);
  return found !== undefined && BATCH.test(found) ? found : undefined;
}

/** Windows takes names of variables for the same that differ in capital letters. */
function variable(env: Surroundings["env"], name: string): string | undefined {
  return Object.entries(env).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * One argument, for cmd.exe and for the program that the batch file starts. Within quotes only `%` means something to cmd.exe: it is
 * followed by a variable of which nothing is taken, so that it begins no other.
 */
function quoted(text: string): string {
  if (/[\r\n]/.test(text)) {
    throw new EngineError(
      "COMMAND_FAILED",
      "An argument of a batch file cannot hold a line break. Start the program that the batch file starts.",
    );
  }
  const inside = text
    .replaceAll("%", "%%cd:~,%")
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, "$&$&");
  return `"${inside}"`;
}

/** What opens the secrets of stages: no program that the engine starts gets it unasked. */
const KEPT_BACK = new Set([
  "ENGINE_PASSWORD",
  "ENGINE_NEW_PASSWORD",
  "ENGINE_SCOPE_PASSWORD",
  "ENGINE_KEY",
  "ENGINE_NEW_KEY",
  "ENGINE_SCOPE_KEY",
]);

/**
 * Everything that a child gets: the variables of this process, but for the passwords and keys of stages, and those that are given,
 * whatever they are.
 *
 * @param isKeptBack true for the name, in capitals, of a variable of this process that this child does not get either
 */
export function childEnvironment(
  env: Readonly<Record<string, string>> = {},
  isKeptBack: (name: string) => boolean = () => false,
): Record<string, string | undefined> {
  // Windows takes names for the same that differ in their case.
  const ours = Object.entries(process.env).filter(([given]) => {
    const name = given.toUpperCase();
    return !KEPT_BACK.has(name) && !isKeptBack(name);
  });
  return { ...Object.fromEntries(ours), ...env };
}
