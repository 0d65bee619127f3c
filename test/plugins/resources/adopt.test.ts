import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { Command, CopyFile, File, Folder, type FolderOutput, RandomString } from "../../../plugins/resources/index.js";
import { locate } from "../../../plugins/resources/paths.js";
import { createTestApp } from "../../../plugins/testing/index.js";
import { projects } from "./project.ts";

const newProject = projects();
const adopting = { adopt: true } as const;

describe("with adopt,", () => {
  test.each(["theirs", "ours"])(
    "a File takes over one that holds %j, and that is its own from then on",
    async (held) => {
      const project = await newProject();
      await project.write("d/a", held);
      await chmod(project.path("d/a"), 0o604);
      const { ino } = await stat(project.path("d/a"));
      const program = () => File("a", { path: "d/a", content: "ours" });
      expect((await project.up(program, adopting)).summary).toEqual({ adopted: 1 });
      expect(await project.read("d/a")).toBe("ours");
      // A file that is as declared is not written.
      if (held === "ours") expect((await stat(project.path("d/a"))).ino).toBe(ino);
      expect(await project.mode("d/a")).toBe(0o604);
      expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
      expect((await project.up()).summary).toEqual({ deleted: 1 });
      expect(await project.tree()).toEqual(["d/"]);
    },
  );

  test("a File gets the permissions that are declared", async () => {
    const project = await newProject();
    await project.write("a", "theirs");
    await project.up(() => File("a", { path: "a", content: "ours", mode: 0o600 }, adopting));
    expect(await project.mode("a")).toBe(0o600);
  });

  test("a CopyFile takes over a file, and follows its source from then on", async () => {
    const project = await newProject();
    await project.write("from", "source");
    await project.write("to", "theirs");
    const program = () => CopyFile("c", { from: "from", to: "to" });
    expect((await project.up(program, adopting)).summary).toEqual({ adopted: 1 });
    expect(await project.read("to")).toBe("source");
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
    await project.destroy();
    expect(await project.tree()).toEqual(["from"]);
  });

  test("a CopyFile does not take over its own source", async () => {
    const project = await newProject();
    await project.write("from", "source");
    const program = () => CopyFile("c", { from: "from", to: "./from" });
    expect((await project.failure(program, adopting)).code).toBe("INVALID_PROPS");
    await project.up();
    expect(await project.read("from")).toBe("source");
  });

  test.each([{ option: true }, { option: false }])(
    "or without ($option), a Folder that was there is left when it goes",
    async ({ option }) => {
      const project = await newProject();
      await mkdir(project.path("f"));
      const outputs: FolderOutput[] = [];
      const program = async () => outputs.push(await Folder("f", { path: "f" }));
      expect((await project.up(program, { adopt: option })).summary).toEqual(option ? { adopted: 1 } : { created: 1 });
      expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
      expect(outputs).toMatchObject([{ existed: true }, { existed: true }]);
      await project.destroy();
      expect(await project.tree()).toEqual(["f/"]);
    },
  );

  test("a Folder that other resources needed before it goes with it", async () => {
    const project = await newProject();
    const file = () => File("a", { path: "f/a", content: "x" });
    await project.up(file);
    let output: FolderOutput | undefined;
    await project.up(async () => {
      output = await Folder("f", { path: "f" });
      await file();
    }, adopting);
    expect(output).toEqual({ path: "f", existed: false });
    await project.destroy();
    expect(await project.tree()).toEqual([]);
  });

  test("what is not there is made", async () => {
    const project = await newProject();
    await project.write("from", "source");
    const program = () => [
      File("file", { path: "d/file", content: "ours" }),
      Folder("folder", { path: "e/folder" }),
      CopyFile("copy", { from: "from", to: "d/copy" }),
      Command("command", { command: "echo made > made", delete: "rm made" }),
      RandomString("string"),
    ];
    expect((await project.up(program, adopting)).summary).toEqual({ created: 5 });
    expect(await project.tree()).toEqual(["d/", "d/copy", "d/file", "e/", "e/folder/", "from", "made"]);
    await project.destroy();
    expect(await project.tree()).toEqual(["from"]);
  });

  test.each([
    ["a folder in place of a File", () => File("a", { path: "d", content: "ours" }), "d"],
    ["a folder in place of a CopyFile", () => CopyFile("a", { from: "f", to: "d" }), "d"],
    ["a file in place of a Folder", () => Folder("a", { path: "f" }), "f"],
  ])("%s is refused all the same, and left", async (_what, program, path) => {
    const project = await newProject();
    await mkdir(project.path("d"));
    await project.write("f", "theirs");
    for (let run = 0; run < 2; run++) {
      const { code, message } = await project.failure(program, adopting);
      expect(code).toBe("FILE_EXISTS");
      expect(message).toContain(`"${path}" exists`);
    }
    await project.up();
    expect(await project.tree()).toEqual(["d/", "f"]);
    expect(await project.read("f")).toBe("theirs");
  });

  test("a file is taken over by one resource only", async () => {
    const project = await newProject();
    await project.write("a", "theirs");
    const { errors } = await project.run(
      () => [File("one", { path: "a", content: "1" }), CopyFile("two", { from: "a", to: "./a" })],
      adopting,
    );
    // Only the first declaration gets the path.
    expect(errors).toHaveLength(1);
    await project.up();
    await project.write("a", "theirs");
    await project.up(() => File("one", { path: "a", content: "1" }), adopting);
    const both = () => [File("one", { path: "a", content: "1" }), File("two", { path: "a", content: "2" })];
    const { code, message } = await project.failure(both, adopting);
    expect(code).toBe("FILE_EXISTS");
    expect(message).toContain('already belongs to "t/s/one"');
    expect(await project.read("a")).toBe("1");
    expect((await project.up(() => File("one", { path: "a", content: "1" }))).summary).toMatchObject({ unchanged: 1 });
  });

  test("a place belongs to the one that asked for it first, however long the disk takes to find it", async () => {
    const project = await newProject();
    // Each missing folder is looked up.
    const slow = `${"missing/".repeat(60)}../`.repeat(3);
    const scope = { rootDir: project.root, signal: new AbortController().signal };
    const context = { scope } as HandlerBase;
    const order: string[] = [];
    const find = async (path: string) => void order.push((await locate(context, path)).path.slice(-1));
    await Promise.all([
      find(`${slow}a`),
      find("b"),
      expect(locate(context, "../c")).rejects.toThrow("outside"),
      find("d"),
    ]);
    expect(order).toEqual(["a", "b", "d"]);
  });

  test("a failed adoption leaves the place to others, and what is there as it is", async () => {
    const project = await newProject();
    await project.write("a", "theirs");
    const missing = () => CopyFile("one", { from: "missing", to: "a" });
    expect((await project.failure(missing, adopting)).code).toBe("INVALID_PROPS");
    await project.up();
    expect(await project.read("a")).toBe("theirs");
    const { summary } = await project.up(() => File("two", { path: "a", content: "2" }), adopting);
    expect(summary).toEqual({ adopted: 1 });
  });

  test("a link is not followed", async () => {
    const project = await newProject();
    await project.write("target", "theirs");
    await symlink("target", project.path("a"));
    const program = () => File("a", { path: "a", content: "ours" });
    expect((await project.failure(program, adopting)).code).toBe("FILE_EXISTS");
    expect((await stat(project.path("target"))).size).toBe(6);
  });
});

