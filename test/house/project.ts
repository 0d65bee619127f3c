/** The project as the house tests see it: its files and their texts. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type {} from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** A figure of interest; test/run.mjs prints it. */
    note?: string;
  }
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folders whose files are built and published. */
const sourceFolders = ["core", "plugins", "adapters"] as const;

/** Text of a file of the project. */
export function read(path: string): string {
  return readFileSync(`${root}${path}`, "utf8");
}

/** Paths from the root, `/`-separated and sorted, of all files below a folder that pass the filter. */
export function filesBelow(folder: string, likes: (path: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of entriesOf(path)) {
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!isGenerated(child)) visit(child);
      } else if (entry.isFile() && likes(child)) found.push(child);
    }
  };
  visit(folder);
  return found.sort();
}

export function sourceFiles(): string[] {
  return sourceFolders.flatMap((folder) => filesBelow(folder, (path) => /\.tsx?$/.test(path)));
}

function entriesOf(path: string) {
  try {
    return readdirSync(`${root}${path}`, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The folders that .gitignore names, and git's own. */
function isGenerated(path: string): boolean {
  return path === "docs/site" || /(^|\/)(\.git|node_modules|dist|coverage|\.engine)$/.test(path);
}
