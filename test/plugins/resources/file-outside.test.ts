import { mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { File } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

describe("File, outside the root folder:", () => {
  test.each(["../x.txt", "a/../../x.txt", "../project-2/x.txt", "/x.txt"])("%s is refused", async (path) => {
    const project = await newProject();
    const { code, message } = await project.failure(() => File("a", { path, content: "" }));
    expect(code).toBe("OUTSIDE_ROOT");
    expect(message).toContain("outside: true");
    // The refused attempt leaves nothing that would be in the way.
    await project.up(() => File("a", { path: "x.txt", content: "" }));
    expect(await project.tree()).toEqual(["x.txt"]);
  });

  test("a name that only begins with dots is inside", async () => {
    const project = await newProject();
    await project.up(() => File("a", { path: "..a/...", content: "" }));
    expect(await project.tree()).toEqual(["..a/", "..a/..."]);
  });

  test("a symbolic link on the way is not a way out", async () => {
    const project = await newProject();
    await mkdir(project.path("../elsewhere"));
    await symlink("../elsewhere", project.path("link"));
    const program = (outside: boolean) => () => File("a", { path: "link/deep/a.txt", content: "x", outside });
    const { code, message } = await project.failure(program(false));
    expect(code).toBe("OUTSIDE_ROOT");
    expect(message).toContain("symbolic link");
    await project.up(program(true));
    expect(await project.read("../elsewhere/deep/a.txt")).toBe("x");
    await project.destroy();
    await expect(stat(project.path("../elsewhere/deep"))).rejects.toThrow("ENOENT");
    expect(await project.tree()).toEqual(["link"]);
  });

  test("a link that is placed on the way later is not a way out either", async () => {
    const project = await newProject();
    await project.up(() => File("a", { path: "sub/a.txt", content: "x" }));
    await mkdir(project.path("../elsewhere"));
    await writeFile(project.path("../elsewhere/a.txt"), "theirs");
    await rm(project.path("sub"), { recursive: true });
    await symlink("../elsewhere", project.path("sub"));
    expect((await project.destroy()).errors).toMatchObject([{ code: "OUTSIDE_ROOT" }]);
    expect(await project.read("../elsewhere/a.txt")).toBe("theirs");
  });

  test("a root folder that is a link itself is not an obstacle", async () => {
    const project = await newProject();
    await symlink(project.root, `${project.root}-link`);
    const program = (path: string) => () => File("a", { path, content: "x" });
    await project.up(program("a.txt"), { rootDir: `${project.root}-link` });
    expect((await project.up(program("a.txt"))).summary).toEqual({ unchanged: 1 });
    await project.up(program(project.path("a.txt")), { rootDir: `${project.root}-link` });
    expect(await project.tree()).toEqual(["a.txt"]);
  });

  test("a path is a non-empty string", async () => {
    const project = await newProject();
    for (const path of ["", "a\0b"]) {
      expect((await project.failure(() => File("a", { path, content: "" }))).code).toBe("INVALID_PROPS");
    }
    await project.up();
  });
});