test("a File whose run is killed while it adopts is as declared after the next that adopts", async () => {
  await using app = await createTestApp();
  const path = join(app.rootDir, "a");
  await writeFile(path, "theirs");
  const program = () => File("a", { path: "a", content: "ours" });
  app.faults.kill(File.kind, "update");
  await expect(app.run(program, adopting)).rejects.toMatchObject({ code: "ABORTED" });
  // Without adopt it is a first create, which takes over nothing.
  await expect(app.run(program)).rejects.toMatchObject({ errors: [{ code: "FILE_EXISTS" }] });
  await app.run(program, adopting);
  expect(await readFile(path, "utf8")).toBe("ours");
  await app.run(program);
  expect(app.actions).toEqual(["unchanged a"]);
});

describe("a File that was refused because something is there", () => {
  test("takes it over as soon as it is declared with adopt", async () => {
    const project = await newProject();
    await project.write("a", "theirs");
    const { message } = await project.failure(() => File("a", { path: "a", content: "ours" }));
    expect(message).toMatch(
      /\{ adopt: true \} or with --adopt\. If you renamed the resource, name its former id with \{ aliases \}/,
    );
    const { summary } = await project.up(() => File("a", { path: "a", content: "ours" }, adopting));
    expect(summary).toEqual({ adopted: 1 });
    expect(await project.read("a")).toBe("ours");
  });
});
