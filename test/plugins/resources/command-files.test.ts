import { mkdir, symlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Command } from "../../../plugins/resources/index.js";
import { type Project, projects } from "./project.ts";

const newProject = projects();

describe("Command, and the files that it depends on:", () => {
  const runs = async (project: Project, files: readonly string[]): Promise<boolean> => {
    const { summary } = await project.up(() => Command("c", { command: "true", files }));
    return summary.unchanged !== 1;
  };

  test("runs again when one of them changes, comes or goes, and for no other", async () => {
    const project = await newProject();
    const files = ["src/**/*.ts", "config.json", "assets"];
    await project.write("src/a.ts", "1");
    await project.write("src/deep/er/b.ts", "1");
    await project.write("assets/x/logo.svg", "1");
    expect(await runs(project, files)).toBe(true);
    expect(await runs(project, files)).toBe(false);
    const noticed = ["src/a.ts", "src/deep/er/b.ts", "src/c.ts", "config.json", "assets/x/logo.svg", "assets/.hidden"];
    for (const path of noticed) {
      await project.write(path, `changed ${path}`);
      expect([path, await runs(project, files)]).toEqual([path, true]);
      expect([path, await runs(project, files)]).toEqual([path, false]);
    }
    for (const path of ["src/a.tsx", "src/.hidden.ts", "src/.git/x.ts", "other/a.ts", "config.json.bak"]) {
      await project.write(path, "x");
      expect([path, await runs(project, files)]).toEqual([path, false]);
    }
  });

  test("runs again when a file changes together with its delete, which alone is no reason to run", async () => {
    const project = await newProject();
    await project.write("in.txt", "1");
    await project.up(() => Command("c", { command: "cat in.txt >> log", files: ["in.txt"] }));
    await project.write("in.txt", "2");
    await project.up(() => Command("c", { command: "cat in.txt >> log", files: ["in.txt"], delete: "true" }));
    expect(await project.read("log")).toBe("12");
  });

  test("a change while it runs is noticed by the next up", async () => {
    const project = await newProject();
    await project.write("in.txt", "1");
    const program = () => Command("c", { command: "cat in.txt; echo 2 > in.txt", files: ["in.txt"] });
    await project.up(program);
    expect((await project.up(program)).summary).toEqual({ updated: 1 });
    expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
  });

  test("names are not patterns by accident, and braces are refused", async () => {
    const project = await newProject();
    await project.write("app/[id].ts", "1");
    expect(await runs(project, ["app/[id].ts"])).toBe(true);
    await project.write("app/[id].ts", "2");
    await project.write("app/i.ts", "x");
    expect(await runs(project, ["app/[id].ts"])).toBe(true);
    const { code } = await project.failure(() => Command("c", { command: "true", files: ["src/*.{ts,js}"] }));
    expect(code).toBe("INVALID_PROPS");
  });

  test("links are followed to files, not to folders", async () => {
    const project = await newProject();
    await project.write("real.txt", "1");
    await mkdir(project.path("src"));
    await symlink("../real.txt", project.path("src/link.txt"));
    await symlink("../src", project.path("src/circle"));
    expect(await runs(project, ["src"])).toBe(true);
    expect(await runs(project, ["src"])).toBe(false);
    await project.write("real.txt", "2");
    expect(await runs(project, ["src"])).toBe(true);
  });
});
