import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { root, sourceFiles } from "../house/project.ts";
import { describePacked } from "./given-packed.ts";

const names = packageEntries(manifest(), sourceFiles()).map(({ specifier }) => specifier);

describePacked("an import", ({ packages }) => {
  let folder = "";
  /** Node itself ends the process: no imported module keeps it alive. */
  const imported = (name: string) =>
    promisify(execFile)(process.execPath, ["silence.mjs", name], { cwd: folder, timeout: 60_000 });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scope-engine-silence-"));
    await symlink(packages, join(folder, "node_modules"), "dir");
    await copyFile(join(root, "test/package/silence.mjs"), join(folder, "silence.mjs"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(names)("of %s changes no global, adds no listener, opens no handle and prints nothing", async (name) => {
    expect(await imported(name)).toEqual({ stdout: "", stderr: "" });
  });

  test.each([
    ["globals", "globalThis.mine = 1;"],
    ["builtIns", "Array.prototype.mine = () => 1;"],
    ["builtInFunctions", "Array.prototype.map = () => 1;"],
    ["stackTraces", "Error.stackTraceLimit = 50;"],
    ["environment", "process.env.MINE = '1';"],
    ["listeners", "process.on('exit', () => {});"],
    ["handles", "setTimeout(() => {}, 10);"],
  ])("that changes %s is found out", async (part, code) => {
    const file = join(folder, `${part}.mjs`);
    await writeFile(file, code);
    expect((await imported(file)).stdout).toMatch(new RegExp(`^${part}$`, "m"));
  });
});
