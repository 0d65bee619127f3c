import { afterAll, beforeAll, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { twoFiles } from "./two-files.ts";

let project: Project;
beforeAll(async () => {
  project = await engineProject({ "engine.run.mjs": twoFiles });
  await project.engine("up", "--stage", "prod");
});
afterAll(() => project.remove());

const COMMANDS: readonly (readonly string[])[] = [
  ["destroy", "--yes"],
  ["plan", "--destroy"],
  ["drift"],
  ["graph"],
  ["state", "list"],
  ["state", "show", "one"],
  ["state", "history"],
  ["state", "verify"],
  ["state", "unlock", "--yes"],
  ["state", "forget", "one", "--yes"],
  ["state", "move", "one", "two", "--yes"],
  ["state", "keep", "one", "--yes"],
  ["state", "restore", "1", "--yes"],
  ["state", "purge", "--yes"],
  ["state", "pull"],
  ["state", "migrate", "--to", "elsewhere", "--yes"],
  ["state", "recover"],
  ["state", "processes"],
];

describeUnless(lacksPackage, "a mistyped stage", () => {
  it.each(COMMANDS)("does not look like an empty one to engine %s %s", async (...command) => {
    const { code, stderr } = await project.engine(...command, "--stage", "prdo");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "prod"?') });
    expect(await project.engine(...command, "--stage", "prdo", "--missing-ok")).toMatchObject({ code: 0 });
  });

  it.each([["drift"], ["state", "list"], ["state", "restore", "1"]])(
    "is reported to a program that reads JSON: engine %s %s --missing-ok --json",
    async (...command) => {
      const { code, stdout } = await project.engine(...command, "--stage", "prdo", "--missing-ok", "--json");
      expect({ code, told: JSON.parse(stdout) }).toEqual({
        code: 0,
        told: { app: "site", stage: "prdo", missing: true },
      });
    },
  );

  it("does not look like an empty one if the app is mistyped", async () => {
    const { code, stderr } = await project.engine("state", "list", "--app", "stie");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "site"?') });
  });
});

describeUnless(lacksPackage, "a stage that was destroyed", () => {
  it("may be destroyed again, so that the last step of a pipeline may be repeated", async () => {
    await project.engine("up", "--stage", "pr-1");
    await project.engine("destroy", "--stage", "pr-1", "--yes");
    expect(await project.engine("destroy", "--stage", "pr-1", "--yes")).toMatchObject({ code: 0 });
  });
});
