import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hasCode, isAbsence } from "../../../core/base/index.js";

const here = fileURLToPath(import.meta.url);

function failureOf(path: string): unknown {
  try {
    return readFileSync(path);
  } catch (error) {
    return error;
  }
}

describe("isAbsence()", () => {
  it("is true of a missing file, and of one below a path that is not a folder", () => {
    expect([`${here}.gone`, `${here}/below`].map((path) => isAbsence(failureOf(path)))).toEqual([true, true]);
  });

  it("is false of a file that cannot be read, and of a value that is not an error", () => {
    const folder = failureOf(fileURLToPath(new URL(".", import.meta.url)));
    expect([folder, { code: "ENOENT" }, "ENOENT", undefined].map(isAbsence)).toEqual([false, false, false, false]);
    expect(hasCode(folder, "EPERM", "EISDIR", "EACCES")).toBe(true);
  });
});
