/** A project of Alchemy 0.94.0 is taken over, with types of ours and types of its own. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { textBelow } from "../import/tofu-project.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/alchemy/shop", import.meta.url));
const ENV = { ENGINE_IMPORT_PASSPHRASE: "pw", ENGINE_PASSWORD: "correct horse", ENGINE_STAGE: "dev" };

let project: Project;
beforeEach(async () => {
  project = await engineProject();
  await cp(FIXTURE, join(project.folder, ".alchemy/shop"), { recursive: true });
  await project.write("out/index.html", "<h1>");
  await project.write("out/inner.txt", "x");
  await project.write("out/conf", "1");
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine import .alchemy", () => {
  it("plans nothing after the import, keeps random values, and holds no secret in the clear", async () => {
    const shown = await project.engineWith(ENV, "import", ".alchemy", "--plan");
    expect(shown.stdout).toMatch(/6 resources would be recorded in "[^"]+"\. Nothing was written\./);
    await expect(project.read("engine.run.ts")).rejects.toThrow();

    const imported = await project.engineWith(ENV, "import", ".alchemy");
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("6 resources recorded in") });
    expect(imported.stderr).toContain('Fill in create, update and delete of "my:Note" in types/my-note.ts');
    expect(imported.stderr).toContain('The source\'s stage is "prod"');
    const program = await project.read("engine.run.ts");
    expect(program).toContain("text: indexFile.path");
    expect(program).toContain('new Date("1970-01-01T00:00:00.005Z")');

    const env = { ...ENV, NOTE_TOKEN: "tok-123" };
    const plan = await project.engineWith(env, "plan", "--exit-code");
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do, 6 unchanged") });
    await rm(join(project.folder, ".alchemy"), { recursive: true });
    const all = await textBelow(project.folder, ["node_modules"]);
    for (const secret of ["tok-123", "outsecret", "4b7e651f9a86f597"]) expect(all).not.toContain(secret);

    await project.write("engine.run.ts", program.replace("<h1>", "<h2>"));
    expect((await project.engineWith(env, "up")).stdout).toContain("1 updated, 5 unchanged");
    expect(await project.read("out/index.html")).toBe("<h2>");
    await project.write("engine.run.ts", program.replace("inner: true", "inner: false"));
    const failed = await project.engineWith(env, "up");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('has no update yet. Fill it in. Or undo the change, and run: engine state keep "');
    await project.write("engine.run.ts", program);
    const [, fqn = ""] = /engine state keep "([^"]+)"/.exec(failed.stderr) ?? [];
    expect(await project.engineWith(env, "state", "keep", fqn, "--yes")).toMatchObject({ code: 0 });
    expect((await project.engineWith(env, "plan")).stdout).toContain("nothing to do, 6 unchanged");
  });

  it("can drop a resource of a stub that could not be created", async () => {
    await project.engineWith(ENV, "import", ".alchemy");
    const env = { ...ENV, NOTE_TOKEN: "tok-123" };
    const program = await project.read("engine.run.ts");
    const more = program.replace(
      /await (\w*[Nn]ote)\("note", \{/,
      'await $1("other", { text: "x", inner: false, token: engine.secret("y"), at: new Date() } as any);\n$&',
    );
    expect(more).not.toBe(program);
    await project.write("engine.run.ts", more);
    expect((await project.engineWith(env, "up")).stderr).toContain("has no create yet. Fill it in.");
    await project.write("engine.run.ts", program);
    const dropped = await project.engineWith(env, "up");
    expect(dropped).toMatchObject({ code: 0 });
    expect((await project.engineWith(env, "plan")).stdout).toContain("nothing to do, 6 unchanged");
  });

  it("refuses a file that differs from its record, and changes nothing", async () => {
    await project.write("out/index.html", "another");
    const { code, stderr } = await project.engineWith(ENV, "import", ".alchemy");
    expect(code).toBe(1);
    expect(stderr).toMatch(/index: ".*out\/index.html" has another content/);
    expect(await project.read("out/index.html")).toBe("another");
    await expect(project.read("engine.run.ts")).rejects.toThrow();
  });
});
