import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newKeyText } from "../../../../plugins/secrets/opener.js";
import { compiledProgram } from "../../../helpers/processes/compiled-program.js";
import { newFolder } from "../../../helpers/processes/new-folder.js";
import { describeWithRedis } from "../../../servers/given-redis.js";

describeWithRedis("a process ends by itself", (url) => {
  const program = compiledProgram(new URL("unstarted.child.ts", import.meta.url));

  async function printed(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { timeout: 15_000 });
    return stdout.trim();
  }

  test("after a worker that did not start, because its key is not the one of the fleet", async () => {
    const folder = await newFolder();
    expect(await printed("up", url, folder, newKeyText())).toBe("ended");
    expect(await printed("work", url, folder, newKeyText())).toBe("WRONG_PASSWORD");
  });

  test.each(["down", "read-only"])("after a worker that did not start, because its store is %s", async (fault) => {
    expect(await printed("work", url, await newFolder(), newKeyText(), fault)).toBe("STORE_FAILED");
  });

  test("after a plan that did not start, because its record cannot be begun", async () => {
    expect(await printed("plan", url, await newFolder(), newKeyText(), "read-only")).toBe("STORE_FAILED");
  });
});
