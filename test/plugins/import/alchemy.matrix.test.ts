/** A project that Alchemy 0.94.0 itself deploys is taken over, and plans nothing. */
import { execFile } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { toolPackages } from "../../helpers/processes/tools.ts";
import { describeUnless } from "../../servers/given.ts";
import { checkTypes, textBelow } from "./tofu-project.ts";

/** Each secret has this text, except the ones that are generated. */
const SECRET = "hunter2-of-alchemy";
const APP = `
import { writeFileSync } from "node:fs";
import alchemy, { Resource } from "alchemy";
import { CopyFile, File, Folder } from "alchemy/fs";
import { Exec } from "alchemy/os";
import { RandomString } from "alchemy/random";

const app = await alchemy("trip", { stage: "prod", password: "pw", quiet: true });
const Note = Resource("my::Note", async function (_id, props) {
  if (this.phase === "delete") return this.destroy();
  return this.create({ ...props, at: new Date(0), answer: alchemy.secret("${SECRET}-answer") });
});
await Folder("site", { path: "out/site" });
const key = await RandomString("key", { length: 16 });
const other = await RandomString("other-key", { length: 9, encoding: "base64" });
const index = await File("index", { path: "out/site/index.html", content: "<h1>é 🎉 \`\${'$'}{x}\`</h1>\\n" });
await CopyFile("copy", { src: index.path, dest: "out/copy.html" });
await Note("note", {
  token: alchemy.secret("${SECRET}-token"),
  path: index.path,
  key: key.value,
  none: null,
  undef: undefined,
  big: 2 ** 60,
  nested: { list: [1, { d: new Date(5) }], "a-b": "x" },
});
await Exec("once", { command: "echo ran >> out/once.txt", memoize: true });
await Exec("build", {
  command: "pwd >> log.txt && echo built",
  memoize: true,
  cwd: "out/site",
  inheritStdio: false,
  env: { TOKEN: alchemy.secret("${SECRET}-exec"), MODE: "fast" },
});
await Exec("always", { command: "echo always >> out/always.txt" });
await alchemy.run("backend", async () => {
  await File("api", { path: "out/api.txt", content: "api" });
  await alchemy.run("deep", async () => {
    await Note("n", { token: "plain" });
  });
});
await app.finalize();
writeFileSync("old/generated.json", JSON.stringify([key.value.unencrypted, other.value.unencrypted]));
`;

const ENV = { ENGINE_IMPORT_PASSPHRASE: "pw", ENGINE_PASSWORD: "correct horse", ENGINE_STAGE: "prod" };
/** Alchemy sends telemetry unless it is told not to. */
const QUIET = { DO_NOT_TRACK: "1", ALCHEMY_TELEMETRY_DISABLED: "1" };

let project: Project;
afterEach(() => project.remove());

describeUnless(lacksPackage, "a project that Alchemy 0.94.0 deployed", () => {
  test("plans nothing after the import, keeps generated secrets, and holds none in the clear", async () => {
    project = await engineProject();
    await project.write("old/alchemy.run.mjs", APP);
    await symlink(await toolPackages("alchemy@0.94.0"), join(project.folder, "old/node_modules"));
    const { PATH, HOME } = process.env;
    const own = { cwd: project.folder, env: { PATH, HOME, ...QUIET } };
    await promisify(execFile)(process.execPath, ["old/alchemy.run.mjs"], own);

    const imported = await project.engineWith(ENV, "import", ".alchemy", "--json");
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const { resources, variables, notes } = JSON.parse(imported.stdout);
    expect(resources).toBe(11);
    expect(variables).toEqual([
      { name: "BUILD_ENV_TOKEN", usedBy: ["build"] },
      { name: "NOTE_TOKEN", usedBy: ["note"] },
    ]);
    expect(notes.filter((note: string) => note.includes("Exec"))).toEqual([
      expect.stringMatching(/^Fill in .* of "alchemy:os:Exec" .* It ran in each deployment.* declare a Command/),
    ]);
    const env = { ...ENV, NOTE_TOKEN: `${SECRET}-token`, BUILD_ENV_TOKEN: `${SECRET}-exec` };
    const planned = await project.engineWith(env, "plan", "--exit-code");
    expect(planned, planned.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nothing to do, 11 unchanged"),
    });
    await checkTypes(project);

    const generated: readonly string[] = JSON.parse(await project.read("old/generated.json"));
    await rm(join(project.folder, "old"), { recursive: true });
    const all = await textBelow(project.folder, ["node_modules"]);
    for (const secret of [SECRET, ...generated]) expect(all).not.toContain(secret);

    const up = await project.engineWith(env, "up");
    expect(up, up.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("11 unchanged") });
    expect(await project.read("out/once.txt")).toBe("ran\n");
    const program = await project.read("engine.run.ts");
    await project.write("engine.run.ts", program.replace("echo ran", "echo again").replace('"fast"', '"slow"'));
    const again = await project.engineWith(env, "up");
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("2 updated, 9 unchanged") });
    expect(await project.read("out/once.txt")).toBe("ran\nagain\n");
    const ran = await project.read("out/site/log.txt");
    expect(ran.trim().split("\n")).toEqual([1, 2].map(() => expect.stringMatching(/\/out\/site$/)));
    expect(await project.read("out/copy.html")).toBe(await project.read("out/site/index.html"));
  }, 300_000);
});
