import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

const never = "await new Promise(() => {});\n";
const opened = `
import { engine } from "scope-engine";

const app = await engine("site");
await app.finalize();
`;

describeUnless(lacksPackage, "a program that ends", () => {
  it.each([["plan"], ["read"], ["destroy", "--yes"]])("without an app is a failure of engine %s", async (...args) => {
    project = await engineProject({ "engine.run.ts": 'console.log("all there is");\n' });
    const { code, stdout, stderr } = await project.engine(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "all there is\n" });
    expect(stderr).toContain("ended without opening an app: it never called engine().");
  });

  it("may open its app later", async () => {
    project = await engineProject({
      "engine.run.mjs": `setTimeout(() => import("./later.mjs"), 50);\n`,
      "later.mjs": opened,
    });
    expect(await project.engine("up")).toMatchObject({ code: 0, stderr: "" });
  });

  it("without an app by itself knows what it does", async () => {
    project = await engineProject({ "engine.run.ts": 'console.log("usage: …");\nprocess.exit(0);\n' });
    expect(await project.engine("up", "--", "--help")).toEqual({ code: 0, stdout: "usage: …\n", stderr: "" });
  });
});

describeUnless(lacksPackage, "a program that waits for what cannot happen", () => {
  it.each([
    ["engine.run.mjs", ["up"]],
    ["engine.run.ts", ["up"]],
    ["engine.run.ts", ["state", "list"]],
  ])("fails, and says so: %s by engine %s", async (name, args) => {
    project = await engineProject({ [name]: never });
    const { code, stderr } = await project.engine(...args);
    expect(code).toBe(1);
    expect(stderr).toContain("waits forever");
    expect(stderr).not.toContain("never called engine()");
  });

  it("fails after its run was done, too", async () => {
    project = await engineProject({ "engine.run.ts": `${opened}${never}` });
    const { code, stdout, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stdout).toContain("up done");
    expect(stderr).toContain("waits forever");
  });
});
