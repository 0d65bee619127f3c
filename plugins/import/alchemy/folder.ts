/** Reads the files of an `.alchemy` folder: one JSON file for each resource, and a folder for each scope. */
import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { exactJson } from "../exact-json.js";
import { refused } from "../failure.js";

/** Files of one stage. */
export interface AlchemyStage {
  readonly app: string;
  readonly stage: string;
  readonly root: AlchemyScope;
}

/** A scope, or the resources that the handler of a resource declared. */
export interface AlchemyScope {
  readonly files: readonly AlchemyFile[];
  /** By the name of the folder, in which `:` stands for `/`. */
  readonly scopes: ReadonlyMap<string, AlchemyScope>;
}

export interface AlchemyFile {
  readonly path: string;
  readonly json: unknown;
}

/** Name of the folder at the root of a project. */
const NAME = ".alchemy";

/** Most bytes of one file. Alchemy writes one resource to each. */
const LARGEST = 100_000_000;

/** Most scopes in each other. */
const DEEPEST = 100;

/**
 * @param place `.alchemy`, or the folder of an app or of a stage in it
 * @throws EngineError `IMPORT_REFUSED`, e.g. if the folder holds several stages
 */
export async function alchemyStage(place: string): Promise<AlchemyStage> {
  const folder = await stageFolder(place);
  return {
    app: basename(dirname(folder)),
    stage: basename(folder),
    root: await scopeIn(folder, place, 0),
  };
}

/** True for the path of an `.alchemy` folder or of a part of it. */
export function isAlchemyFolder(place: string): boolean {
  const parts = resolve(place).split(/[/\\]/);
  return parts.slice(-3).includes(NAME);
}

async function stageFolder(place: string): Promise<string> {
  const path = resolve(place);
  const stages =
    basename(path) === NAME
      ? (await Promise.all((await foldersIn(path)).map(foldersIn))).flat()
      : basename(dirname(path)) === NAME
        ? await foldersIn(path)
        : [path];
  const [only] = stages;
  if (stages.length === 1 && only !== undefined) return only;
  if (only === undefined)
    throw refused(place, "holds no stage. Pass the folder of a stage, such as .alchemy/app/prod.");
  const names = stages.slice(0, 10).map((one) => join(place, one.slice(path.length)));
  throw refused(place, `holds ${stages.length} stages. Import one at a time: ${names.join(", ")}.`);
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((one) => one.isDirectory())
    .map(({ name }) => join(path, name))
    .sort();
}

async function scopeIn(path: string, place: string, depth: number): Promise<AlchemyScope> {
  if (depth > DEEPEST) throw refused(place, `has scopes more than ${DEEPEST} levels deep.`);
  const entries = await readdir(path, { withFileTypes: true });
  const files: AlchemyFile[] = [];
  const scopes = new Map<string, AlchemyScope>();
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const own = join(path, entry.name);
    if (entry.isDirectory()) scopes.set(entry.name, await scopeIn(own, place, depth + 1));
    else if (!entry.isFile()) throw refused(place, `holds "${own}", which is neither a file nor a folder.`);
    else if (entry.name.endsWith(".json")) files.push({ path: own, json: exactJson(await textOf(own), own) });
  }
  return { files, scopes };
}

async function textOf(path: string): Promise<string> {
  const { size } = await lstat(path);
  if (size > LARGEST) throw refused(path, `has ${size} bytes. Alchemy writes no file of more than ${LARGEST}.`);
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw refused(path, "is damaged: it is not UTF-8.");
  return bytes.toString();
}
