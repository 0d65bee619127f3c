import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "../house/project.ts";

const {
  scripts,
  dependencies,
}: Record<"scripts" | "dependencies", Record<string, string>> = JSON.parse(read("package.json"));

/** The packages whose code the build takes into that of this one. */
function builtIn(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "scope-engine-build-"));
  try {
    const modules = join(folder, "modules.json");
    const command = `${scripts["build:code"]} --outdir=${join(folder, "dist")} --modules=${modules}`;
    execFileSync("sh", ["-c", command], { cwd: root });
    const inputs: readonly string[] = JSON.parse(readFileSync(modules, "utf8"));
    const names = inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
    return [...new Set(names)].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A package, and those that it holds in turn. */
function withTheirs(name: string): string[] {
  const { dependencies: theirs = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    read(`node_modules/${name}/package.json`),
  );
  return [name, ...Object.keys(theirs).flatMap(withTheirs)];
}

test("the build takes in three packages, of which the declarations name two", () => {
  expect(builtIn()).toEqual(["@dagrejs/dagre", "mitt", "tapable"]);
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(["mitt", "tapable"]));
  expect(Object.keys(dependencies)).not.toContain("@dagrejs/dagre");
});

test("THIRD-PARTY-NOTICES has the name and the licence of all that is built in", () => {
  const notices = read("THIRD-PARTY-NOTICES");
  for (const name of builtIn().flatMap(withTheirs)) {
    expect(notices).toContain(name);
    expect(notices).toContain(read(`node_modules/${name}/LICENSE`).trim());
  }
});
