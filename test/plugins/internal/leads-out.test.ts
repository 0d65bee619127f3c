import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leadsOut } from "../../../plugins/internal/text/leads-out.js";

test("a path leads out of a folder by a link of its own or of a folder above it, also by one to nothing", async () => {
  const base = await mkdtemp(join(tmpdir(), "leads-out-"));
  onTestFinished(() => rm(base, { recursive: true }));
  const project = join(base, "project");
  await mkdir(join(project, "own"), { recursive: true });
  await writeFile(join(base, "other"), "");
  await symlink(base, join(project, "folder"));
  await symlink(join(base, "other"), join(project, "file"));
  await symlink(join(base, "nothing"), join(project, "nowhere"));
  await symlink(join(project, "own"), join(project, "inner"));
  const out = (path: string): boolean => leadsOut(project, path);
  expect(["folder/x", "folder/new/x", "file", "nowhere"].map((path) => out(join(project, path)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["own/x", "inner/x", "new/er/x"].map((path) => out(join(project, path)))).toEqual([false, false, false]);
  expect([out(join(base, "other")), out("/elsewhere/x")]).toEqual([false, false]);
});
