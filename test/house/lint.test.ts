import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./project.ts";

/** Rule, file, text that breaks it; each file is one of its own, for all are checked in one run. */
const broken = [
  ["noBarrelFile", "core/barrel.ts", 'export { a } from "./a.js";'],
  ["noConsole", "core/console.ts", 'console.log("x");'],
  ["noConsole", "plugins/telemetry/index.ts", 'console.log("x");'],
  ["noDefaultExport", "core/default.ts", "export default 1;"],
  ["noEnum", "core/enum.ts", "export enum Action { create }"],
  ["noExplicitAny", "core/any.ts", "export const x = (y: any): unknown => y;"],
  ["noFloatingPromises", "core/floating.ts", "const x = async (): Promise<void> => {};\nx();"],
  ["noFocusedTests", "test/only.test.ts", 'import { test } from "vitest";\ntest.only("x", () => {});'],
  ["noMisusedPromises", "core/misused.ts", "[1].forEach(async () => {});"],
  ["noSkippedTests", "test/skip.test.ts", 'import { test } from "vitest";\ntest.skip("x", () => {});'],
  ["noUnusedImports", "core/unused-import.ts", 'import { join } from "node:path";'],
  ["noUnusedVariables", "core/unused-variable.ts", "const x = 1;"],
  ["useFilenamingConvention", "core/someThing.ts", "export const x = 1;"],
  ["useImportType", "core/types.ts", 'import { A } from "./a.js";\nexport const x = (y: A): A => y;'],
  ["useNodejsImportProtocol", "core/protocol.ts", 'import { join } from "path";\nexport const x = join("a");'],
] as const;

const sound = [
  ["core/index.ts", 'export { a } from "./a.js";'],
  ["core/sound.ts", 'import { join } from "node:path";\n\nexport const x = join("a");'],
  ["docs/examples/site/engine.run.ts", 'console.log("x");'],
  ["plugins/console/index.ts", 'console.log("x");'],
  ["test/bench/run.ts", 'console.log("x");'],
] as const;

describe("the linter", () => {
  const findings = new Map<string, string[]>();
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scope-engine-lint-"));
    await cp(join(root, ".biome.json"), join(folder, ".biome.json"));
    for (const [path, text] of [...broken.map(([, path, text]) => [path, text] as const), ...sound]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${text}\n`);
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const args = [biome, "lint", "--colors=off", "--max-diagnostics=none", "."];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    for (const [, path = "", rule = ""] of `${stdout}${stderr}`.matchAll(
      /^([\w./-]+?)(?::\d+:\d+)? lint\/\w+\/(\w+)/gm,
    )) {
      findings.set(path, [...(findings.get(path) ?? []), rule]);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(broken)("finds %s in %s", (rule, path) => {
    expect(findings.get(path)).toContain(rule);
  });

  test.each(sound)("finds nothing in %s", (path) => {
    expect(findings.get(path)).toBeUndefined();
  });
});
