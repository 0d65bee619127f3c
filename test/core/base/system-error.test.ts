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
  it("is true of a file that is not there, and of one below what is no folder", () => {
    expect([`${here}.gone`, `${here}/below`].map((path) => isAbsence(failureOf(path)))).toEqual([true, true]);
  });

  it("is false of what is there and cannot be read, and of what is no error", () => {
    const folder = failureOf(fileURLToPath(new URL(".", import.meta.url)));
    expect([folder, { code: "ENOENT" }, "ENOENT", undefined].map(isAbsence)).toEqual([false, false, false, false]);
    expect(hasCode(folder, "EPERM", "EISDIR", "EACCES")).toBe(true);
  });
});
