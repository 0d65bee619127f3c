/** What an import in a program's file means, as TypeScript and bundlers read it. */
import { existsSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isFile } from "../entry.js";
import { loadBuilt } from "./compiled.js";
import { isPath } from "./known.js";
import type { Projects } from "./settings.js";

export interface Found {
  /** Absolute, and without links. */
  readonly path: string;
  /** Whether a file was named, in whatever way, or a package. */
  readonly by: "path" | "package";
}

type Find = (folder: string, request: string) => string | undefined;

/** In the order in which they are tried. */
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];

/** What the name of a file that is to be may stand for: what is there by its own name comes first. */
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

  /** @returns undefined where there is nothing, and for what only Node has */
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

  /** True if an import finds code, which may define kinds: not types alone, nor data. */
  isCode(specifier: string, importer: string): boolean {
    if (isBuiltin(specifier)) return false;
    const path = this.resolve(specifier, importer)?.path ?? this.#find(dirname(importer), specifier);
    return path !== undefined && /\.[cm]?[jt]sx?$/.test(path);
  }

  /** Files that the `paths` of a tsconfig say, where there is none of them, and no package of the name either. */
  lost(specifier: string, importer: string): readonly string[] {
    if (isPath(specifier) || isBuiltin(specifier) || isUrl(specifier)) return [];
    const meant = this.#projects.of(importer).paths(specifier);
    const isThere =
      meant.length > 0 && (isInstalled(specifier, dirname(importer)) || this.resolve(specifier, importer));
    return isThere ? [] : meant;
  }

  /** Most are files that are named as they are; only others need all the rules. */
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

/** Files that a path may mean, the first one first. */
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

/** Whether it is a package that was installed, and no part of the same workspace. */
function isInstalled(specifier: string, from: string): boolean {
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(place)) return /[\\/]node_modules[\\/]/.test(realpathSync(place));
    if (dirname(folder) === folder) return false;
  }
}
