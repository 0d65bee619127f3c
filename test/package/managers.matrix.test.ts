import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toolPackages } from "../helpers/processes/tools.ts";
import { read } from "../house/project.ts";
import { firstAppIn, firstAppMakes } from "./first-app.ts";
import { describePacked } from "./given-packed.ts";
import { type Manager, managers, runManager } from "./managers.ts";

const { version }: { version: string } = JSON.parse(read("package.json"));

/** Bun's package has its program for Linux on Intel only. */
const tried = managers.filter(({ name }) => name !== "Bun" || (process.platform === "linux" && process.arch === "x64"));

/** Except Yarn's own warning: that its way to load ES modules is new. */
function warningsIn(output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => /\bwarn|YN0\d{3}: │.*(warn|peer)/i.test(line));
  return output.includes("YN0092") ? lines.filter((line) => !line.includes("Done with warnings")) : lines;
}

describePacked("a new project", ({ tarball }) => {
  let folder = "";
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-managers-")));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function project(manager: Manager): Promise<string> {
    const place = join(folder, manager.name.replaceAll(/\W+/g, "-"));
    await mkdir(place);
    await writeFile(join(place, "package.json"), '{ "name": "new", "private": true, "type": "module" }\n');
    // Without it Yarn treats a folder in a project as a part of the project.
    if (manager.name.startsWith("Yarn")) await writeFile(join(place, "yarn.lock"), "");
    await writeFile(join(place, "engine.run.ts"), firstAppIn(read("README.md")));
    if (manager.specifier !== undefined && manager.isScript !== true) {
      await chmod(join(await toolPackages(manager.specifier), manager.program ?? ""), 0o755);
    }
    return place;
  }

  test.each(tried)(
    "of $name gets the package, and runs the README's first app",
    { timeout: 180_000 },
    async (manager) => {
      const place = await project(manager);
      const run = (...args: string[]) => runManager(manager, args, place, join(folder, "kept"));
      const engine = (...args: string[]) => run(...manager.run, "engine", ...args);

      const added = await run(...manager.add(tarball));
      expect({ code: added.code, output: added.code === 0 ? "" : added.stdout + added.stderr }).toEqual({
        code: 0,
        output: "",
      });
      expect(warningsIn(added.stdout + added.stderr)).toEqual([]);
      expect((await engine("--version")).stdout.trim().split("\n").at(-1)).toBe(version);
      const up = await engine("up");
      expect({ code: up.code, told: up.stdout }, up.stderr).toEqual({
        code: 0,
        told: expect.stringContaining("2 created"),
      });
      expect(await readFile(join(place, firstAppMakes.path), "utf8")).toBe(firstAppMakes.content);
      expect((await engine("up")).stdout).toContain("2 unchanged");
    },
  );
});
