import { mkdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { File } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

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
