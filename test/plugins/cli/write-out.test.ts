import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeOut } from "../../../plugins/cli/output.js";

test("what --out writes is for its owner alone, also where a file for all was there; a pipe stays as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "out-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modeOf = async (name: string): Promise<number> => (await stat(join(folder, name))).mode & 0o777;
  await writeFile(join(folder, "there"), "before, and longer");
  await chmod(join(folder, "there"), 0o644);
  for (const name of ["new", "there"]) await writeOut(join(folder, name), "graph");
  expect([await modeOf("new"), await modeOf("there")]).toEqual([0o600, 0o600]);
  expect(await readFile(join(folder, "there"), "utf8")).toBe("graph");
  execFileSync("mkfifo", ["-m", "666", join(folder, "pipe")]);
  const [text] = await Promise.all([readFile(join(folder, "pipe"), "utf8"), writeOut(join(folder, "pipe"), "graph")]);
  expect([text, await modeOf("pipe")]).toEqual(["graph", 0o666]);
});

test("a link in the project that leads out of it is not followed by --out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "out-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(folder, "outside"), "somebody's");
  await symlink("../outside", join(project, "link"));
  await symlink("inside", join(project, "own"));
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(project);
  onTestFinished(() => cwd.mockRestore());
  await expect(writeOut(join(project, "link"), "graph")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(await readFile(join(folder, "outside"), "utf8")).toBe("somebody's");
  // A path outside of the project is fine if the user names it.
  await writeOut(join(folder, "outside"), "graph");
  expect(await readFile(join(folder, "outside"), "utf8")).toBe("graph");
  await writeFile(join(project, "inside"), "");
  await writeOut(join(project, "own"), "graph");
  expect(await readFile(join(project, "inside"), "utf8")).toBe("graph");
});
