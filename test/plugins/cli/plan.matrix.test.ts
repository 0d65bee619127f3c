import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { site } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine plan", () => {
  it("ends with 2 where there is something to do, if --exit-code asks for it", async () => {
    project = await engineProject({ "engine.run.mjs": site });
    expect((await project.engine("plan", "--exit-code")).code).toBe(2);
    await project.engine("up");
    expect((await project.engine("plan", "--exit-code")).code).toBe(0);
    expect((await project.engine("plan", "--exit-code", "--destroy")).code).toBe(2);
  });

  it("ends with 2, not with 0 and nothing to do, where a run would only record something", async () => {
    project = await engineProject({ "engine.run.mjs": site });
    await project.engine("up");
    await project.write(
      "engine.run.mjs",
      site.replace("await app.finalize", "await app.outputs(1);\nawait app.finalize"),
    );
    expect(await project.engine("plan", "--exit-code")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("plan of site/tester: 1 to record, 1 unchanged"),
    });
  });

  it("prints the name of a value that is not known yet, also where a program puts it into a text", async () => {
    project = await engineProject({
      "engine.run.mjs": `
import { engine, Resource } from "scope-engine";
const Db = Resource("site:Db", { create: () => ({ url: "db://" }), delete() {} });
const app = await engine("site");
const { url } = await Db("index", {});
console.log(\`at \${url}!\`);
await app.finalize();
`,
    });
    const { stdout, stderr } = await project.engine("plan");
    expect(stdout + stderr).toContain("at site/tester/index.url (known after apply)!");
    expect(stdout + stderr).not.toContain("unknownx");
  });

  it("refuses a program that reads no arguments, and would really run", async () => {
    project = await engineProject({ "engine.run.mjs": site.replace('"site"', '"site", { argv: [] }') });
    const { code, stderr } = await project.engine("plan");
    expect(code).toBe(1);
    expect(stderr).toMatch(/You asked for "plan", but .* for "up"/);
    expect(await project.names()).not.toContain("index.html");
  });
});

describeUnless(lacksPackage, "engine drift", () => {
  it("tells what is not as recorded, and ends with 2 if --exit-code asks for it", async () => {
    project = await engineProject({ "engine.run.mjs": site });
    await project.engine("up");
    expect(await project.engine("drift", "--exit-code")).toMatchObject({
      code: 0,
      stdout: "drift of site/tester: 1 as recorded\n",
    });
    await project.write("index.html", "hallo!");
    const { code, stdout } = await project.engine("drift", "--exit-code");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^drifted {2}site\/tester\/index {2}\(fs:File\)\n {9}size: 5 → 6\n/);
    const json = await project.engine("drift", "--json");
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      app: "site",
      resources: [{ fqn: "site/tester/index", gone: false }],
    });
  });

  it("ends with 4 where it could not look at something, if --exit-code asks for it", async () => {
    const blind = `
import { engine, Resource } from "scope-engine";
const Blind = Resource("test:Blind", { create: () => ({}), delete() {} });
const app = await engine("site");
await Blind("a", {});
await app.finalize();
`;
    project = await engineProject({ "engine.run.mjs": blind });
    await project.engine("up");
    expect(await project.engine("drift", "--exit-code")).toMatchObject({ code: 4 });
    expect(await project.engine("drift")).toMatchObject({ code: 0 });
  });

  it("says that a program opens no app", async () => {
    project = await engineProject({ "engine.run.mjs": "export {};", "waits.ts": "await new Promise(() => {});" });
    const none = await project.engine("drift");
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("it never called engine()") });
    expect((await project.engine("drift", "waits.ts")).code).not.toBe(0);
  });
});

describeUnless(lacksPackage, "engine read", () => {
  it("gives the program what is recorded, and fails where nothing is", async () => {
    const source = site.replace("await File(", "console.log((await File(").replace("});\nawait", "})).path);\nawait");
    project = await engineProject({ "engine.run.mjs": source });
    expect(await project.engine("read")).toMatchObject({ code: 1, stderr: expect.stringContaining("NOT_RECORDED") });
    await project.engine("up");
    expect(await project.engine("read")).toMatchObject({ code: 0, stdout: expect.stringContaining("index.html") });
  });
});
