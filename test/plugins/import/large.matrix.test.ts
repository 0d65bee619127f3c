/** Hostile sources of 100 MB. */
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
});
