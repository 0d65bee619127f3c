/** The pages of the documentation, and their blocks. */
import { filesBelow, read } from "../house/project.ts";
import { type Block, blocksIn, PEER_MARKS } from "./blocks.ts";

const isPage = (path: string): boolean => path.endsWith(".md");

/** Paths from the root. */
export const pages: readonly string[] = [
  ...filesBelow("", (path) => isPage(path) && !path.includes("/")),
  ...["docs/pages", "docs/guide", "docs/decisions", "docs/internals"].flatMap((folder) => filesBelow(folder, isPage)),
];

const all = pages.flatMap((page) => blocksIn(page, read(page)));
const isPeers = ({ marks }: Block): boolean => PEER_MARKS.some((mark) => marks.has(mark));

export const blocks: readonly Block[] = all.filter((block) => !isPeers(block));

/** Blocks about another tool: they are run with that tool, in the matrix. */
export const peerBlocks: readonly Block[] = all.filter(isPeers);
