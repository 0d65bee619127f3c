import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { git } from "./execute.ts";
import { newRepository, type Repository } from "./repository.ts";

let project: Repository;
beforeEach(async () => {
  project = await newRepository();
});
afterEach(() => project.remove());

/** A release that is not made, and leaves everything as it was. */
async function refused(...args: string[]): Promise<string> {
  const before = await project.look();
  const message = await project.release(...args).then(
    () => "It was released.",
    (error: Error) => error.message,
  );
  expect(await project.look()).toEqual(before);
  return message;
}

describe("a release", { timeout: 120_000 }, () => {
  it("is a commit with the version and the date of the changelog, and a tag, and is not pushed", async () => {
    const origin = await project.addOrigin();
    await project.release("minor");
    expect(JSON.parse(await project.read("package.json")).version).toBe("0.2.0");
    expect(JSON.parse(await project.read("package-lock.json")).packages[""].version).toBe("0.2.0");
    expect(await project.read("CHANGELOG.md")).toContain(
      "## [Unreleased]\n\n## [0.2.0] - 2026-01-31\n\n### Added\n\n- Ev",
    );
    expect(await project.git("log", "-1", "--format=%s %an %ae")).toBe("release: 0.2.0 Ada ada@example.com");
    expect(await project.git("describe", "--exact-match")).toBe("v0.2.0");
    expect(await project.git("status", "--porcelain")).toBe("");
    expect(await git(origin, "log", "--format=%s")).toBe("Changes .gitignore");
    expect(await git(origin, "tag", "--list")).toBe("");
    expect(project.said.at(-1)).toContain("git push --atomic origin main v0.2.0");
  });

  it("is pushed with its tag when that is asked for", async () => {
    const origin = await project.addOrigin();
    await project.release("1.0.0", "--publish");
    expect(await git(origin, "rev-parse", "main", "v1.0.0^{commit}")).toBe(
      await project.git("rev-parse", "HEAD", "v1.0.0^{commit}"),
    );
  });

  it("changes nothing in a dry run", async () => {
    expect(await refused("patch", "--dry-run")).toBe("It was released.");
    expect(project.said.at(-1)).toBe("v0.1.1 could be released. Nothing was changed.");
  });
});

describe("the command", () => {
  it("says why there is no release, and that by its exit code", async () => {
    const tsx = createRequire(import.meta.url).resolve("tsx/cli");
    const main = fileURLToPath(new URL("main.ts", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsx, main, "next"], {
      cwd: project.root,
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^"next" is no/),
    });
  });
});

describe("no release is made", { timeout: 120_000 }, () => {
  it("for arguments that are none", async () => {
    expect(await refused()).toContain("Say which version");
    expect(await refused("patch", "minor")).toContain("Say which version");
    expect(await refused("next")).toContain('"next" is no version');
    expect(await refused("0.1.0")).toContain("not newer than 0.1.0");
    expect(await refused("0.0.9")).toContain("not newer");
    expect(await refused("patch", "--skip-tests")).toContain("there is no such option");
    expect(await refused("patch", "--publish")).toContain("no remote origin");
  });

  it("of changes that are not committed", async () => {
    await project.write("new.txt", "");
    expect(await refused("patch")).toContain("?? new.txt");
  });

  it("on another branch", async () => {
    await project.git("switch", "--quiet", "--create", "topic");
    expect(await refused("patch")).toContain('The branch is "topic"');
  });

  it("under a tag that is there", async () => {
    await project.git("tag", "v0.1.1");
    expect(await refused("patch")).toContain("v0.1.1 is there already");
  });

  it("without anything in the changelog", async () => {
    await project.commit("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n");
    expect(await refused("patch")).toContain("no entry under [Unreleased]");
  });

  it("of commits that origin lacks, or behind its back", async () => {
    await project.addOrigin();
    await project.commit("a.txt", "");
    expect(await refused("patch")).toContain("origin lacks 1 commits");
    await project.git("push", "--quiet", "origin", "main");
    await project.git("reset", "--quiet", "--hard", "HEAD~1");
    expect(await refused("patch")).toContain("origin has 1 commits");
  });

  it("of a package that does not say where it comes from, to be published", async () => {
    const manifest = JSON.parse(await project.read("package.json"));
    await project.commit("package.json", JSON.stringify({ ...manifest, repository: undefined }));
    await project.addOrigin();
    expect(await refused("patch", "--publish")).toContain("names no repository");
  });

  it("where a test fails", async () => {
    await project.commit("test.mjs", 'console.log("one is wrong");\nprocess.exit(1);\n');
    expect(await refused("patch")).toMatch(/"npm run --silent test:all" ended with 1[\s\S]*one is wrong/);
  });

  it("where the package lacks a file that its program needs", async () => {
    const manifest = JSON.parse(await project.read("package.json"));
    await project.commit(
      "package.json",
      JSON.stringify({ ...manifest, files: ["README.md"], bin: { engine: "x.mjs" } }),
    );
    expect(await refused("patch")).toContain("engine --version");
  });

  it("where the first app of the README does not run", async () => {
    await project.commit("README.md", "## First app\n\n```ts runnable\n// another app\n```\n");
    expect(await refused("patch")).toContain("engine up");
  });

  it("where origin refuses the push", async () => {
    const origin = await project.addOrigin();
    await writeFile(join(origin, "hooks/pre-receive"), "#!/bin/sh\necho protected\nexit 1\n", { mode: 0o755 });
    expect(await refused("patch", "--publish")).toContain("protected");
    expect(await git(origin, "tag", "--list")).toBe("");
  });

  it("where something was committed meanwhile", async () => {
    // The project's own tests are what takes long.
    const text = `import { execFileSync } from "node:child_process";

      execFileSync("git", ["-C", ${JSON.stringify(project.root)}, "commit", "--quiet", "--allow-empty", "--message", "Meanwhile"]);`;
    await project.commit("test.mjs", text);
    await expect(project.release("patch")).rejects.toThrow("merge");
    expect(await project.git("log", "-1", "--format=%s")).toBe("Meanwhile");
    expect(await project.git("tag", "--list")).toBe("");
    expect(await project.git("status", "--porcelain")).toBe("");
  });
});
