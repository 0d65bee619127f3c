import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program in TypeScript that is loaded another way than it was meant", () => {
  it("is not run by half a tsconfig.json, nor by half of one that it extends", async () => {
    const fine = '{ // "a",]\n "compilerOptions": { "jsxFactory": "a//b,}", /* , */ "lib": ["ES2022",], },\n}\n';
    project = await engineProject({
      "engine.run.ts": `import { engine } from "scope-engine"; await (await engine("a", { quiet: true })).finalize();`,
      "tsconfig.json": fine,
    });
    expect((await project.engine("up")).stderr).toBe("");
    const broken = [
      ['{ "strict": true\n  "jsx": "react" }', 'tsconfig.json:2:3: This is not JSON: Unexpected token, expected ","'],
      ['{ "a": {\n', "tsconfig.json:1:9: This is not JSON: it ends too early"],
      ["{ a: 1 }", "tsconfig.json:1:1: This is not JSON: "],
    ] as const;
    for (const [text, told] of broken) {
      await project.write("tsconfig.json", text);
      const { code, stderr } = await project.engine("up");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(told) });
    }
    await project.write("tsconfig.json", '{ "extends": "./base.json" }');
    await project.write("base.json", '{ "compilerOptions": { }} }');
    expect((await project.engine("up")).stderr).toContain("base.json:1:27: This is not JSON: Unexpected token");
  });

  it("gets the right place of a name, or an entry, of the engine that it does not find", async () => {
    project = await engineProject({ "engine.run.ts": 'import { engine, File } from "scope-engine"; File("a", {});' });
    const { stderr } = await project.engine("up");
    expect(stderr).toContain(
      'engine.run.ts:1: "scope-engine" has no "File". Write: import { File } from "scope-engine/resources"',
    );
    for (const [asked, meant] of [
      ["resource", "resources"],
      ["s3", "adapters/s3"],
    ]) {
      await project.write("engine.run.ts", `import "scope-engine/${asked}";`);
      expect((await project.engine("up")).stderr).toMatch(
        new RegExp(`engine\\.run\\.ts" imports "scope-engine/${asked}", .* Did you mean "scope-engine/${meant}"\\?`),
      );
    }
  });

  it("may require the engine in CommonJS", async () => {
    const body =
      'void (async () => { await (await engine("a")).finalize(); console.log(typeof File, require.main); })();';
    const files = {
      "engine.run.ts": `"use strict"; const { engine } = require("scope-engine"); const { File } = require("scope-engine/resources"); const { n } = require("./n.cts"); ${body} n.x;`,
      "n.cts": 'import { engine } from "scope-engine"; export const n = { x: typeof engine };',
    };
    project = await engineProject(files);
    const { code, stdout, stderr } = await project.engine("up");
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/^function /m) });
  });
});
