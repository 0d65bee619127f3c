/** Which of the files of a provider is its program. */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { missing, unverified } from "./failure.js";

const NAME = /^terraform-provider-([0-9a-z][0-9a-z-]*)(?:_[^/\\]*)?$/i;

/** The type of provider that a program is of by its name: `random` for `terraform-provider-random_v3.6.0`. */
export function typeOfProgram(path: string): string | undefined {
  return NAME.exec(basename(path).replace(/\.exe$/i, ""))?.[1]?.toLowerCase();
}

/** @throws EngineError `PROVIDER_UNVERIFIED` where there is none */
export async function executableIn(folder: string, type: string): Promise<string> {
  const found = (await readdir(folder)).sort().find((name) => typeOfProgram(name) === type);
  if (found !== undefined) return join(folder, found);
  throw unverified(`There is no program terraform-provider-${type} in ${folder}. Tell whoever publishes the provider.`);
}

/** Of a file, or of a folder with one provider in it. @throws EngineError `PROVIDER_MISSING` */
export async function executableAt(path: string): Promise<string> {
  const there = await stat(path).catch((error: unknown) => {
    throw missing(`There is no provider at ${path}. Build it, or correct the path.`, error);
  });
  if (!there.isDirectory()) return path;
  const names = (await readdir(path)).filter((name) => typeOfProgram(name) !== undefined).sort();
  if (names.length === 1) return join(path, names[0] ?? "");
  const what = names.length === 0 ? "no terraform-provider-… in it" : `several providers in it (${names.join(", ")})`;
  throw missing(`The folder ${path} has ${what}. Name the file.`);
}
