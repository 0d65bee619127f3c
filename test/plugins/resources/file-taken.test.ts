import { chmod, mkdir, rm, symlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { File } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

describe("File, where something is already:", () => {
  const program = () => File("a", { path: "a.txt", content: "ours" });

  test("a file that the engine did not create is refused, and left alone by all that follows", async () => {
    const project = await newProject();
    await project.write("a.txt", "theirs");
    const { code, message } = await project.failure(program);
    expect(code).toBe("FILE_EXISTS");
    expect(message).toContain('"t/s/a"');
    expect(message).toContain('"a.txt"');
    expect(message).toContain("--adopt");
    expect((await project.failure(program)).code).toBe("FILE_EXISTS");
    await project.up();
    expect(await project.read("a.txt")).toBe("theirs");
    expect(await project.tree()).toEqual(["a.txt"]);
  });

  test("so is one that holds just the declared content: no run may delete it", async () => {
    const project = await newProject();
    await project.write("a.txt", "ours");
    expect((await project.failure(program)).code).toBe("FILE_EXISTS");
    expect((await project.failure(program)).code).toBe("FILE_EXISTS");
    await project.destroy();
    expect(await project.read("a.txt")).toBe("ours");
  });

  test.each([
    { adopt: true, options: {} },
    { adopt: undefined, options: { adopt: true } },
  ])("it is taken over with adopt ($adopt, $options)", async ({ adopt, options }) => {
    const project = await newProject();
    await project.write("a.txt", "theirs");
    await chmod(project.path("a.txt"), 0o604);
    await project.failure(program);
    const adopting = () => File("a", { path: "a.txt", content: "ours" }, { adopt });
    expect((await project.up(adopting, options)).summary.failed).toBeUndefined();
    expect(await project.read("a.txt")).toBe("ours");
    expect(await project.mode("a.txt")).toBe(0o604);
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("goes on by itself once the file is out of the way", async () => {
    const project = await newProject();
    await project.write("a.txt", "theirs");
    await project.failure(program);
    await rm(project.path("a.txt"));
    await project.up(program);
    expect(await project.read("a.txt")).toBe("ours");
  });

  test("a folder or a link is not taken over, not even with adopt", async () => {
    const project = await newProject();
    await mkdir(project.path("a.txt"));
    expect((await project.failure(program, { adopt: true })).code).toBe("FILE_EXISTS");
    await rm(project.path("a.txt"), { recursive: true });
    await project.write("target", "theirs");
    await symlink("target", project.path("a.txt"));
    expect((await project.failure(program, { adopt: true })).code).toBe("FILE_EXISTS");
    expect(await project.read("target")).toBe("theirs");
  });

  test("a foreign file in place of the resource's own stays when the resource goes", async () => {
    const project = await newProject();
    await project.up(program);
    await rm(project.path("a.txt"));
    await project.write("target", "theirs");
    await symlink("target", project.path("a.txt"));
    expect((await project.failure(program)).code).toBe("FILE_EXISTS");
    const { log } = await project.up();
    expect(log).toEqual([]);
    expect(await project.tree()).toEqual(["a.txt", "target"]);
    expect(await project.read("target")).toBe("theirs");
  });

  test("a folder in place of a file that is no longer declared stays, and it is said", async () => {
    const project = await newProject();
    await project.up(program);
    await rm(project.path("a.txt"));
    await mkdir(project.path("a.txt"));
    expect((await project.up()).log).toEqual(['"a.txt" stays: it is not a file any more.']);
    expect(await project.tree()).toEqual(["a.txt/"]);
  });
});

describe("two Files", () => {
  test("cannot have one path in one run, however it is spelled", async () => {
    const project = await newProject();
    await symlink(".", project.path("link"));
    const { code, message } = await project.failure(async () => {
      await File("a", { path: "a.txt", content: "1" });
      await File("b", { path: "./link/a.txt", content: "2" });
    });
    expect(code).toBe("FILE_EXISTS");
    expect(message).toContain('"t/s/a"');
    expect(await project.read("a.txt")).toBe("1");
  });

  test("with one path and one content are two all the same: the refused one takes nothing along when it goes", async () => {
    const project = await newProject();
    const a = () => File("a", { path: "a.txt", content: "1" });
    await project.failure(async () => {
      await a();
      await File("b", { path: "a.txt", content: "1" });
    });
    expect((await project.up(a)).summary).toMatchObject({ unchanged: 1 });
    expect(await project.read("a.txt")).toBe("1");
  });

  test("may follow each other on one path, with adopt: the old one does not take the file of the new one along", async () => {
    const project = await newProject();
    await project.up(() => File("old", { path: "a.txt", content: "1" }));
    const program = () => File("new", { path: "a.txt", content: "2" }, { adopt: true });
    const { log } = await project.up(program);
    expect(log).toEqual(['"a.txt" stays: it belongs to "t/s/new" now.']);
    expect(await project.read("a.txt")).toBe("2");
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("may follow each other in two generations of one app", async () => {
    const project = await newProject();
    await project.up(async (app) => {
      await File("a", { path: "a.txt", content: "1" });
      await app.finalize();
      await app.run(async () => {
        await File("b", { path: "b.txt", content: "1" });
        await app.finalize();
      });
      await app.run(() => File("c", { path: "a.txt", content: "2" }));
    });
    expect(await project.tree()).toEqual(["a.txt"]);
  });
});
