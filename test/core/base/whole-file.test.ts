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

  /** Lets several processes publish at once. */
  async function published(path: string, count: number, linkError?: string) {
    const program = compiledProgram(new URL("publishing.child.ts", import.meta.url));
    const env = { ...process.env, ...(linkError === undefined ? {} : { LINK_ERROR: linkError }) };
    const children = Array.from({ length: count }, () => fork(program, [path], { env }));
    await Promise.all(children.map((child) => once(child, "message")));
    const answers = children.map((child) => once(child, "message"));
    for (const child of children) child.send("go");
    return (await Promise.all(answers)).map(([answer]) => answer);
  }

  it("lets one of several processes succeed, and the others find its text whole", async () => {
    const told = await published(join(folder, "file"), 4);
    const [winner] = told.filter(({ made }) => made);
    expect(told.filter(({ made }) => made === true)).toHaveLength(1);
    for (const { found } of told) expect(found).toBe(winner.text);
  });

  it.each(["EPERM", "ENOTSUP", "EXDEV"])("writes whole files on a disk whose links fail with %s", async (code) => {
    const path = join(folder, "file");
    const told = await published(path, 4, code);
    const texts = told.map(({ text }) => text);
    expect(told.map(({ made }) => made)).toContain(true);
    for (const { made, found } of told) {
      expect(typeof made).toBe("boolean");
      expect(texts).toContain(found);
    }
    const before = readFileSync(path, "utf8");
    expect(await published(path, 1, code)).toMatchObject([{ made: false, found: before }]);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("reports other failures of a link, and leaves nothing", async () => {
    expect(await published(join(folder, "file"), 1, "EIO")).toMatchObject([{ made: "Error: EIO: links fail" }]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
