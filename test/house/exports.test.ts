import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { manifest, packageEntries } from "./package-exports.ts";
import { root, sourceFiles } from "./project.ts";

const entries = packageEntries(manifest(), sourceFiles());

/** Node's answer to each specifier, asked from inside the package. */
function resolveAll(specifiers: readonly string[]): string[] {
  const program = `
    const answer = (specifier) => { try { return import.meta.resolve(specifier); } catch (error) { return error.code; } };
    console.log(JSON.stringify(${JSON.stringify(specifiers)}.map(answer)));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: root,
    encoding: "utf8",
  });
  return JSON.parse(text);
}

describe("package.json", () => {
  test("exports only what the build makes", () => {
    expect(entries.length).toBeGreaterThanOrEqual(3);
    expect(entries.filter((entry) => !existsSync(root + entry.source)).map((entry) => entry.source)).toEqual([]);
    for (const { source, built } of entries) {
      const stem = `dist/${source.replace(/\.ts$/, "")}`;
      expect([...built].sort()).toEqual([`${stem}.d.ts`, `${stem}.js`]);
    }
  });

  test.runIf(existsSync(`${root}dist`))("names files that were built", () => {
    expect(entries.flatMap((entry) => entry.built).filter((path) => !existsSync(root + path))).toEqual([]);
  });

  test("is understood by Node as it is meant", () => {
    const answers = resolveAll(entries.map((entry) => entry.specifier));
    expect(answers.map((url) => url.split("/dist/").at(-1))).toEqual(
      entries.map((entry) => entry.source.replace(/\.ts$/, ".js")),
    );
  });

  test("hides internal modules", () => {
    const hidden = [
      "adapters/kit",
      "adapters/s3/client",
      "plugins/internal",
      "plugins/cli",
      "plugins/secrets/secret",
      "dist/core/index.js",
      "core/engine",
      "plugins/testing/index",
    ];
    const answers = resolveAll(hidden.map((path) => `scope-engine/${path}`));
    // A pattern matches them, and there is no file behind it.
    const open = answers.filter((answer) => answer.startsWith("file:") && existsSync(fileURLToPath(answer)));
    expect(open).toEqual([]);
  });
});
