import { basename, isAbsolute, join, normalize, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { fileOf, filePart, folderOf, folderPart } from "../../adapters/fs/path.js";
import { anyCharacter, fc } from "../helpers/checks/generated.js";

/** Any string at all, and strings of the pieces that could break an encoding. */
const pieces = [
  "/",
  ".",
  "..",
  ".json",
  "=",
  "=empty",
  "%",
  "=2E",
  "=u65E5",
  "con",
  "a",
  "A",
  " ",
  "\0",
  "日",
  "\ud83d",
  "\ude00",
];
const keys = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join("")),
  fc
    .array(fc.constantFrom(...pieces, "x".repeat(199), "é".repeat(70)), { maxLength: 6 })
    .map((parts) => parts.join("")),
);

function keyOf(path: string): string | undefined {
  const names = path.split(sep);
  const last = filePart(names.pop() ?? "");
  return [...names.map(folderPart), last].reduce((key, part) =>
    key === undefined || part === undefined ? undefined : key + part,
  );
}

describe("paths of keys", () => {
  it("look like the keys of the engine", () => {
    expect(fileOf("my%20app/dev/journal/000000000001")).toBe(join("my%20app", "dev", "journal", "000000000001.json"));
    const longest = "%C3%A4".repeat(33);
    expect(fileOf(`${longest}/${longest}`)).toBe(join(longest, `${longest}.json`));
  });

  it.each([
    ["a:b", "a=3Ab.json"],
    ["日", "=u65E5.json"],
    ["", "=empty.json"],
    ["a//b", join("a", "=empty", "b.json")],
    ["../..", join("=2E=2E", "=2E=2E.json")],
    ["nul.txt/COM1", join("=6Eul.txt", "=43OM1.json")],
    ["console", "console.json"],
    ["a.JSON/b.json", join("a=2EJSON", "b.json.json")],
    ["x".repeat(201), join(`${"x".repeat(200)}=`, "x.json")],
  ])("write %j as %j", (key, path) => {
    expect(fileOf(key)).toBe(path);
  });

  it("lead back to their keys, so that no two keys share one", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(keyOf(fileOf(key))).toBe(key);
      }),
      { numRuns: 5_000 },
    );
  });

  it("stay in the root, on every file system", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const path = fileOf(key);
        expect(isAbsolute(path)).toBe(false);
        expect(normalize(path)).toBe(path);
        expect(relative("/root", join("/root", path))).toBe(path);
        for (const name of path.split(sep)) {
          expect(name).toMatch(/^[A-Za-z0-9_%=-][A-Za-z0-9._%=-]{0,219}$/);
          expect(name).not.toMatch(/\.$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("never take a file for a folder", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const path = fileOf(key);
        expect(basename(path).endsWith(".json")).toBe(true);
        for (const folder of path.split(sep).slice(0, -1)) expect(folder.toLowerCase().endsWith(".json")).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of keys with a prefix lie in the prefix's folder", () => {
    fc.assert(
      fc.property(keys, keys, (prefix, rest) => {
        const { folder, start } = folderOf(prefix);
        expect(prefix.startsWith(start)).toBe(true);
        expect(folder === "" || fileOf(prefix + rest).startsWith(`${folder}${sep}`)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
