/** Secret values in every command of the packed package: none may be printed or written. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, expect, test } from "vitest";
import { engineProject, type Finished, lacksPackage, type Project } from "../../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../../servers/given.ts";
import { fixtureProgram } from "../fixture-provider.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let project: Project | undefined;
let world = "";
afterEach(async () => {
  await project?.remove();
  await rm(world, { recursive: true, force: true });
});

const PROVIDER = "terraform-provider-fixture";

const program = (name: string) => `
import { engine, Secret } from "scope-engine";
import { fixture } from "./providers/fixture.js";

const app = await engine("shop");
const it = fixture({ note: "canary-configured", token: "canary-token" }, { env: { NOTE: "canary-env" } });
it.thing("thing", { name: new Secret("canary-given"), secret: "canary-marked", tags: { a: new Secret("canary-in-map"), b: "seen" } });
it.nested("nested", { single: { name: "${name}", secret: "canary-inside" } });
it.behaviour("behaviour", { name: "${name}", value: new Secret("canary-derived"), onUpdate: process.env.CRASHES && "crash" });
it.writeOnly("written", { name: "${name}", password: "canary-written" });
for (const as of ["plain", "login", "hex", "key", "private"])
  it.echo(as, { name: "${name}", as, value: new Secret("canary-back") });
it.echo("config", { name: "${name}", as: "plain" });
it.echo("both", { name: "${name}", as: "plain", written: new Secret("canary-written-back") });
if (process.env.FAILS) it.behaviour("fail", { name: "a", value: new Secret("canary-derived"), onCreate: "fail-partial" });
await app.finalize();
`;

/** Also matches base64 and hex. */
const LEAK = /canary-[a-z-]+|password-\d+|(?:Y2FuYXJ5|jYW5hcn|NhbmFye)[\w+/]*|63616e617279[0-9a-f]*/g;

/** The program, and the files that it consists of. */
const SOURCES = /^(node_modules|providers|terraform-provider-fixture|engine\.run\.ts)/;

async function filesIn(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((file) => !SOURCES.test(relative(folder, file)));
  return Promise.all(own.map(async (file) => [relative(folder, file), await readFile(file, "utf8")] as const));
}

async function shop() {
  const here = await engineProject({ "engine.run.ts": program("first") });
  project = here;
  world = await mkdtemp(join(tmpdir(), "world-"));
  const path = join(here.folder, PROVIDER);
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${fixtureProgram()}"\n`);
  await chmod(path, 0o755);
  const env = { ENGINE_STAGE: "dev", FIXTURE_WORLD: world, FIXTURE_TALK: "1", TF_LOG: "trace" };
  expect(await here.engineWith(env, "add", `./${PROVIDER}`, "--used")).toMatchObject({ code: 0 });
  const password = { ENGINE_PASSWORD: "correct horse" };
  const leaks: string[] = [];
  const run = async (command: string, more: Readonly<Record<string, string>> = password): Promise<Finished> => {
    const finished = await here.engineWith({ ...env, ...more }, ...command.split(" "));
    const printed = [["stdout", finished.stdout] as const, ["stderr", finished.stderr] as const];
    for (const [where, text] of [...printed, ...(await filesIn(here.folder))])
      for (const [found] of text.matchAll(LEAK)) leaks.push(`${command}: ${where}: ${found}`);
    return finished;
  };
  return { here, run, leaks, password };
}

describeUnless(lacks, "a value of a provider that must stay secret", () => {
  test("is printed and written by no command", { timeout: 900_000 }, async () => {
    const { here, run, leaks, password } = await shop();
    expect((await run("plan")).stdout).toContain("12 to create");
    await run("plan --json --full");
    await run("plan --out saved.plan");
    expect(await run("up --plan saved.plan --json")).toMatchObject({ code: 0 });
    await here.write("engine.run.ts", program("second"));
    expect(await run("up --verbose", { ...password, FAILS: "1" })).toMatchObject({ code: 1 });
    await here.write("engine.run.ts", program("third"));
    expect(await run("up --verbose", { ...password, CRASHES: "1" })).toMatchObject({ code: 1 });
    const mended = await run("up --verbose");
    expect(mended.code, mended.stderr).toBe(0);
    const folder = join(world, "fixture_thing");
    const [file = ""] = await readdir(folder);
    const text = await readFile(join(folder, file), "utf8");
    expect(text).toContain("canary-marked");
    expect(text).toMatch(/password-\d/);
    await writeFile(join(folder, file), text.replace("canary-marked", "canary-drifted").replace("seen", "unseen"));
    expect((await run("drift")).stdout).toContain("drifted");
    await run("drift --json");
    await run("plan --refresh --json");
    await run("state list --json");
    await run("state show thing");
    expect(await run("state show terraform-provider-fixture --json")).toMatchObject({ code: 0 });
    expect((await run("state verify --json")).stdout).not.toContain("exposed");
    expect(await run("destroy --yes --json")).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
    expect(leaks).toEqual([]);
  });

  test("of a configuration alone is printed and written by no command without a password either", {
    timeout: 900_000,
  }, async () => {
    const { here, run, leaks } = await shop();
    const plain = program("first").replace(
      /it\.thing[\s\S]*?app\.finalize/,
      'it.timeouts("a", { name: "a" });\nawait app.finalize',
    );
    await here.write("engine.run.ts", plain);
    await run("add --used", {});
    await run("plan --json", {});
    expect(await run("up --verbose", {})).toMatchObject({ code: 0 });
    const drift = await run("drift", {});
    expect(drift.stdout + drift.stderr).toContain('To check for drift, run "engine plan --refresh"');
    expect(await run("plan --refresh", {})).toMatchObject({ code: 0 });
    expect(await run("up --refresh --json", {})).toMatchObject({ code: 0 });
    expect(await run("destroy --yes", {})).toMatchObject({ code: 0 });
    expect(await readdir(join(world, "fixture_timeouts"))).toEqual([]);
    expect(leaks).toEqual([]);
  });
});
