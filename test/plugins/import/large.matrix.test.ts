/** Hostile sources of 100 MB, and imports of 10,000 resources in bounded memory. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { describeUnless } from "../../servers/given.ts";
import { runBuilt } from "./killed.ts";

const HEAD = '{"version":4,"terraform_version":"1.6.2","serial":3,"lineage":"l","outputs":{},';
const env = { ENGINE_STAGE: "dev", NODE_OPTIONS: "--max-old-space-size=800" };

let project: Project;
beforeEach(async () => {
  project = await projectWithPeers({});
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine import", () => {
  test.each([
    ["nesting", () => `${HEAD}"resources":${"[".repeat(100e6)}`, "is nested more than 300 levels deep"],
    ["one text", () => `${HEAD}"n":12345678901234567890,"resources":"${"a".repeat(100e6)}"}`, "is not a list"],
    [
      "one name",
      () => `{"version":3,"deployment":{"n":12345678901234567890,"resources":[{"urn":"${"a".repeat(100e6)}"}]}}`,
      "is not the name of a resource. Export the stack again.",
    ],
  ])("refuses 100 MB of %s in one short sentence, in bounded memory", async (_of, text, why) => {
    await project.write("large.json", text());
    const args = ["import", "large.json", "--name", "shop"];
    const refused = await runBuilt(project.folder, args, env);
    expect(refused.stderr.slice(0, 3_000)).toContain(why);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr.length).toBeLessThan(2_000);
    expect(await project.names()).toEqual(["large.json", "node_modules"]);
  });

  test("the plan and the export right after an import of 10,000 resources take hundreds of megabytes", async () => {
    const urn = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;
    const type = "kubernetes:core/v1:ConfigMap";
    const metadata = (at: number) => ({ name: `item-${at}`, namespace: "ns", labels: { team: `team-${at % 7}` } });
    const resources = Array.from({ length: 10_000 }, (_, at) => ({
      urn: urn(type, `item-${at}`),
      custom: true,
      id: `ns/item-${at}`,
      type,
      inputs: { metadata: metadata(at), data: { key: `key-${at}` } },
      outputs: { kind: "ConfigMap", metadata: { ...metadata(at), uid: `uid-${at}` }, data: { key: `key-${at}` } },
    }));
    await project.write("stack.json", JSON.stringify({ version: 3, deployment: { manifest: {}, resources } }));
    // Compiling the program without regard to memory keeps 380 MB alive.
    const bounded = { ENGINE_STAGE: "dev", NODE_OPTIONS: "--max-old-space-size=200" };
    const run = async (ends: number, ...args: readonly string[]): Promise<string> => {
      await rm(join(project.folder, "node_modules/.cache"), { recursive: true, force: true });
      const { code, stdout, stderr } = await runBuilt(project.folder, args, bounded);
      expect(code, stderr.slice(0, 3_000)).toBe(ends);
      return `${stdout}${stderr}`;
    };
    expect(await run(0, "import", "stack.json", "--name", "shop")).toContain("10000 resources recorded");
    expect(await run(0, "plan")).toContain("nothing to do, 10000 unchanged");
    const refused = await run(1, "export");
    expect(refused).toContain('Nothing was exported from "shop/dev", because no Terraform provider has its types');
    expect(refused.length).toBeLessThan(300);
    expect(await project.names()).not.toContain("terraform");
  });
});
