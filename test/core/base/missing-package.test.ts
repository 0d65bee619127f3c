import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing, packageMissing } from "../../../core/base/index.js";

/** The error of requiring a package from a folder with one package that needs another. */
async function failureOf(name: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "missing-package-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outer = join(folder, "node_modules", "outer");
  await mkdir(outer, { recursive: true });
  await writeFile(join(outer, "index.js"), 'require("inner");');
  try {
    return createRequire(join(folder, "program.js"))(name);
  } catch (error) {
    return error;
  }
}

describe("a package that cannot be imported", () => {
  it("is missing where it is not installed", async () => {
    expect(isMissing(await failureOf("absent"), "absent")).toBe(true);
  });

  it("is not missing itself where one that it needs is not installed", async () => {
    const error = await failureOf("outer");
    expect(isMissing(error, "outer")).toBe(false);
    expect(isMissing(error, "inner")).toBe(true);
  });

  it("is missing where a bundler has left it out", () => {
    const error = new Error('Could not resolve "absent" imported by "scope-engine".');
    expect(isMissing(error, "absent")).toBe(true);
    expect(isMissing(error, "other")).toBe(false);
  });

  it("is not missing where it has failed by itself", () => {
    expect(isMissing(new Error("Cannot find module 'absent'"), "absent")).toBe(false);
  });

  it("is reported with the command that installs it, and with the cause", () => {
    const cause = new Error("none");
    const { code, message, cause: told } = packageMissing("absent", cause);
    expect({ code, message }).toEqual({
      code: "PACKAGE_MISSING",
      message: "The package absent is needed and is not installed. Install it: npm install absent",
    });
    expect(told).toBe(cause);
  });
});
