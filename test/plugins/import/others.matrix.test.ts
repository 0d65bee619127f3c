/** `engine adopt` and `engine import` of a Pulumi export, with objects that the fixture's provider really holds. */
import { chmod, cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { killAtEach } from "./killed.ts";
import { type TofuProject, textBelow, tofuProject } from "./tofu-project.ts";

const lacks = lacksPackage ?? (await given("compiled"));
let made: TofuProject | undefined;
afterEach(async () => {
  await made?.remove();
  made = undefined;
});

const SECRET = "hunter2-of-pulumi";

interface Recorded {
  readonly name: string;
  readonly instances: readonly [{ readonly attributes: Readonly<Record<string, unknown>> }];
}

/** Two things, made by OpenTofu. Returns their values by name. */
async function things(project: TofuProject): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  await project.apply({
    "main.tf": `
resource "fixture_thing" "main" {
  name   = "main-name"
  size   = 7
  secret = "${SECRET}"
}
resource "fixture_thing" "second" {
  name = "second-name"
  tags = { main = fixture_thing.main.id, "Own key" = "x" }
}
`,
  });
  const { resources } = JSON.parse(await readFile(project.state, "utf8"));
  return Object.fromEntries(resources.map((one: Recorded) => [one.name, one.instances[0].attributes]));
}

