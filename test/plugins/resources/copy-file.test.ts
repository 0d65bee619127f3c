import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { CopyFile, type CopyFileOutput, File } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();
const copy =
  (from = "from.txt", to = "out/to.txt") =>
  () =>
    CopyFile("c", { from, to });

describe("CopyFile", () => {
  test("copies, skips, follows its source, and is pruned", async () => {
    const project = await newProject();
    let output: CopyFileOutput | undefined;
    const program = async () => {
      output = await copy()();
    };
    await project.write("from.txt", "one");
    expect((await project.up(program)).summary).toEqual({ created: 1 });
    expect(await project.read("out/to.txt")).toBe("one");
    expect(output).toMatchObject({ path: "out/to.txt", size: 3, sha256: output?.sourceSha256 });
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await project.write("from.txt", "two");
    expect((await project.up(program)).summary).toEqual({ updated: 1 });
    expect(await project.read("out/to.txt")).toBe("two");
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(await project.tree()).toEqual(["from.txt"]);
  });

  test("is repaired when the copy was changed or deleted behind the engine's back", async () => {
    const project = await newProject();
    await project.write("from.txt", "one");
    await project.up(copy());
    await project.write("out/to.txt", "changed");
    expect((await project.up(copy())).summary).toEqual({ updated: 1 });
    expect(await project.read("out/to.txt")).toBe("one");
    await rm(project.path("out"), { recursive: true });
    expect((await project.up(copy())).summary).toEqual({ created: 1 });
    expect(await project.read("out/to.txt")).toBe("one");
  });

  test("takes another source as an update, and another target as a replacement", async () => {
    const project = await newProject();
    await project.write("from.txt", "one");
    await project.write("other.txt", "two");
    await project.up(copy());
    expect((await project.up(copy("other.txt"))).summary).toEqual({ updated: 1 });
    expect(await project.read("out/to.txt")).toBe("two");
    expect((await project.up(copy("other.txt", "out/new.txt"))).summary).toEqual({ replaced: 1, deleted: 1 });
    expect(await project.tree()).toEqual(["from.txt", "other.txt", "out/", "out/new.txt"]);
  });

  test("copies large binary files with their permissions, also from one that the same run makes", async () => {
    const project = await newProject();
    const large = randomBytes(30 * 1024 * 1024 + 7);
    await project.write("dir/large ü.bin", large);
    await chmod(project.path("dir/large ü.bin"), 0o750);
    const program = async () => {
      await CopyFile("large", { from: "dir/large ü.bin", to: "large ü.bin" });
      const made = await File("made", { path: "made.txt", content: "made" });
      await CopyFile("copy", { from: made.path, to: "copy.txt", mode: 0o600 });
    };
    await project.up(program);
    expect((await readFile(project.path("large ü.bin"))).equals(large)).toBe(true);
    expect(await project.mode("large ü.bin")).toBe(0o750);
    expect(await project.mode("copy.txt")).toBe(0o600);
    expect((await project.up(program)).summary).toEqual({ unchanged: 3 });
    await chmod(project.path("copy.txt"), 0o666);
    expect((await project.up(program)).summary).toEqual({ updated: 1, unchanged: 2 });
    expect(await project.mode("copy.txt")).toBe(0o600);
  });

  test("refuses a target that is not its own, and takes it over with adopt", async () => {
    const project = await newProject();
    await project.write("from.txt", "one");
    await project.write("out/to.txt", "theirs");
    expect((await project.failure(copy())).code).toBe("FILE_EXISTS");
    expect(await project.read("out/to.txt")).toBe("theirs");
    await project.up(copy(), { adopt: true });
    expect(await project.read("out/to.txt")).toBe("one");
  });

  test("says so when there is no source, leaves the copy then, and can still be destroyed", async () => {
    const project = await newProject();
    const first = await project.failure(copy());
    expect(first.code).toBe("INVALID_PROPS");
    expect(first.message).toContain('"from.txt"');
    await project.write("from.txt", "one");
    await project.up(copy());
    await rm(project.path("from.txt"));
    expect((await project.failure(copy())).code).toBe("INVALID_PROPS");
    expect(await project.read("out/to.txt")).toBe("one");
    await mkdir(project.path("from.txt"));
    expect((await project.failure(copy())).code).toBe("INVALID_PROPS");
    expect((await project.destroy()).errors).toEqual([]);
    expect(await project.tree()).toEqual(["from.txt/"]);
  });

  test("needs to be told before it reads or writes outside the root folder", async () => {
    const project = await newProject();
    await writeFile(project.path("../secret"), "one");
    await symlink("../secret", project.path("link"));
    for (const from of ["../secret", "link"]) {
      expect((await project.failure(copy(from))).code).toBe("OUTSIDE_ROOT");
    }
    await project.write("from.txt", "two");
    expect((await project.failure(copy("from.txt", "../secret"))).code).toBe("OUTSIDE_ROOT");
    await project.up(() => CopyFile("c", { from: "link", to: "copy.txt", outside: true }));
    expect(await project.read("copy.txt")).toBe("one");
  });

  test("never takes its source for the copy", async () => {
    const project = await newProject();
    await project.write("from.txt", "one");
    expect((await project.failure(copy("from.txt", "./from.txt"), { adopt: true })).code).toBe("INVALID_PROPS");
    await project.destroy();
    expect(await project.tree()).toEqual(["from.txt"]);
  });

  test("a source given through a link is the file behind it", async () => {
    const project = await newProject();
    await project.write("real.txt", "one");
    await symlink("real.txt", project.path("link.txt"));
    await project.up(copy("link.txt"));
    await project.write("real.txt", "two");
    expect((await project.up(copy("link.txt"))).summary).toEqual({ updated: 1 });
    expect(await project.read("out/to.txt")).toBe("two");
  });
});
