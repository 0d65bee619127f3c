/** Resolves imports in the files of a program as TypeScript and bundlers do. */
import { existsSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isFile } from "../entry.js";
import { loadBuilt } from "./compiled.js";
import { isPath } from "./known.js";
import type { Projects } from "./settings.js";

export interface Found {
  /** Absolute path without symbolic links. */
  readonly path: string;
  /** `path` if the import names a file, also by `paths` of a tsconfig or by `#`. */
  readonly by: "path" | "package";
}

type Find = (folder: string, request: string) => string | undefined;

/** Extensions in the order in which they are tried. */
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];

/** Extensions of sources for the extension of a compiled file. A file with exactly this name comes first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".js", ".ts", ".tsx"],
  ".jsx": [".jsx", ".tsx"],
  ".mjs": [".mjs", ".mts"],
  ".cjs": [".cjs", ".cts"],
};

export class Resolver {
  readonly #projects: Projects;
  #whole: Find | undefined;

  constructor(projects: Projects) {
    this.#projects = projects;
  }

  /** @returns undefined if nothing is found, and for modules that only Node finds */
  resolve(specifier: string, importer: string): Found | undefined {
    const folder = dirname(importer);
    if (specifier.startsWith("file:")) return foundBy("path", this.#path(folder, fileURLToPath(specifier)));
    if (isBuiltin(specifier) || isUrl(specifier)) return undefined;
    if (isPath(specifier)) return foundBy("path", this.#path(folder, specifier));
    for (const path of this.#projects.of(importer).paths(specifier)) {
      const found = this.#path(folder, path);
      if (found !== undefined) return { path: found, by: "path" };
    }
    if (specifier.startsWith("#")) return foundBy("path", this.#find(folder, specifier));
    return isInstalled(specifier, folder) ? undefined : foundBy("package", this.#find(folder, specifier));
  }

  /** True if an import leads to code, which may define kinds; false for data and for declaration files. */
  isCode(specifier: string, importer: string): boolean {
    if (isBuiltin(specifier)) return false;
    const path = this.resolve(specifier, importer)?.path ?? this.#find(dirname(importer), specifier);
    return path !== undefined && /\.[cm]?[jt]sx?$/.test(path);
  }

  /** Returns the files that `paths` of a tsconfig names, if none of them exists and there is no such package either. */
  lost(specifier: string, importer: string): readonly string[] {
    if (isPath(specifier) || isBuiltin(specifier) || isUrl(specifier)) return [];
    const meant = this.#projects.of(importer).paths(specifier);
    const isThere =
      meant.length > 0 && (isInstalled(specifier, dirname(importer)) || this.resolve(specifier, importer));
    return isThere ? [] : meant;
  }

  /** Finds a file by its name; the full rules are needed only if there is none. */
  #path(folder: string, path: string): string | undefined {
    return namesFor(resolve(folder, path)).find(isFile) ?? this.#find(folder, path);
  }

  #find(folder: string, request: string): string | undefined {
    this.#whole ??= loadBuilt<typeof import("./find-module.js")>("find-module").finder(EXTENSIONS, ALIASES);
    return this.#whole(folder, request);
  }
}

function foundBy(by: Found["by"], path: string | undefined): Found | undefined {
  return path === undefined ? undefined : { path: realpathSync(path), by };
}

/** Returns the files that a path may mean, in order of preference. */
export function namesFor(path: string): readonly string[] {
  const extension = extname(path);
  const aliases = ALIASES[extension] ?? [extension];
  const bare = path.slice(0, path.length - extension.length);
  const known = EXTENSIONS.includes(extension) ? [] : EXTENSIONS.map((one) => `${path}${one}`);
  return [...aliases.map((one) => `${bare}${one}`), ...known];
}

function isUrl(specifier: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(specifier);
}

/** True for an installed package that is not part of the same workspace. */
function isInstalled(specifier: string, from: string): boolean {
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(place)) return /[\\/]node_modules[\\/]/.test(realpathSync(place));
    if (dirname(folder) === folder) return false;
  }
}
