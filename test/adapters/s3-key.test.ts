import { describe, expect, it } from "vitest";
import { keyOfObject, objectKey, objectPrefix } from "../../adapters/s3/open.js";
import { anyCharacter, fc } from "../helpers/checks/generated.js";

/** Any string at all, and strings of the pieces that could break an encoding. */
const pieces = [
  "/",
  ".",
  "..",
  "=",
  "=empty",
  "%",
  "=2E",
  "=u65E5",
  "a",
  " ",
  "\0",
  "\u0001",
  "日",
  "\ud83d",
  "\ude00",
];
const keys = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join("")),
);
const prefixes = fc.constantFrom("", "team/", "team/state/", "=/");

describe("keys of objects", () => {
  it("look like the keys of the engine, below the prefix", () => {
    const key = "my%20app/dev/journal/000000000001";
    expect(objectKey("", key)).toBe(key);
    expect(objectKey("team/", key)).toBe(`team/${key}`);
    expect(objectPrefix("team/", "my%20app/dev/")).toBe("team/my%20app/dev/");
  });

  it.each([
    ["", "=empty"],
    ["a:b c", "a=3Ab=20c"],
    ["日", "=u65E5"],
    ["a//b/", "a/=2Fb/"],
    ["/a", "=2Fa"],
    ["../.a.b.", "=2E./=2Ea.b."],
    ["a\0b", "a=00b"],
  ])("write %j as %j", (key, object) => {
    expect(objectKey("", key)).toBe(object);
  });

  it("lead back to the key, whatever it is", () => {
    fc.assert(
      fc.property(prefixes, keys, (prefix, key) => {
        expect(keyOfObject(prefix, objectKey(prefix, key))).toBe(key);
      }),
    );
  });

  it("begin alike where the keys do, and only there", () => {
    fc.assert(
      fc.property(prefixes, keys, keys, (prefix, start, key) => {
        const isBelow = (one: string): boolean => objectKey(prefix, one).startsWith(objectPrefix(prefix, start));
        // The empty key is in every list with an empty prefix.
        expect(isBelow(start + key)).toBe(start + key !== "" || start === "");
        if (key !== "" && !key.startsWith(start)) expect(isBelow(key)).toBe(false);
      }),
    );
  });

  it.each(["other/app/key", "team", "team/a b", "team/a=zz", "team/", "team//a", "team/./a", "team/=2e"])(
    "are none of the engine's: %s",
    (object) => {
      expect(keyOfObject("team/", object)).toBeUndefined();
    },
  );

  it("are refused where S3 takes none so long", () => {
    expect(objectKey("team/", "x".repeat(1019))).toHaveLength(1024);
    expect(() => objectKey("team/", "x".repeat(1020))).toThrow(/too long for S3, which allows 1024 bytes/);
    expect(() => objectKey("", "é".repeat(400))).toThrow(expect.objectContaining({ code: "STORE_FAILED" }));
  });
});
