import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { read } from "../../house/project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine init", () => {
  it("writes a program that runs, the tsconfig of the guide, and what version control is to ignore", async () => {
    project = await engineProject();
    const { code, stdout } = await project.engine("init", "--yes", "--name", "first");
    expect(code).toBe(0);
    expect(stdout).toContain("written  engine.run.ts\nwritten  .gitignore\nwritten  tsconfig.json\n");
    expect(stdout).toContain("\n  npm install --save-dev typescript @types/node ");
    expect(stdout.match(/npm install/g)).toHaveLength(1);
    expect(stdout).toContain("\n  npx engine secrets generate-key ");
    expect(await project.read(".gitignore")).toBe("node_modules/\n.engine/\nengine-recovery.*\n.env\n");
    const [, shown] = /```json\n(\{\n {2}"compilerOptions"[^`]*)```/.exec(read("docs/guide/getting-started.md")) ?? [];
    expect(await project.read("tsconfig.json")).toBe(shown);
    expect((await project.engine("up")).stdout).toContain("first/tester up done");
    expect(await project.read("public/tester/index.html")).toBe("<h1>hello</h1>");
  });
});
