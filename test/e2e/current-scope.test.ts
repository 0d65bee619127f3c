import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "current-scope-"));
});
afterAll(() => rm(cwd, { recursive: true }));

/** OTHER_NODES names more runtimes, separated by colons: the answers must not depend on the version. */
const nodes = [process.execPath, ...(process.env.OTHER_NODES ?? "").split(":").filter((path) => path !== "")];

describe("the current scope of a program", () => {
  it.each(nodes)("is the expected one, run by %s", async (node) => {
    const { code, stdout, stderr } = await runProgram("current-scope", { cwd, node });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "before any app: NO_SCOPE",
      "before engine() has resolved: one/dev",
      "after await engine(): one/dev",
      "after another await: one/dev",
      "in a timer: one/dev",
      "in a handler: one/dev/a, one/dev/a",
      "in engine.run: one/dev/child",
      "in a handler in engine.run: one/dev/child/a, one/dev/child/a",
      "after engine.run: one/dev",
      "with a second app, made in a helper that awaited first: AMBIGUOUS_SCOPE",
      "in app.run of the second app: two/dev",
      "in a handler there: two/dev",
      "in app.run of the first app: one/dev",
      "in engine.run there: one/dev/child",
      "with the first app finalized: two/dev",
      "with both finalized: NO_SCOPE",
      "in app.run of a finalized app: one/dev",
      "after it: one/dev",
      "with one app, made in a helper that awaited first: three/dev",
      "in a handler there: three/dev",
    ]);
    expect(code).toBe(0);
  });
});
