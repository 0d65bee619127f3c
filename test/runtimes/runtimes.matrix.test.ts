/**
 * The same checks on every runtime. `npm run test:rest` makes those of the engine itself; `npm run test:runtimes` makes
 * all, and runs the tests of core on every Node.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineProject, main } from "../helpers/processes/engine-project.ts";
import { read, root } from "../house/project.ts";
import { describePacked } from "../package/given-packed.ts";
import { openTrial, programOf, runProgram, runtimes, type Trial } from "./runtimes.ts";

const PROGRAM = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
const app = await engine("shop");
await File("index", { path: "index.html", content: "hello" as string });
await app.finalize();
`;

const everything = process.env.RUNTIMES === "all";
const topics = everything ? ["core", "processes", "stores"] : ["core"];
const isTried = process.platform === "linux" && process.arch === "x64";

const timeout = everything ? 300_000 : 90_000;

/** The lines about failures, for a readable message. */
function failures(output: string): string[] {
  return output
    .split("\n")
    .filter((line, index, all) => /^not ok /.test(line) || /^not ok /.test(all[index - 1] ?? ""));
}

describe.runIf(isTried)("runtimes", () => {
  describePacked("the package", ({ packages }) => {
    let trial: Trial;
    beforeAll(async () => {
      trial = await openTrial(packages);
    });
    afterAll(() => trial?.remove());

    test.each(runtimes)("works on $name $version", { timeout }, async (runtime) => {
      const version = await runProgram(await programOf(runtime), ["--version"], root);
      expect(version.output).toContain(runtime.version);
      const { code, output } = await trial.run(runtime, ...topics);
      expect(failures(output)).toEqual([]);
      const [, passed = "0"] = /^(\d+) passed, 0 failed$/m.exec(output) ?? [];
      expect(Number(passed)).toBeGreaterThanOrEqual(everything ? 300 : 10);
      expect(code).toBe(0);
    });

    test("runs a program on Bun, before and after it was compiled once", { timeout }, async () => {
      const bun = await programOf(runtimes.find(({ name }) => name === "Bun")!);
      const project = await engineProject({ "engine.run.ts": PROGRAM });
      const up = () => runProgram(bun, ["--bun", main, "up", "--stage=dev"], project.folder);
      expect(await up()).toEqual({ code: 0, output: expect.stringContaining("1 created") });
      expect(await up()).toEqual({ code: 0, output: expect.stringContaining("1 unchanged") });
      await project.remove();
    });

    test("is not said to work where a check fails", async () => {
      const { code, output } = await trial.run(runtimes[0]!, "core", "no-such-topic");
      expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("no-such-topic") });
    });
  });

  // It takes minutes for each Node, so it is not done every time.
  if (everything) {
    const nodes = runtimes.filter(({ name }) => name.startsWith("Node "));
    test.each(nodes)("the tests of core pass on $name $version", { timeout: 1_200_000 }, async (runtime) => {
      const vitest = join(root, "node_modules/vitest/vitest.mjs");
      const args = [vitest, "run", "--config", "test/vitest.config.ts", "--root", ".", "--reporter=dot", "test/core"];
      const { code, output } = await runProgram(await programOf(runtime), args, root);
      expect({ code, output: code === 0 ? "" : output.slice(-5_000) }).toEqual({ code: 0, output: "" });
    });
  }
});

describe("docs/guide/limits.md", () => {
  test("names each runtime with the version that was tried", () => {
    const page = read("docs/guide/limits.md");
    expect(runtimes.filter(({ name, version }) => !page.includes(`| ${name} | ${version} |`))).toEqual([]);
  });
});
