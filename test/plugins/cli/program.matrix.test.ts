import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project, runEngine } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine", () => {
  it.each([
    [["up", "--stge", "x"], "(Did you mean --stage?)"],
    [["telemetry", "stats"], "(Did you mean status?)"],
    [["up", "--stage"], "argument missing"],
    [["state", "migrate", "app.ts", "--to", "x"], "--entry names the program"],
    [["completion", "tcsh"], "Allowed choices are bash, zsh, fish"],
  ])("refuses %j and says what there is", async (args, hint) => {
    project = await engineProject({ "engine.run.ts": "console.log('ran');" });
    const { code, stdout, stderr } = await project.engine(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(hint);
  });

  it("uses the project's own copy of the package, where it is run from another one", async () => {
    project = await engineProject();
    await project.write(
      "other/node_modules/scope-engine/package.json",
      '{ "name": "scope-engine", "version": "9.9.9", "type": "module", "bin": { "engine": "main.js" } }',
    );
    await project.write(
      "other/node_modules/scope-engine/main.js",
      "console.log('the other one', process.argv.slice(2));",
    );
    const { stdout } = await runEngine(`${project.folder}/other`, ["--version"], {});
    expect(stdout).toBe("the other one [ '--version' ]\n");
  });

  it("remembers for the user whether telemetry is wanted", async () => {
    project = await engineProject();
    const env = { XDG_CONFIG_HOME: `${project.folder}/config` };
    expect((await project.engineWith(env, "telemetry", "status")).stdout).toContain("off: no project key is set");
    expect((await project.engineWith(env, "telemetry", "disable")).stdout).toContain("Telemetry is off for this user");
    expect((await project.engineWith({ ...env, ENGINE_TELEMETRY_KEY: "k" }, "telemetry", "status")).stdout).toContain(
      "off for this user",
    );
    const keyed = { ...env, ENGINE_TELEMETRY_KEY: "k" };
    await project.engineWith(env, "telemetry", "enable");
    expect(
      (await project.engineWith({ ...keyed, ENGINE_TELEMETRY_DEBUG: "1" }, "telemetry", "status")).stdout,
    ).toContain("printed and not sent");
    const homeless = { ...keyed, XDG_CONFIG_HOME: "", HOME: "" };
    expect((await project.engineWith(homeless, "telemetry", "status")).stdout).toContain("HOME is not set");
    expect(await project.engineWith(homeless, "telemetry", "disable")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Set HOME"),
    });
    expect((await project.engineWith({ ...env, ENGINE_TELEMETRY_KEY: "k" }, "telemetry", "status")).stdout).toContain(
      "is allowed for this user",
    );
    expect((await project.engineWith({ ...env, DO_NOT_TRACK: "1" }, "telemetry", "status")).stdout).toContain(
      "DO_NOT_TRACK is set",
    );
  });

  it("prints help: of itself without a command on stderr, of a command with --help", async () => {
    project = await engineProject();
    const bare = await project.engine();
    expect(bare).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Usage: engine") });
    const help = await project.engine("plan", "--help");
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage: engine plan [entry]"), stderr: "" });
    expect((await project.engine("help", "plan")).stdout).toBe(help.stdout);
  });
});