async function plansNothing(
  project: TofuProject,
  env: Readonly<Record<string, string>>,
  entry = "engine.run.ts",
): Promise<string> {
  const planned = await project.engine(env, "plan", entry, "--root-dir", dirname(entry), "--exit-code");
  expect(planned, planned.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do") });
  return project.project.read(entry);
}

const isWrite = (rpc: string): boolean => /^Apply/.test(rpc);

describeUnless(lacks, "existing resources without a Terraform state", () => {
  test("a list of ids becomes records and a program that plans nothing, without a write", async () => {
    made = await tofuProject();
    const { main, second } = await things(made);
    await made.project.write(
      "list.csv",
      `kind,name,id,scope\nexample/fixture:fixture_thing,second,${second?.id},net/eu\nexample/fixture:thing,main,${main?.id},net\n`,
    );
    made.asked();
    const args = ["adopt", "list.csv", "--mirror", "mirror", "--name", "shop"];
    const shown = await made.engine({}, ...args, "--plan");
    expect(shown, shown.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("adopt    net/eu/second") });
    expect(await made.project.names()).not.toContain("engine.run.ts");
    const adopted = await made.engine({}, ...args, "--write", "infra");
    expect(adopted, adopted.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("written  infra/engine.run.ts\n2 resources recorded in"),
    });
    expect(made.asked().filter(isWrite)).toEqual([]);
    const [, variable = ""] =
      /engine\.secret\.env\("(\w+)"\)/.exec(await made.project.read("infra/engine.run.ts")) ?? [];
    const program = await plansNothing(made, { [variable]: SECRET }, "infra/engine.run.ts");
    expect(program).toContain("main: main.id");
    const gone = await made.engine({ [variable]: SECRET }, "plan", "--destroy", "infra", "--root-dir", "infra");
    expect(gone, gone.stderr).toMatchObject({ code: 0 });
    expect(gone.stdout.indexOf("eu/second"), gone.stdout).toBeGreaterThan(0);
    expect(gone.stdout.indexOf("eu/second"), gone.stdout).toBeLessThan(gone.stdout.indexOf("net/main"));

    await made.project.write("wrong.csv", "kind,name,id\nexample/fixture:fixture_thing,third,no-such-id\n");
    const wrong = await made.engine(
      {},
      "adopt",
      "wrong.csv",
      "--mirror",
      "mirror",
      "--name",
      "other",
      "--write",
      "other",
    );
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('its provider does not find "no-such-id"');
  }, 120_000);

  test("a list whose adoption is killed at changes of files is adopted by the same command", async () => {
    const own = await tofuProject();
    made = own;
    const { main } = await things(own);
    await own.project.write("list.csv", `kind,name,id\nexample/fixture:thing,main,${main?.id}\n`);
    const args = ["adopt", "list.csv", "--mirror", "mirror", "--name", "shop", "--write", "infra", "--json"];
    await killAtEach({
      folder: own.project.folder,
      env: () => own.env,
      args,
      step: 7,
      async check(where) {
        const again = await own.engine({}, ...args);
        expect(again, `${where}\n${again.stderr}`).toMatchObject({ code: 0 });
        const [, variable = ""] =
          /engine\.secret\.env\("(\w+)"\)/.exec(await own.project.read("infra/engine.run.ts")) ?? [];
        await plansNothing(own, { [variable]: SECRET }, "infra/engine.run.ts");
      },
    });
  }, 1_800_000);

  test("a Pulumi export of bridged resources becomes a program that plans nothing, with its secrets sealed", async () => {
    made = await tofuProject();
    const { main, second } = await things(made);
    // A package whose provider is the fixture.
    const [own, pulumi] = ["example/fixture", "hashicorp/random"].map((name) =>
      join(made?.project.folder ?? "", "mirror/registry.opentofu.org", name),
    ) as [string, string];
    await mkdir(dirname(pulumi), { recursive: true });
    await cp(own, pulumi, { recursive: true });
    const program = "1.0.0/linux_amd64/terraform-provider";
    await cp(join(pulumi, `${program}-fixture`), join(pulumi, `${program}-random`));
    await chmod(join(pulumi, `${program}-random`), 0o755);
    const urn = (types: string, name: string) => `urn:pulumi:prod::shop::${types}::${name}`;
    const stack = urn("pulumi:pulumi:Stack", "shop-prod");
    const site = urn("my:Site", "site");
    const resource = (types: string, name: string, value: Readonly<Record<string, unknown>> = {}) => ({
      urn: urn(types, name),
      custom: true,
      type: types.split("$").at(-1),
      id: value.id,
      inputs: {},
      outputs: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)),
    });
    const sealed = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: JSON.stringify(SECRET),
    };
    const exported = {
      version: 3,
      deployment: {
        resources: [
          { urn: stack, custom: false, type: "pulumi:pulumi:Stack", outputs: { id: main?.id } },
          { urn: site, custom: false, type: "my:Site", parent: stack },
          {
            ...resource("random:index/thing:Thing", "main", { ...main, secret: sealed }),
            parent: stack,
            protect: true,
          },
          {
            ...resource("my:Site$random:index/thing:Thing", "second", second),
            parent: site,
            dependencies: [urn("random:index/thing:Thing", "main")],
          },
        ],
      },
    };
    await made.project.write("stack.json", JSON.stringify(exported));
    made.asked();
    const run = (...args: string[]) => made?.engine({}, "import", ...args, "--mirror", "mirror");
    const irregular = "random:index/odd:Odd";
    const renamed = JSON.stringify(exported).replaceAll("random:index/thing:Thing", irregular);
    await made.project.write("odd.json", renamed);
    const odd = await run("odd.json", "--plan");
    expect(odd?.stderr).toContain(`--type ${irregular}=TYPE`);
    const named = await run("odd.json", "--plan", "--type", `${irregular}=fixture_thing`);
    expect(named, named?.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("2 resources would be") });
    for (const wrong of ["random:index/other:Other=fixture_thing", irregular]) {
      const refused = await run("odd.json", "--plan", "--type", wrong);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("An example: --type") });
    }
    const imported = await made.engine({}, "import", "stack.json", "--mirror", "mirror");
    expect(imported, imported.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 resources recorded in"),
    });
    expect(made.asked().filter(isWrite)).toEqual([]);
    const text = await plansNothing(made, { MAIN_SECRET: SECRET });
    expect(text).toContain("async function siteModule({");
    expect(text).toContain("protect: true");
    expect(text).toMatch(/main: id\b|main: main\.id|tags: \{ main/);
    const all = await textBelow(made.project.folder, [
      "tf",
      "node_modules",
      "mirror",
      "cache",
      "stack.json",
      "odd.json",
    ]);
    expect(all).not.toContain(SECRET);
  }, 120_000);
});
