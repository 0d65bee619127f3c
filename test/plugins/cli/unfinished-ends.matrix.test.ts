import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { begun } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program that never comes to finalize()", () => {
  it("is reported if it ends itself with process.exit(0), and engine up fails", async () => {
    project = await engineProject({ "engine.run.mjs": `${begun}process.exit(0);` });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^warning .*process\.exit\(\) before finalize\(\).*"tester".*\[NOT_FINALIZED\]/);
  });
});

describeUnless(lacksPackage, "a program that ends itself after finalize()", () => {
  it("has done all that it had to", async () => {
    project = await engineProject({ "engine.run.mjs": `${begun}await app.finalize();\nprocess.exit(0);` });
    expect(await project.engine("up")).toMatchObject({ code: 0, stderr: "" });
  });

  it("has not failed where it only looks at what it has made", async () => {
    const look = 'await app.finalize();\nconsole.log(await app.run((scope) => scope.has("index")));';
    project = await engineProject({ "engine.run.mjs": `${begun}${look}` });
    const { code, stdout, stderr } = await project.engine("up");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^true$/m);
    expect(await project.read("index.html")).toBe("hello");
  });
});
