import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "the program engine", () => {
  test("lists and verifies, and says what is wrong with a lock file", async () => {
    const hashes = [`zh:${"0".repeat(64)}`];
    const locked = { version: "1.0.0", range: "^1", protocols: ["5.0"], hashes };
    project = await engineProject({
      "engine.lock.json": JSON.stringify({ providers: { "127.0.0.1:1/acme/thing": locked } }),
      "broken/engine.lock.json": "{",
      "broken/engine.run.ts": "",
    });
    const env = { XDG_CACHE_HOME: join(project.folder, "cache") };
    expect(await project.engineWith(env, "providers", "verify")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/SOURCE.*\n127\.0\.0\.1:1\/acme\/thing +\^1 +1\.0\.0 +missing/),
    });
    const { stdout } = await project.engineWith(env, "providers", "verify", "--json");
    expect(JSON.parse(stdout).providers[0]).toMatchObject({ version: "1.0.0", standing: "absent" });
    expect(await project.engineWith(env, "providers", "list", "--entry", "broken")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("engine.lock.json is not valid JSON"),
    });
    expect(await project.engineWith(env, "add", "random")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("hashicorp/random"),
    });
  });
});
