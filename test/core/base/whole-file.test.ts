import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publishFile, replaceFile } from "../../../core/base/index.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "whole-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const isPosix = process.platform !== "win32";

describe.each([
  ["replaceFile()", replaceFile],
  ["publishFile()", publishFile],
])("%s", (_, write) => {
  it.each([true, false])("writes a file that no other user can read, and its folder (flushed: %s)", (flush) => {
    const path = join(folder, "a", "b", "file");
    write(path, "text\n", { flush });
    expect(readFileSync(path, "utf8")).toBe("text\n");
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["file"]);
  });

  it("leaves nothing aside where it fails, and says why", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => write(join(folder, "file", "below"), "text")).toThrow(/ENOTDIR|ENOENT|EEXIST/);
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

describe("replaceFile()", () => {
  it("takes the place of what is there, but not of a folder", () => {
    const path = join(folder, "file");
    for (const text of ["one", "two"]) replaceFile(path, text);
    expect(readFileSync(path, "utf8")).toBe("two");
    mkdirSync(join(folder, "taken", "inside"), { recursive: true });
    expect(() => replaceFile(join(folder, "taken"), "text")).toThrow(/E(ISDIR|NOTEMPTY|EXIST|PERM)/);
    expect(readdirSync(folder).sort()).toEqual(["file", "taken"]);
  });
});

describe("publishFile()", () => {
  it("leaves what is there as it is", () => {
    const path = join(folder, "file");
    expect(publishFile(path, "one")).toBe(true);
    expect(publishFile(path, "two")).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("one");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("lets one of several processes succeed, and the others find its text whole", async () => {
    const path = join(folder, "file");
    const program = compiledProgram(new URL("publishing.child.ts", import.meta.url));
    const children = Array.from({ length: 4 }, () => fork(program, [path]));
    await Promise.all(children.map((child) => once(child, "message")));
    const answers = children.map((child) => once(child, "message"));
    for (const child of children) child.send("go");
    const told = (await Promise.all(answers)).map(([answer]) => answer);
    const [winner] = told.filter(({ made }) => made);
    expect(told.filter(({ made }) => made)).toHaveLength(1);
    for (const { found } of told) expect(found).toBe(winner.text);
  });
});
