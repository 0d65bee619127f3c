/** The order in which the blocks of the pages are run, and the groups that run together. */
import type { Block } from "./blocks.ts";
import type { ServerName } from "./servers.ts";

/** Blocks that are run one after the other in one folder: one block, or those of a page that refer to each other. */
export interface Job {
  readonly name: string;
  readonly servers: readonly ServerName[];
  /** The blocks that are written, and those that are run. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly block: Block;
  readonly runs: boolean;
}

export function jobsOf(blocks: readonly Block[]): Job[] {
  const wanted = blocks.filter((block) => block.file !== undefined || block.marks.has("runnable"));
  const alone = wanted.filter((block) => !isTogether(block));
  const pages = [...new Set(wanted.filter(isTogether).map(({ page }) => page))];
  const together = pages.map((page) => wanted.filter((block) => block.page === page && isTogether(block)));
  return [
    ...alone.map((block) => jobOf(block.place, [block])),
    ...together.map((all) => jobOf(all[0]?.page ?? "", all)),
  ];
}

/** The pages where readers begin. */
export const FIRST_PAGES: readonly string[] = ["README.md", "docs/pages/home.md"];

/** The first job without a server, of each of these pages. All others are in the matrix. */
export function sampleOf(jobs: readonly Job[]): Job[] {
  const local = jobs.filter(({ servers }) => servers.length === 0);
  const pageOf = ({ steps: [first] }: Job): string | undefined => first?.block.page;
  return FIRST_PAGES.flatMap((page) => local.find((job) => pageOf(job) === page) ?? []);
}

function isTogether({ language, file }: Block): boolean {
  return file !== undefined || language === "sh";
}

function jobOf(name: string, blocks: readonly Block[]): Job {
  const steps = blocks.map((block, index) => ({ block, runs: isRun(block, blocks.slice(index + 1)) }));
  const servers = (["s3", "redis", "postgres"] as const).filter((server) =>
    blocks.some(({ marks }) => marks.has(server)),
  );
  return { name, servers, steps };
}

/** A named block is run by the later one that imports it. */
function isRun({ file, marks }: Block, later: readonly Block[]): boolean {
  if (!marks.has("runnable")) return false;
  if (file === undefined) return true;
  const stem = file.replace(/\.[mc]?[jt]s$/, "");
  return !later.some(({ language, code }) => language === "ts" && code.includes(`"./${stem}.`));
}
