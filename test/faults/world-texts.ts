/** The texts of a world, by their paths. All of it is synchronous: a kill leaves each one whole. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface WorldTexts {
  /** Names below `things/`. */
  things(): string[];
  /** Undefined if it does not exist. */
  read(path: string): string | undefined;
  append(path: string, text: string): void;
  put(path: string, text: string): void;
  remove(path: string): void;
}

export function filesIn(folder: string): WorldTexts {
  const things = join(folder, "things");
  mkdirSync(things, { recursive: true });
  return {
    things: () => readdirSync(things),
    read(path) {
      try {
        return readFileSync(join(folder, path), "utf8");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    append: (path, text) => appendFileSync(join(folder, path), text),
    put(path, text) {
      writeFileSync(join(folder, `${path}.new`), text);
      renameSync(join(folder, `${path}.new`), join(folder, path));
    },
    remove: (path) => rmSync(join(folder, path), { force: true }),
  };
}
