/** Folders that `engine export` is given: all files are written there, or none. */
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { describeUnless } from "../../servers/given.ts";
import { dyingAt, runBuilt } from "../import/killed.ts";

const program = `
import { engine } from "scope-engine";
import { terraformData } from "scope-engine/terraform";

const app = await engine("shop");
await terraformData("a_b", { input: "one" });
await engine.run("a", () => terraformData("b", { input: "two" }));
await terraformData("-ü {x}", { input: "three" });
await app.finalize();
`;

let project: Project;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  project = await projectWithPeers({ "engine.run.ts": program });
  env = { ENGINE_STAGE: "dev", XDG_STATE_HOME: join(project.folder, "home") };
  expect(await run("up")).toMatchObject({ code: 0 });
});
afterEach(() => project.remove());

const run = (...args: readonly string[]) => runBuilt(project.folder, args, env);

describeUnless(lacksPackage, "engine export --out", () => {
  it("writes nothing where its files cannot be, or would be read together with others", async () => {
    const before = await project.names();
    const refusal = async (folder: string): Promise<string> => {
      const { code, stdout, stderr } = await run("export", "--out", folder);
      expect([code, stdout], stderr).toEqual([1, ""]);
      return stderr;
    };
    await project.write("file", "");
    await project.write("theirs/network.tf", "");
    await project.write("theirs/README.md", "");
    await symlink("nowhere", join(project.folder, "dangling"));
    await mkdir(join(project.folder, "linked"));
    await symlink("../nowhere", join(project.folder, "linked/terraform.tfstate"));
    expect(await refusal("theirs")).toContain('"theirs/network.tf" exists. Terraform would read old and new files');
    expect(await refusal("linked")).toContain('"linked/terraform.tfstate" exists');
    for (const folder of ["file", "file/below", "dangling"]) expect(await refusal(folder)).toContain(`"${folder}`);
    // Node's own mkdir with `recursive` would try this for ever.
    if (process.platform === "linux") expect(await refusal("/proc/x")).toContain('"/proc/x" could not be created');
    expect(await readdir(join(project.folder, "theirs"))).toEqual(["README.md", "network.tf"]);
    expect(await project.names()).toEqual([...before, "dangling", "file", "linked", "theirs"].sort());
  });

  it("removes its files if another program takes the place of one meanwhile", async () => {
    const ends = new Set<string>();
    for (let at = 2; ; at += 3) {
      const obstacle = dyingAt(at, "mkdir -p infra/terraform.tfstate 2>&- || true");
      const { code, stderr } = await runBuilt(project.folder, ["export", "--out", "infra"], { ...env, ...obstacle });
      if (code === 0) break;
      ends.add(/"(infra[^"]*)"/.exec(stderr)?.[1] ?? stderr);
      expect(await readdir(join(project.folder, "infra"))).toEqual(["terraform.tfstate"]);
      await rm(join(project.folder, "infra"), { recursive: true });
    }
    expect(ends).toContain("infra/terraform.tfstate");
  });

  it("gives each resource an address of its own, also if two names become one", async () => {
    const { code, stdout, stderr } = await run("export", "--json", "--out", "infra");
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).resources).toEqual([
      { fqn: "shop/dev/-ü {x}", address: "terraform_data._-___x_" },
      { fqn: "shop/dev/a/b", address: "terraform_data.a_b" },
      { fqn: "shop/dev/a_b", address: "terraform_data.a_b_2" },
    ]);
    const { resources } = JSON.parse(await project.read("infra/terraform.tfstate"));
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(["_-___x_", "a_b", "a_b_2"]);
  });
});
