import { mkdir, rm, stat, symlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { File, Folder, type FolderOutput } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();
const folder = (path: string) => () => Folder("f", { path });

describe("Folder", () => {
  test("is created with those above it, skipped, made again, and removed", async () => {
    const project = await newProject();
    let output: FolderOutput | undefined;
    const program = async () => {
      output = await Folder("f", { path: "./a//b/" });
    };
    expect((await project.up(program)).summary).toEqual({ created: 1 });
    expect(output).toEqual({ path: "a/b", existed: false });
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await rm(project.path("a"), { recursive: true });
    expect((await project.up(program)).summary).toEqual({ created: 1 });
    expect(await project.tree()).toEqual(["a/", "a/b/"]);
    expect((await project.up(program, { force: true })).summary).toEqual({ updated: 1 });
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(await project.tree()).toEqual([]);
  });

  test("that was there before is taken as it is, and left", async () => {
    const project = await newProject();
    await mkdir(project.path("f"));
    let output: FolderOutput | undefined;
    const program = async () => {
      output = await Folder("f", { path: "f" });
    };
    await project.up(program);
    expect(output).toEqual({ path: "f", existed: true });
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await project.destroy();
    expect(await project.tree()).toEqual(["f/"]);
  });

  test("is replaced when its path changes; what others put into the old one stays", async () => {
    const project = await newProject();
    await project.up(folder("old"));
    await project.write("old/theirs", "x");
    const { summary, log } = await project.up(folder("new"));
    expect(summary).toEqual({ replaced: 1, deleted: 1 });
    expect(log).toEqual(['"old" stays: it is not an empty folder.']);
    expect(await project.tree()).toEqual(["new/", "old/", "old/theirs"]);
    expect((await project.up(folder("./new"))).summary).toEqual({ updated: 1 });
  });

  test("is destroyed with its files, and left, in so many words, where others have theirs in it", async () => {
    const project = await newProject();
    const program = async () => {
      const { path } = await Folder("f", { path: "f" });
      await File("a", { path: `${path}/a.txt`, content: "a" });
      await File("b", { path: `${path}/b.txt`, content: "b" });
    };
    await project.up(program);
    expect(await project.destroy()).toMatchObject({ errors: [], log: [] });
    expect(await project.tree()).toEqual([]);
    await project.up(program);
    await project.write("f/theirs.txt", "x");
    expect(await project.destroy()).toMatchObject({ errors: [], log: ['"f" stays: it is not an empty folder.'] });
    expect(await project.tree()).toEqual(["f/", "f/theirs.txt"]);
  });

  test("goes with the last file in it where it was declared after the file", async () => {
    const project = await newProject();
    await project.up(async () => {
      await File("a", { path: "f/a.txt", content: "a" });
      await Folder("f", { path: "f" });
    });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("that a file had needed before it was declared belongs to it from then on", async () => {
    const project = await newProject();
    await project.up(() => File("a", { path: "f/a.txt", content: "a" }));
    await project.up(async () => {
      await File("a", { path: "f/a.txt", content: "a" });
      await Folder("f", { path: "f" });
    });
    expect((await project.up(folder("f"))).summary).toEqual({ unchanged: 1, deleted: 1 });
    expect(await project.tree()).toEqual(["f/"]);
    await project.up();
    expect(await project.tree()).toEqual([]);
  });

  test("is handed on when it is declared under another id", async () => {
    const project = await newProject();
    await project.up(folder("f"));
    await project.up(() => Folder("g", { path: "f" }));
    expect(await project.tree()).toEqual(["f/"]);
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("cannot be had twice in one run", async () => {
    const project = await newProject();
    const { code, message } = await project.failure(async () => {
      await Folder("f", { path: "f" });
      await Folder("g", { path: "./f/" });
    });
    expect(code).toBe("FILE_EXISTS");
    expect(message).toContain('"t/s/f"');
  });

  test("is refused where a file is, and the file left", async () => {
    const project = await newProject();
    await project.write("f", "theirs");
    expect((await project.failure(folder("f"))).code).toBe("FILE_EXISTS");
    await project.destroy();
    expect(await project.read("f")).toBe("theirs");
  });

  test("is refused outside the root folder, by name and through links, unless that is said", async () => {
    const project = await newProject();
    await mkdir(project.path("../elsewhere"));
    await symlink("../elsewhere", project.path("link"));
    for (const path of ["../x", "link", "link/x"]) {
      expect((await project.failure(folder(path))).code).toBe("OUTSIDE_ROOT");
    }
    await project.up(() => Folder("f", { path: "../x", outside: true }));
    expect((await stat(project.path("../x"))).isDirectory()).toBe(true);
    await project.up();
    await expect(stat(project.path("../x"))).rejects.toThrow("ENOENT");
  });

  test("may be the root folder itself, which stays", async () => {
    const project = await newProject();
    let output: FolderOutput | undefined;
    await project.up(async () => {
      output = await Folder("f", { path: "." });
    });
    expect(output).toEqual({ path: ".", existed: true });
    await project.destroy();
    expect((await stat(project.root)).isDirectory()).toBe(true);
  });

  test("does not follow a link that was put in its place to remove what it leads to", async () => {
    const project = await newProject();
    await project.up(folder("f"));
    await rm(project.path("f"), { recursive: true });
    await mkdir(project.path("target"));
    await symlink("target", project.path("f"));
    await project.destroy();
    expect(await project.tree()).toEqual(["f", "target/"]);
  });
});
