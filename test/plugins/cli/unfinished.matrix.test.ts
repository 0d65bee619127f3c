import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { begun } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program that never comes to finalize()", () => {
  it("keeps the exit code that it ends itself with", async () => {
    project = await engineProject({ "engine.run.mjs": `${begun}process.exit(7);` });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(7);
    expect(stderr).toContain("NOT_FINALIZED");
  });

  it("is not a failure of engine read, which changes nothing", async () => {
    project = await engineProject({ "engine.run.mjs": `${begun}await app.finalize();` });
    await project.engine("up");
    await project.write("engine.run.mjs", `${begun}process.exit(0);`);
    expect(await project.engine("read")).toMatchObject({ code: 0, stderr: "" });
  });

  it("fails engine plan, too, which has no plan to show", async () => {
    project = await engineProject({ "engine.run.mjs": `${begun}process.exit(0);` });
    const { code, stderr } = await project.engine("plan");
    expect(code).toBe(1);
    expect(stderr).toMatch(/no plan was made.*\[NOT_FINALIZED\]/);
  });
});

/** A server whose create may or may not have taken effect, and which the program may no longer declare. */
const doubtful = (isDeclared: boolean): string => `
import { engine, Resource } from "scope-engine";

const Server = Resource("demo:Server", { create() { throw new Error("the answer was lost"); }, delete() {} });
const app = await engine("site");
${isDeclared ? 'await Server("main");' : ""}
await app.finalize();
`;

describeUnless(lacksPackage, "a run that leaves a doubtful create", () => {
  it("is done, says how much is left, and ends with 1, as its plan does", async () => {
    project = await engineProject({ "engine.run.mjs": doubtful(true) });
    expect((await project.engine("up")).code).toBe(1);
    await project.write("engine.run.mjs", doubtful(false));
    expect((await project.engine("plan")).code).toBe(1);
    const { code, stdout, stderr } = await project.engine("up");
    expect(stderr).toContain("[UNRESOLVED]");
    expect(stdout).toMatch(/up done in .*: 1 left$/m);
    expect(code).toBe(1);
    expect((await project.engine("state", "forget", "main", "--yes")).code).toBe(0);
    expect((await project.engine("up")).code).toBe(0);
  });
});
