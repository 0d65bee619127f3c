import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program that ends", () => {
  it("without an app is a failure of engine up", async () => {
    project = await engineProject({ "engine.run.ts": 'console.log("all there is");\n' });
    const { code, stdout, stderr } = await project.engine("up");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "all there is\n" });
    expect(stderr).toContain("has ended, and opened no app: it never called engine().");
  });

  it("without an app by itself knows what it does", async () => {
    project = await engineProject({ "engine.run.ts": 'console.log("usage: …");\nprocess.exit(0);\n' });
    expect(await project.engine("up", "--", "--help")).toEqual({ code: 0, stdout: "usage: …\n", stderr: "" });
  });
});

describeUnless(lacksPackage, "a program that waits for what cannot happen", () => {
  it("fails, and says so", async () => {
    project = await engineProject({ "engine.run.mjs": "await new Promise(() => {});\n" });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toContain("waits for something that cannot happen any more");
    expect(stderr).not.toContain("never called engine()");
  });
});
