import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { open } = testApps({ plugins: [processes()] });

const running = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
const first: readonly (readonly [string, string, (app: Scope) => unknown])[] = [
  ["a log", "logs", (app) => app.exec("x", ["true"])],
  ["the record of a process", "processes", (app) => app.spawn("x", running)],
];

describe("an .engine folder that begins with", () => {
  test.each(first)(
    "%s, the state being elsewhere, is for its owner alone, and out of version control",
    async (_, name, work) => {
      const rootDir = await newRoot();
      await work(await open({ rootDir }));
      const modes = [".engine", `.engine/${name}`, `.engine/${name}/shop`].map(
        async (path) => (await stat(join(rootDir, path))).mode & 0o777,
      );
      expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o700]);
      expect(await readFile(join(rootDir, ".engine/.gitignore"), "utf8")).toBe("*\n");
    },
  );

  test("nothing of ours, because another program made it, stays as it is", async () => {
    const rootDir = await newRoot();
    await mkdir(join(rootDir, ".engine"));
    await (await open({ rootDir })).exec("x", ["true"]);
    await expect(stat(join(rootDir, ".engine/.gitignore"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
