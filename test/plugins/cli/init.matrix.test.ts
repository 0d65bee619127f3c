import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { typeCheck } from "../../helpers/checks/type-check.ts";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { root } from "../../house/project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine init", () => {
  it("overwrites nothing: neither a program, nor a tsconfig, nor lines of .gitignore", async () => {
    project = await engineProject({ "tsconfig.json": "{}", ".gitignore": "node_modules/\n.env" });
    await project.engine("init", "--yes");
    expect(await project.read("tsconfig.json")).toBe("{}");
    expect(await project.read(".gitignore")).toBe("node_modules/\n.env\n.engine/\nengine-recovery.*\n");
    const again = await project.engine("init", "--yes");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("FILE_EXISTS") });
  });

  it.each(["files", "s3", "redis", "postgres"])(
    "writes a program with the store %s that its tsconfig accepts",
    async (store) => {
      project = await engineProject();
      const { stdout: said } = await project.engine("init", "--yes", "--store", store);
      expect(/npm install (?:@keyv|@aws|pg)/.test(said)).toBe(store !== "files");
      await symlink(join(root, "node_modules/@types"), join(project.folder, "node_modules/@types"), "dir");
      expect(typeCheck("tsconfig.json", project.folder)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    },
  );

  it("follows no link: neither that of a .gitignore, before it has written anything, nor one that leads nowhere", async () => {
    project = await engineProject({ theirs: "mine\n" });
    await symlink("theirs", join(project.folder, ".gitignore"));
    const { code, stderr } = await project.engine("init", "--yes");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.gitignore" is a symbolic link, so nothing was written'),
    });
    expect(await project.read("theirs")).toBe("mine\n");
    expect(await project.names()).toEqual([".gitignore", "node_modules", "theirs"]);
    await rm(join(project.folder, ".gitignore"));
    await symlink("nowhere", join(project.folder, "tsconfig.json"));
    expect((await project.engine("init", "--yes")).stdout).toContain("written  engine.run.ts\nwritten  .gitignore\n\n");
    expect(await project.names()).toEqual([".gitignore", "engine.run.ts", "node_modules", "theirs", "tsconfig.json"]);
  });

  it("makes the folder that is named, and calls the app after it", async () => {
    project = await engineProject();
    const { stdout } = await project.engine("init", "infra/shop", "-y");
    expect(stdout).toContain("cd infra/shop");
    expect(await project.read(join("infra/shop", "engine.run.ts"))).toContain('engine("shop")');
  });

  it("does not ask without a terminal, and says so", async () => {
    project = await engineProject();
    const { code, stderr } = await project.engine("init");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --yes") });
    expect((await project.engine("init", "--yes", "--name", "a/b")).stderr).toContain('"a/b" contains "/"');
    expect((await project.engine("init", "--yes", "--store", "disk")).stderr).toContain(
      "Allowed choices are files, s3, redis",
    );
  });
});
