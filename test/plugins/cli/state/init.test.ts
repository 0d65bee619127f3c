import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";

let project: Project | undefined;
afterEach(() => project?.remove());

const SERVER = "postgres://ada:hush-hush@127.0.0.1:1/team?schema=ops";

describeUnless(lacksPackage, "engine state init", () => {
  it("prints the SQL of the table without a connection, a program or a password", async () => {
    project = await engineProject();
    const { code, stdout, stderr } = await project.engine("state", "init", "--sql", "--app", "shop", "--state", SERVER);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      'CREATE SCHEMA IF NOT EXISTS "ops";\nCREATE TABLE IF NOT EXISTS "ops"."scope_engine_state" (',
    );
    expect(stdout).not.toContain("hush");
  });

  it("reaches the store, and refuses --sql where there is none", async () => {
    project = await engineProject();
    const ready = await project.engine("state", "init", "--app", "shop", "--state", "place");
    expect(ready).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The store in .*place is ready\.\n$/) });
    const refused = await project.engine("state", "init", "--sql", "--app", "shop", "--state", "place");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("needs no SQL") });
  });
});
