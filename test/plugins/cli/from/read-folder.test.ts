import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readFolder } from "../../../../plugins/cli/providers/from/read-folder.ts";

test.each([
  ['{"resource":{"random_pet":{"a":{"prefix": canary }}}}', "line 1, column 43"],
  ['{"resource":{\n"random_pet": "canary', "its end"],
])("the text of a .tf.json file that is not JSON is not told: %s", async (text, place) => {
  const folder = await mkdtemp(join(tmpdir(), "from-"));
  try {
    const file = join(folder, "a.tf.json");
    await writeFile(file, text);
    let failure: unknown;
    try {
      readFolder(folder);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: `"${file}" is not JSON: the fault is at ${place}.`,
    });
    expect(inspect(failure)).not.toContain("canary");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
