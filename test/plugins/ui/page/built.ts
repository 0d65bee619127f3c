/** Builds the page from the present sources. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../../../build-page.mjs";
import { root } from "../../../house/project.js";

export async function builtPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-page-"));
  try {
    await buildPage(root, folder);
    return await readFile(join(folder, "plugins/ui/page/index.html"), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}
