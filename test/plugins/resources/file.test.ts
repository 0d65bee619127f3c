import { chmod, readFile, rename, rm, stat } from "node:fs/promises";
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
    expect((await project.up(program("hello"))).summary).toEqual({ unchanged: 1 });
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

  test("that was changed behind the engine's back is repaired", async () => {
    const project = await newProject();
    const program = () => File("a", { path: "a.txt", content: "hello" });
    await project.up(program);
    await project.write("a.txt", "HELLO");
    expect((await project.up(program)).summary).toEqual({ updated: 1 });
    expect(await project.read("a.txt")).toBe("hello");
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
  });

  test("that was deleted behind the engine's back is made again, folders and all", async () => {
    const project = await newProject();
    const program = () => File("a", { path: "deep/er/a.txt", content: "hello" });
    await project.up(program);
    await rm(project.path("deep"), { recursive: true });
    expect((await project.up(program)).summary).toEqual({ created: 1 });
    expect(await project.read("deep/er/a.txt")).toBe("hello");
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
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

  test("holds binary and empty content byte for byte, under any name", async () => {
    const project = await newProject();
    const contents: Record<string, string | Uint8Array> = {
      "bytes.bin": Uint8Array.from({ length: 256 }, (_, byte) => byte),
      "empty.txt": "",
      "日本語 ünï—🎈.txt": "ünïcödé 🎈\u0000\ud83c\udf88",
      "-rf 'quoted' \"$HOME\" * .txt": "x",
      [`${"n".repeat(251)}.txt`.slice(-255)]: "a name as long as a name can be",
    };
    const program = async () => {
      for (const [path, content] of Object.entries(contents)) await File(path.slice(0, 200), { path, content });
    };
    await project.up(program);
    for (const [path, content] of Object.entries(contents)) {
      expect(await readFile(project.path(path))).toEqual(Buffer.from(content));
    }
    expect((await project.up(program)).summary).toEqual({ unchanged: 5 });
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
    expect((await project.up(program("one.txt"))).summary).toEqual({ unchanged: 1 });
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
    expect((await moved.up(program)).summary).toEqual({ unchanged: 2, deleted: 1 });
  });
});

describe("File, and permissions:", () => {
  test("declared ones are set, whatever the umask, kept, and repaired", async () => {
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
    expect((await project.up(program("1"))).summary).toEqual({ unchanged: 1 });
    await project.up(program("2"));
    expect(await project.mode("a.txt")).toBe(0o640);
  });

  test.each([undefined, 5, { text: "x" }])("without a content that can be written is refused: %j", async (content) => {
    const project = await newProject();
    const failure = await project.failure(() => Reflect.apply(File, undefined, ["a", { path: "a.txt", content }]));
    expect(failure).toMatchObject({
      code: "INVALID_PROPS",
      message: expect.stringContaining("props.content: must be a string or a Uint8Array, not "),
    });
  });
});
