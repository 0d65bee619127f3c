/** The pages that people read, and their blocks. */
import { filesBelow, read } from "../house/project.ts";
import { type Block, blocksIn } from "./blocks.ts";

const isPage = (path: string): boolean => path.endsWith(".md");

/** Paths from the root. */
export const pages: readonly string[] = [
  ...filesBelow("", (path) => isPage(path) && !path.includes("/")),
  ...["docs/pages", "docs/guide", "docs/decisions", "docs/internals"].flatMap((folder) => filesBelow(folder, isPage)),
];

export const blocks: readonly Block[] = pages.flatMap((page) => blocksIn(page, read(page)));
