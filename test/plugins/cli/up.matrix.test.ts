import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { startSession } from "../../helpers/terminal/cli-session.ts";
import { describeUnless } from "../../servers/given.ts";
import { site } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine up", () => {
  it("passes its flags on, and what follows -- to the program", async () => {
    const echo = `import { engine } from "scope-engine";
      const app = await engine("echo");
      console.log(app.stage, app.force, JSON.stringify(process.argv.slice(2)));
      await app.finalize();`;
    project = await engineProject({ "engine.run.ts": echo });
    const { stdout } = await project.engine("up", "-s", "prod", "--force", "--", "--stage", "x", "y z");
    expect(stdout).toContain('prod true ["--stage=prod","--force","--","--stage","x","y z"]');
  });

  it("says where there is nothing to run", async () => {
    project = await engineProject();
    const { code, stderr } = await project.engine("up");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('create one with "engine init"'),
    });
    expect((await project.engine("up", "nope.ts")).stderr).toMatch(/there is no file "nope\.ts"\. \[/);
    expect((await project.engine("up", "prod")).stderr).toContain(
      'Nothing to run: there is no file "prod". If "prod" is a stage, pass --stage prod. [INVALID_ARGUMENT]',
    );
  });

  it.each(["engine.run.mts", "engine.run.js", "engine.run.mjs"])("runs %s as well", async (name) => {
    project = await engineProject({ [name]: site, "package.json": '{ "type": "module" }' });
    expect(await project.engine("up")).toMatchObject({ code: 0, stderr: "" });
  });

  it("runs the file that is named, or the program in the folder that is named", async () => {
    project = await engineProject({ "infra/engine.run.ts": site, "other.ts": site });
    expect((await project.engine("up", "infra")).stdout).toContain("1 created");
    expect((await project.engine("up", "other.ts")).stdout).toContain("1 unchanged");
  });

  it("loads .env, without a variable that is set already; --env-file names another one", async () => {
    project = await engineProject({ "engine.run.ts": site, ".env": "TEXT=from-env\n", "other.env": "TEXT=other\n" });
    await project.engine("up");
    expect(await project.read("index.html")).toBe("from-env");
    await project.engine("up", "--env-file", "other.env");
    expect(await project.read("index.html")).toBe("other");
    await project.engineWith({ TEXT: "set" }, "up");
    expect(await project.read("index.html")).toBe("set");
    const missing = await project.engine("up", "--env-file", "nowhere.env");
    // Some Node versions also look for this flag after the program, and report the error themselves.
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toMatch(/nowhere\.env(: not found|": )/);
  });

  it.each(["ts", "mjs"])("names a package that is not installed, and shows nothing of its own (%s)", async (type) => {
    const entry = `engine.run.${type}`;
    project = await engineProject({ [entry]: 'import "no-such-package/part";\n' });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error    "${project.folder}/${entry}" imports the package "no-such-package", which is not installed. Install it: npm install no-such-package [PACKAGE_MISSING]\n`,
    );
  });

  it("names the lines of the sources in the stack of an error", async () => {
    project = await engineProject({
      "engine.run.ts": 'import { fail } from "./lib.js";\n\ninterface None {}\nawait fail();\n',
      "lib.ts":
        "export enum Why { Bad }\n\nexport async function fail(): Promise<never> {\n  throw new TypeError(Why[Why.Bad]);\n}\n",
    });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error {4}TypeError: Bad\n {13}at .*lib\.ts:4:\d+\)?\n$/);
    const verbose = await project.engine("up", "--verbose");
    expect(verbose.stderr).toContain("TypeError: Bad");
    expect(verbose.stderr).toContain(`${project.folder}/lib.ts:4:`);
    expect(verbose.stderr).toContain(`${project.folder}/engine.run.ts:4:`);
  });

  it("ends with 1 where the program fails, with 3 where another run has the lock", async () => {
    const locked = `import { engine } from "scope-engine";
      const app = await engine("locked");
      await app.set("key", Date.now());
      if (process.argv.includes("hold")) { console.log("holding"); await new Promise((done) => setTimeout(done, 60_000)); }
      await app.finalize();`;
    project = await engineProject({ "engine.run.ts": `${locked}\n`, "bad.ts": `${site}throw new Error("no");` });
    expect((await project.engine("up", "bad.ts")).code).toBe(1);
    const holder = startSession(project, ["up", "--", "hold"], { env: { ENGINE_STAGE: "tester" } });
    await holder.next("holding");
    const { code, stderr } = await project.engine("up");
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("STATE_LOCKED") });
    holder.process.kill("SIGTERM");
    expect((await holder.ended).code).toBe(143);
  });

  it("refuses a program that sets its phase itself and would do something else", async () => {
    project = await engineProject({ "engine.run.ts": site.replace('"site"', '"site", { phase: "destroy" }') });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toContain('itself and would open "site/tester" for "destroy". Nothing was opened.');
  });
});
