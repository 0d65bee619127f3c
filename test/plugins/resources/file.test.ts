import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { File, type FileOutput } from "../../../plugins/resources/index.js";
import { Project, projects } from "./project.ts";

const newProject = projects();
const sha256OfHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

describe("File", () => {
  test("is created, skipped, updated, and pruned", async () => {
    const project = await newProject();
    const outputs: FileOutput[] = [];
    const program = (content: string) => async () => void outputs.push(await File("a", { path: "a.txt", content }));
    expect((await project.up(program("hello"))).summary).toEqual({ created: 1 });
    expect(await project.read("a.txt")).toBe("hello");
    const { mtimeMs, ino } = await stat(project.path("a.txt"));
    expect((await project.up(program("hello"))).summary).toEqual({ skipped: 1 });
    expect(await stat(project.path("a.txt"))).toMatchObject({ mtimeMs, ino });
    expect((await project.up(program("bye"))).summary).toEqual({ updated: 1 });
    expect(await project.read("a.txt")).toBe("bye");
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(await project.tree()).toEqual([]);
    expect(outputs.slice(0, 2)).toEqual(Array(2).fill({ path: "a.txt", size: 5, sha256: sha256OfHello }));
  });

  test("is read, and nothing else, in the read phase", async () => {
    const project = await newProject();
    await project.up(() => File("a", { path: "a.txt", content: "hello" }));
    await rm(project.path("a.txt"));
    let output: FileOutput | undefined;
    const program = async () => {
      output = await File("a", { path: "a.txt", content: "other" });
    };
    expect((await project.up(program, { phase: "read" })).summary).toEqual({ read: 1 });
    expect(output).toEqual({ path: "a.txt", size: 5, sha256: sha256OfHello });
    expect(await project.tree()).toEqual([]);
  });

  test("is destroyed, also where it was changed or deleted before", async () => {
    const project = await newProject();
    await project.up(async () => {
      for (const id of ["a", "b", "c"]) await File(id, { path: `${id}.txt`, content: id });
    });
    await project.write("a.txt", "changed");
    await rm(project.path("b.txt"));
    expect(await project.destroy()).toMatchObject({ summary: { deleted: 3 }, errors: [] });
    expect(await project.tree()).toEqual([]);
  });

  test("that was changed behind the engine's back is mended", async () => {
    const project = await newProject();
    const program = () => File("a", { path: "a.txt", content: "hello" });
    await project.up(program);
    await project.write("a.txt", "HELLO");
    expect((await project.up(program)).summary).toEqual({ updated: 1 });
    expect(await project.read("a.txt")).toBe("hello");
    expect((await project.up(program)).summary).toEqual({ skipped: 1 });
  });

  test("that was deleted behind the engine's back is made again, folders and all", async () => {
    const project = await newProject();
    const program = () => File("a", { path: "deep/er/a.txt", content: "hello" });
    await project.up(program);
    await rm(project.path("deep"), { recursive: true });
    expect((await project.up(program)).summary).toEqual({ created: 1 });
    expect(await project.read("deep/er/a.txt")).toBe("hello");
    expect((await project.up(program)).summary).toEqual({ skipped: 1 });
    await project.up();
    expect(await project.tree()).toEqual([]);
  });

  test("is replaced when its path changes, and not when the path is only spelled another way", async () => {
    const project = await newProject();
    const program = (path: string) => () => File("a", { path, content: "hello" });
    await project.up(program("a.txt"));
    for (const path of ["./a.txt", "x/../a.txt", project.path("a.txt")]) {
      expect((await project.up(program(path))).summary).toEqual({ updated: 1 });
      expect(await project.tree()).toEqual(["a.txt"]);
    }
    expect((await project.up(program("b/a.txt"))).summary).toEqual({ replaced: 1, deleted: 1 });
    expect(await project.tree()).toEqual(["b/", "b/a.txt"]);
  });

  test("holds binary, empty and large content byte for byte, under any name", async () => {
    const project = await newProject();
    const large = randomBytes(20 * 1024 * 1024);
    const contents: Record<string, string | Uint8Array> = {
      "bytes.bin": Uint8Array.from({ length: 256 }, (_, byte) => byte),
      "empty.txt": "",
      "日本語 ünï—🎈.txt": "ünïcödé 🎈\u0000\ud83c\udf88",
      "-rf 'quoted' \"$HOME\" * .txt": "x",
      [`${"n".repeat(251)}.txt`.slice(-255)]: "a name as long as a name can be",
    };
    const program = async () => {
      for (const [path, content] of Object.entries(contents)) await File(path.slice(0, 200), { path, content });
      await File("large", { path: "large.bin", content: large });
    };
    await project.up(program);
    for (const [path, content] of Object.entries(contents)) {
      expect(await readFile(project.path(path))).toEqual(Buffer.from(content));
    }
    expect((await readFile(project.path("large.bin"))).equals(large)).toBe(true);
    expect((await project.up(program)).summary).toEqual({ skipped: 6 });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("can come back to the path that it had, also when its old copy was not deleted yet", async () => {
    const project = await newProject();
    const program = (path: string) => () => File("a", { path, content: path });
    await project.up(program("one.txt"));
    await project.run(async () => {
      await program("two.txt")();
      throw new Error("So nothing is pruned.");
    });
    expect(await project.tree()).toEqual(["one.txt", "two.txt"]);
    await project.up(program("one.txt"));
    expect(await project.tree()).toEqual(["one.txt"]);
    expect((await project.up(program("one.txt"))).summary).toEqual({ skipped: 1 });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("is the same on every machine: its path in the output is relative to the root folder", async () => {
    const project = await newProject();
    const outputs: FileOutput[] = [];
    await project.up(async () => {
      outputs.push(await File("a", { path: "./x//a.txt", content: "" }));
      outputs.push(await File("b", { path: project.path("b.txt"), content: "" }));
      outputs.push(await File("c", { path: "../c.txt", content: "", outside: true }));
    });
    expect(outputs.map(({ path }) => path)).toEqual(["x/a.txt", "b.txt", "../c.txt"]);
    await rename(project.root, `${project.root}-moved`);
    const moved = new Project(`${project.root}-moved`, { stateStore: project.options.stateStore });
    const program = async () => {
      await File("a", { path: "./x//a.txt", content: "" });
      await File("c", { path: "../c.txt", content: "", outside: true });
    };
    expect((await moved.up(program)).summary).toEqual({ skipped: 2, deleted: 1 });
  });
});

describe("File, and permissions:", () => {
  test("declared ones are set, whatever the umask, kept, and mended", async () => {
    const project = await newProject();
    let output: FileOutput | undefined;
    const program = (content: string) => async () => {
      output = await File("a", { path: "run.sh", content, mode: 0o777 });
    };
    await project.up(program("1"));
    expect(await project.mode("run.sh")).toBe(0o777);
    expect(output).toMatchObject({ mode: 0o777 });
    await project.up(program("2"));
    expect(await project.mode("run.sh")).toBe(0o777);
    await chmod(project.path("run.sh"), 0o600);
    expect((await project.up(program("2"))).summary).toEqual({ updated: 1 });
    expect(await project.mode("run.sh")).toBe(0o777);
  });

  test("others are left as they are", async () => {
    const project = await newProject();
    const program = (content: string) => () => File("a", { path: "a.txt", content });
    await project.up(program("1"));
    await chmod(project.path("a.txt"), 0o640);
    expect((await project.up(program("1"))).summary).toEqual({ skipped: 1 });
    await project.up(program("2"));
    expect(await project.mode("a.txt")).toBe(0o640);
  });
});

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

  test("so is one that holds just what was declared: it is nobody's to destroy", async () => {
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
    expect((await project.up(program)).summary).toEqual({ skipped: 1 });
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

  test("what somebody put in place of the file stays when the resource goes", async () => {
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
    expect((await project.up()).log).toEqual(['"a.txt" stays: it is no file any more.']);
    expect(await project.tree()).toEqual(["a.txt/"]);
  });
});

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

  test("a symbolic link on the way is no way out", async () => {
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

  test("a link that comes to stand on the way later is no way out either", async () => {
    const project = await newProject();
    await project.up(() => File("a", { path: "sub/a.txt", content: "x" }));
    await mkdir(project.path("../elsewhere"));
    await writeFile(project.path("../elsewhere/a.txt"), "theirs");
    await rm(project.path("sub"), { recursive: true });
    await symlink("../elsewhere", project.path("sub"));
    expect((await project.destroy()).errors).toMatchObject([{ code: "OUTSIDE_ROOT" }]);
    expect(await project.read("../elsewhere/a.txt")).toBe("theirs");
  });

  test("a root folder that is a link itself is no obstacle", async () => {
    const project = await newProject();
    await symlink(project.root, `${project.root}-link`);
    const program = (path: string) => () => File("a", { path, content: "x" });
    await project.up(program("a.txt"), { rootDir: `${project.root}-link` });
    expect((await project.up(program("a.txt"))).summary).toEqual({ skipped: 1 });
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
    expect((await project.up(a)).summary).toMatchObject({ skipped: 1 });
    expect(await project.read("a.txt")).toBe("1");
  });

  test("may follow each other on one path, with adopt: the old one does not take the file of the new one along", async () => {
    const project = await newProject();
    await project.up(() => File("old", { path: "a.txt", content: "1" }));
    const program = () => File("new", { path: "a.txt", content: "2" }, { adopt: true });
    const { log } = await project.up(program);
    expect(log).toEqual(['"a.txt" stays: it belongs to "t/s/new" now.']);
    expect(await project.read("a.txt")).toBe("2");
    expect((await project.up(program)).summary).toEqual({ skipped: 1 });
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

describe("folders above a File", () => {
  const program = (paths: readonly string[]) => () =>
    Promise.all(paths.map((path) => File(path.replaceAll("/", "-"), { path, content: path })));

  test("are made, and go with the last file in them, in whatever order", async () => {
    const project = await newProject();
    await project.up(program(["a/b/1", "a/b/2", "a/c/3"]));
    await project.up(program(["a/b/1", "a/b/2", "a/c/3", "a/c/4"]));
    expect(await project.tree()).toEqual(["a/", "a/b/", "a/b/1", "a/b/2", "a/c/", "a/c/3", "a/c/4"]);
    await project.up(program(["a/b/2", "a/c/4"]));
    expect(await project.tree()).toEqual(["a/", "a/b/", "a/b/2", "a/c/", "a/c/4"]);
    await project.up(program(["a/c/4"]));
    expect(await project.tree()).toEqual(["a/", "a/c/", "a/c/4"]);
    await project.up();
    expect(await project.tree()).toEqual([]);
  });

  test("go after a parallel destroy of many files, too", async () => {
    const project = await newProject({ destroyStrategy: "parallel" });
    await project.up(program(Array.from({ length: 60 }, (_, n) => `d${n % 3}/e${n % 5}/${n}`)));
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("stay where they were there before, or hold what is not the engine's", async () => {
    const project = await newProject();
    await mkdir(project.path("there"));
    await project.up(program(["there/1", "made/2"]));
    await project.write("made/theirs", "x");
    await project.destroy();
    expect(await project.tree()).toEqual(["made/", "made/theirs", "there/"]);
  });
});
