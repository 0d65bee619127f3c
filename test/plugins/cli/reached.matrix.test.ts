import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { startSession } from "../../helpers/terminal/cli-session.ts";
import { describeUnless } from "../../servers/given.ts";

/** @param options that the program itself passes to engine() */
const program = (options: string): string => `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("site", ${options});
await File("index", { path: app.stage + ".html", content: "hello" });
await app.finalize();
`;

let project: Project;
beforeEach(async () => {
  project = await engineProject({
    "fixed.ts": program('{ stage: "fixed" }'),
    "deaf.ts": program("{ argv: [] }"),
    "passing.ts": program('{ argv: [...process.argv.slice(2), "--adopt"] }'),
  });
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "a program that sets its stage itself", () => {
  it("is not destroyed for another stage that was asked for", async () => {
    await project.engine("up", "fixed.ts");
    const { code, stderr } = await project.engine("destroy", "fixed.ts", "--stage", "prod", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain(
      'You asked for the stage "prod", but the program sets the option "stage" itself and would open "site/fixed"',
    );
    expect(await project.names()).toContain("fixed.html");
    expect(await project.engine("destroy", "fixed.ts", "--stage", "fixed", "--yes")).toMatchObject({ code: 0 });
  });

  it("is not destroyed where ENGINE_STAGE asks for another stage", async () => {
    await project.engine("up", "fixed.ts");
    const env = { ENGINE_STAGE: "pr-5" };
    const { code, stderr } = await project.engineWith(env, "destroy", "fixed.ts", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain('ENGINE_STAGE is "pr-5", but the program sets the option "stage" itself');
    expect(await project.names()).toContain("fixed.html");
    expect(await project.engineWith(env, "destroy", "fixed.ts", "--stage", "fixed", "--yes")).toMatchObject({
      code: 0,
    });
  });

  it.each(["up", "plan", "read"])(
    "is not opened by engine %s for another stage, whose resources it would prune",
    async (command) => {
      await project.engine("up", "fixed.ts");
      const { code, stderr } = await project.engine(command, "fixed.ts", "--stage", "pr-5");
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'You asked for the stage "pr-5", but the program sets the option "stage" itself and would open "site/fixed"',
        ),
      });
      expect(await project.engine(command, "fixed.ts", "--stage", "fixed")).toMatchObject({ code: 0 });
    },
  );

  it.each(["watch", "dev"])("is not opened by engine %s for another stage", async (command) => {
    await project.engine("up", "fixed.ts");
    const session = startSession(project, [command, "fixed.ts", "--stage", "pr-5"]);
    try {
      expect(await session.next('You asked for the stage "pr-5"')).toContain('would open "site/fixed"');
      expect(await project.names()).toContain("fixed.html");
    } finally {
      await session.leave();
    }
  });

  it("has no other stage that state commands could work on", async () => {
    await project.engine("up", "fixed.ts");
    const { code, stderr } = await project.engine(
      "state",
      "forget",
      "**",
      "-s",
      "prod",
      "--entry",
      "fixed.ts",
      "--yes",
    );
    expect(code).toBe(1);
    expect(stderr).toContain('You asked for the stage "prod"');
    expect((await project.engine("state", "list", "--entry", "fixed.ts")).stdout).toContain("site/fixed/index");
  });

  it("still leads to the stage of another app that is named", async () => {
    const { code, stderr } = await project.engine("state", "list", "--app", "o", "-s", "prod", "--entry", "fixed.ts");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('state of "o/prod"') });
  });
});

describeUnless(lacksPackage, "a program that keeps arguments from its app", () => {
  it.each([
    ["up", "deaf.ts", "--stage", "prod"],
    ["up", "deaf.ts", "--target", "**/nothing"],
    ["destroy", "deaf.ts", "--stage", "prod", "--yes"],
    ["state", "list", "--stage", "prod", "--entry", "deaf.ts"],
  ])("is refused by engine %s %s %s", async (...args) => {
    const { code, stderr } = await project.engine(...args);
    expect(code).toBe(1);
    expect(stderr).toContain("INVALID_PROGRAM");
    expect(stderr).toContain('"argv" itself and would open "site/');
    expect(await project.names()).not.toContain("tester.html");
  });

  it("is run where nothing was asked for that it would miss", async () => {
    expect(await project.engine("up", "deaf.ts", "--quiet")).toMatchObject({ code: 0 });
    expect(await project.engine("up", "passing.ts", "--stage", "prod")).toMatchObject({ code: 0 });
    expect(await project.names()).toEqual(expect.arrayContaining(["prod.html", "tester.html"]));
  });
});
