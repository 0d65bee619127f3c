import { appendFileSync, cpSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FsStoreOptions, fsStoreAt } from "../../../adapters/fs/index.js";
import { fileOf } from "../../../adapters/fs/path.js";
import type { Halves, Places } from "./places.js";

const stateIn = (folder: string): string => join(folder, "state");

export function fsPlaces(name: string, options: FsStoreOptions = {}): Places {
  return {
    name,
    open: (folder) => fsStoreAt(stateIn(folder), options),
    halves: (folder) => halvesIn(stateIn(folder)),
    async copy(from, to) {
      if (existsSync(stateIn(from))) cpSync(stateIn(from), stateIn(to), { recursive: true });
    },
  };
}

export const places = fsPlaces("fs");

function halvesIn(root: string): Halves {
  const pathOf = (key: string): string => join(root, fileOf(key));
  return ({ op, key, keys, value = "" }): ReturnType<Halves> => {
    const path = pathOf(key);
    const half = value.slice(0, value.length / 2);
    switch (op) {
      case "append":
        return {
          torn: () => appendFileSync(path, half),
          "all but the line break": () => appendFileSync(path, value.slice(0, -1)),
        };
      case "create":
        return {
          torn: () => void writeAside(path, half),
          linked: () => linkSync(writeAside(path, value), path),
        };
      case "set":
        return { torn: () => void writeAside(path, half) };
      case "deleteMany":
        return {
          half: () => {
            for (const gone of keys.slice(0, keys.length / 2)) rmSync(pathOf(gone), { force: true });
          },
        };
      default:
        return {};
    }
  };
}

/** A temporary file as the store makes it. */
function writeAside(path: string, text: string): string {
  const temporary = join(dirname(path), `.00000000-0000-0000-0000-${String(process.pid).padStart(12, "0")}.tmp`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(temporary, text);
  return temporary;
}
