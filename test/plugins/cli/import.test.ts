/** `engine import` of sources whose resources need no provider. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage, type Project, plainEnv } from "../../helpers/processes/engine-project.ts";
import { builtMain, projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { describeUnless } from "../../servers/given.ts";
import { runBuilt } from "../import/killed.ts";
import { recordsIn } from "../import/records-in.ts";

const HEAD = '{"version":4,"terraform_version":"1.6.2","serial":3,"lineage":"l","outputs":{},';
const PROVIDER = 'provider["terraform.io/builtin/terraform"]';

const data = (name: string, value: string, more: object = {}, instance: object = {}) => ({
  mode: "managed",
  type: "terraform_data",
  name,
  provider: PROVIDER,
  ...more,
  instances: [
    {
      schema_version: 0,
      attributes: {
        id: `id-of-${name}`,
        input: { value, type: "string" },
        output: { value, type: "string" },
        triggers_replace: null,
      },
      ...instance,
    },
  ],
});
const state = (...resources: object[]): string => `${HEAD}"resources":${JSON.stringify(resources)}}`;
const BASE = { dependencies: ["terraform_data.base"] };
const TWO = state(data("base", "one"), data("web", "id-of-base", { module: "module.net" }, BASE));

let project: Project;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  project = await projectWithPeers({});
  env = { ENGINE_STAGE: "dev", XDG_STATE_HOME: join(project.folder, "home") };
});
afterEach(() => project.remove());

const run = (...args: readonly string[]) => runBuilt(project.folder, args, env);

describeUnless(lacksPackage, "engine import", () => {
  it("reads standard input", async () => {
    const imported = await runBuilt(project.folder, ["import", "-", "--name", "shop", "--write", "infra"], env, TWO);
    expect(imported, imported.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 resources recorded in "shop/'),
    });
    const plan = await run("plan", "infra/engine.run.ts", "--root-dir", "infra", "--exit-code");
    expect(plan, plan.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do, 2 unchanged") });
    const empty = await runBuilt(project.folder, ["import", "-", "--name", "shop"], env, "");
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('"standard input"') });
  });

  it.each([
    ["a mark of its encoding", Buffer.from(`\uFEFF${TWO}`)],
    ["UTF-16, as PowerShell on Windows writes it", Buffer.from(`\uFEFF${TWO}`, "utf16le")],
  ])("reads a state with %s", async (_what, bytes) => {
    await writeFile(join(project.folder, "two.tfstate"), bytes);
    const imported = await run("import", "two.tfstate", "--name", "shop");
    expect(imported, imported.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 resources recorded in"),
    });
  });

  it("refuses bytes that are not UTF-8 by their line, and leaves nothing", async () => {
    await writeFile(join(project.folder, "latin.tfstate"), Buffer.from(`{\n${TWO.slice(1, -1)},"a":"\xe9"}`, "latin1"));
    await writeFile(join(project.folder, "latin.csv"), Buffer.from("kind,name,id\na/b:c,caf\xe9,1\n", "latin1"));
    const imported = await run("import", "latin.tfstate", "--name", "shop");
    expect(imported.stderr).toContain(
      'This command imported nothing: "latin.tfstate" is not UTF-8: line 2 has other bytes.',
    );
    const adopted = await run("adopt", "latin.csv", "--name", "shop");
    expect(adopted.stderr).toContain('This command adopted nothing: "latin.csv" is not UTF-8: line 2 has other bytes.');
    expect([imported.code, adopted.code]).toEqual([1, 1]);
    expect(await project.names()).toEqual(["latin.csv", "latin.tfstate", "node_modules"]);
  });

  it("refuses a stage with other resources, or with other values of the same ones, and changes nothing", async () => {
    await project.write("one.tfstate", state(data("other", "one")));
    await project.write("two.tfstate", TWO);
    await project.write("changed.tfstate", TWO.replaceAll('"one"', '"another"'));
    const to = (name: string, folder: string) =>
      run("import", name, "--name", "shop", "--root-dir", ".", "--write", folder);
    expect(await to("one.tfstate", "first")).toMatchObject({ code: 0 });
    const pull = () => run("state", "pull", "--app", "shop");
    const before = (await pull()).stdout;
    const refused = await to("two.tfstate", "second");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(
      '"shop/dev" has 1 resource already, and it is not as in the source: "other" differs',
    );
    expect((await pull()).stdout).toBe(before);
    expect(await project.names()).not.toContain("second");
    await run("state", "forget", "other", "--app", "shop", "--yes");
    expect(await to("two.tfstate", "second")).toMatchObject({ code: 0 });
    const changed = await to("changed.tfstate", "third");
    expect(changed.stderr).toContain('"base" differs');
    expect(await to("two.tfstate", "second")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 resources were recorded in "shop/'),
    });
  });

  it("prints the next command, which finds the records from the folder of the import", async () => {
    await project.write("two.tfstate", TWO);
    await project.write("pass word", "correct horse");
    const next = async (...args: readonly string[]) => {
      const { stdout, stderr } = await run("import", "two.tfstate", "--name", "shop", ...args);
      return /\nNext: (.+)\n$/.exec(stdout)?.[1] ?? `${stdout}${stderr}`;
    };
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["cd 'my infra' && engine plan --stage prod", ["--write", "my infra", "--stage", "prod"]],
      ["cd t2 && engine plan --password-file '../pass word'", ["--write", "t2", "--password-file", "pass word"]],
      ["cd t3 && engine plan --state file:own", ["--write", "t3", "--state", "file:own"]],
      ["engine plan t4 --stage four --root-dir .", ["--write", "t4", "--stage", "four", "--root-dir", "."]],
      ["engine plan", []],
    ];
    const built = `"${process.execPath}" "${builtMain}"`;
    for (const [command, args] of cases) {
      expect(await next(...args)).toBe(command);
      const shell = `${command.replace("engine plan", `${built} plan`)} --exit-code`;
      const planned = await promisify(execFile)("sh", ["-c", shell], {
        cwd: project.folder,
        env: { ...plainEnv(), ...env },
      });
      expect(planned.stdout, command).toContain("nothing to do, 2 unchanged");
    }
  });

  it("shows a short program and the length of each file before it writes them", async () => {
    await project.write("two.tfstate", TWO);
    const shown = await run("import", "two.tfstate", "--name", "shop", "--write", "infra", "--plan");
    expect(await project.names()).not.toContain("infra");
    const asJson = await run("import", "two.tfstate", "--name", "shop", "--write", "infra", "--plan", "--json");
    await run("import", "two.tfstate", "--name", "shop", "--write", "infra");
    const text = await project.read("infra/engine.run.ts");
    expect(shown.stdout).toContain(`write    infra/engine.run.ts (${text.split("\n").length - 1} lines)\n`);
    expect(shown.stdout).toContain(`\ninfra/engine.run.ts:\n${text}\n2 resources would be recorded`);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ program: { "engine.run.ts": text } });
  });

  it("shows only the length of a long program", async () => {
    const many = Array.from({ length: 120 }, (_, at) => data(`n${at}`, `${at * at}`));
    await project.write("many.tfstate", state(...many));
    const { stdout } = await run("import", "many.tfstate", "--name", "shop", "--plan");
    expect(stdout).toMatch(/write {4}engine\.run\.ts \((\d+) lines\)\nThe program has \1 lines\. --json shows them/);
    expect(stdout).not.toContain("await app.finalize()");
  });

  it.skipIf(process.platform === "win32")("writes source files and folders that others can read", async () => {
    await project.write("two.tfstate", TWO);
    await run("import", "two.tfstate", "--name", "shop", "--write", "new/infra");
    const modes = ["new", "new/infra", "new/infra/engine.run.ts", "new/infra/.engine"].map(async (path) => {
      return ((await stat(join(project.folder, path))).mode & 0o777).toString(8);
    });
    const [folder, file] = [0o777, 0o666].map((mode) => (mode & ~process.umask()).toString(8));
    expect(await Promise.all(modes)).toEqual([folder, folder, file, "700"]);
  });

  it("makes the records that a create by the program makes", async () => {
    await project.write("two.tfstate", TWO);
    await run("import", "two.tfstate", "--name", "shop");
    const up = await run("up", "--state", "file:created");
    expect(up, up.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("2 created") });
    const records = async (...store: string[]) => recordsIn((await run("state", "pull", ...store)).stdout);
    const imported = await records();
    expect(Object.keys(imported)).toEqual(["base", "net/web"]);
    expect(imported["net/web"]?.refs).toEqual(["<base>"]);
    expect(imported).toEqual(await records("--state", "file:created"));
  });

  it("names the variable of a missing password before anything else happens, and leaves nothing", async () => {
    const path = [[{ type: "get_attr", value: "input" }]];
    // Its provider cannot be downloaded, which an import would notice first otherwise.
    const provider = 'provider["registry.invalid/a/b"]';
    const attributes = { attributes: { input: "hush-hush" }, sensitive_attributes: path };
    await project.write("secret.tfstate", state(data("base", "x", { type: "b_thing", provider }, attributes)));
    const refused = await run("import", "secret.tfstate", "--name", "shop");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("[PASSWORD_REQUIRED]") });
    expect(refused.stderr).toContain("b_thing.base");
    expect(refused.stderr).toContain("ENGINE_PASSWORD");
    expect(refused.stderr).toContain("--password-file");
    expect(refused.stderr).not.toContain("hush-hush");
    expect(await project.names()).toEqual(["node_modules", "secret.tfstate"]);
  });

  it("keeps a file that another program writes meanwhile, and is completed by the same command", async () => {
    await project.write("two.tfstate", TWO);
    await mkdir(join(project.folder, "infra"));
    await writeFile(join(project.folder, "infra/engine.run.ts"), "mine");
    const args = ["import", "two.tfstate", "--name", "shop", "--write", "infra"];
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining("[FILE_EXISTS]") });
    expect(await readFile(join(project.folder, "infra/engine.run.ts"), "utf8")).toBe("mine");
    await rm(join(project.folder, "infra/engine.run.ts"));
    expect(await run(...args)).toMatchObject({ code: 0 });
  });

  it("writes its files to a disk without hard links, such as FAT", async () => {
    await project.write("two.tfstate", TWO);
    const loader = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.linkSync = () => { throw Object.assign(new Error("EPERM: no links"), { code: "EPERM" }); };
syncBuiltinESMExports();`;
    const faulty = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(loader)}` };
    const args = ["import", "two.tfstate", "--name", "shop", "--write", "infra"];
    const imported = await runBuilt(project.folder, args, faulty);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    await rm(join(project.folder, "infra/engine.run.ts"));
    expect(await runBuilt(project.folder, args, faulty)).toMatchObject({ code: 0 });
    const plan = await run("plan", "infra/engine.run.ts", "--root-dir", "infra", "--exit-code");
    expect(plan, plan.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do, 2 unchanged") });
  });

  it("refuses a place that its files cannot be written to before anything is recorded", async () => {
    await project.write("two.tfstate", TWO);
    const refusal = async (...more: readonly string[]) => {
      const { code, stderr } = await run("import", "two.tfstate", "--name", "shop", "--root-dir", ".", ...more);
      expect(await run("state", "list", "--app", "shop")).toMatchObject({ code: 1 });
      expect(code).toBe(1);
      return stderr;
    };
    await project.write("file", "");
    await symlink("nowhere", join(project.folder, "link"));
    for (const place of ["file", "file/below", "link", "link/below"])
      expect(await refusal("--write", place), place).toMatch(
        /"[^"]+\/(?:file|link)" is not a folder, so this command recorded nothing\. Name another one: --write DIR\./,
      );
    await mkdir(join(project.folder, "taken/engine.run.ts"), { recursive: true });
    expect(await refusal("--write", "taken")).toMatch(
      /taken\/engine\.run\.ts" exists, so this command recorded nothing\./,
    );
  });

  it("names what it looked for in a folder without a state, and the state of a folder that has one", async () => {
    const seen = async (folder: string) => (await run("import", folder, "--name", "shop")).stderr;
    await mkdir(join(project.folder, "none"));
    const none = await seen("none");
    for (const name of ["*.tfstate", ".alchemy", "Pulumi.yaml", "sst.config.ts", "tofu state pull | engine import -"])
      expect(none).toContain(name);
    await project.write("tf/main.tf", "");
    expect(await seen("tf")).toContain('it holds "main.tf", run: tofu state pull | engine import -');
    await project.write("tf/terraform.tfstate", TWO);
    expect(await seen("tf")).toContain("run: engine import tf/terraform.tfstate");
    await project.write("pulumi/Pulumi.yaml", "");
    expect(await seen("pulumi")).toContain("run: pulumi stack export | engine import -");
    await mkdir(join(project.folder, "alchemy/.alchemy"), { recursive: true });
    expect(await seen("alchemy")).toContain("run: engine import alchemy/.alchemy");
  });

  it("speaks of the list if the list of an adoption is missing or a folder", async () => {
    const missing = await run("adopt", "none.csv", "--name", "shop");
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no "none.csv". Name a list') });
    expect(missing.stderr).not.toContain("tfstate");
    await mkdir(join(project.folder, "lists"));
    const folder = await run("adopt", "lists", "--name", "shop");
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining("is a folder. Name a list") });
    await project.write("list.csv", "kind,name,id\nterraform.io/builtin/terraform:terraform_data,a,b\n");
    const builtIn = await run("adopt", "list.csv", "--name", "shop");
    expect(builtIn.stderr).toContain("Leave it out of the list");
    expect(builtIn.stderr).not.toContain("old tool once");
  });
});
