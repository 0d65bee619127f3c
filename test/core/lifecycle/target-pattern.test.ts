import { describe, expect, it } from "vitest";
import { TargetPattern, TargetPatterns } from "../../../core/options/index.js";
import { fc } from "../../helpers/checks/generated.js";

const keys = ["db", "web", "web/page", "web/page/part", "jobs/web", "jobs/web2", "jobs/a.b", "jobs/deep/web"];
const selected = (text: string): string[] => {
  const pattern = new TargetPattern(text, "app", "dev");
  return keys.filter((key) => pattern.selects(key));
};
const below = (...paths: string[]): string[] =>
  keys.filter((key) => paths.some((path) => key === path || key.startsWith(`${path}/`)));

describe("a pattern selects what it matches and everything below it", () => {
  it.each<[string, string[]]>([
    ["app/dev/db", ["db"]],
    ["app/dev/web", below("web")],
    ["app/dev/web/", below("web")],
    ["app/dev/web/page", below("web/page")],
    ["app/dev", keys],
    ["app/dev/**", keys],
    ["**", keys],
    ["*/*/db", ["db"]],
    ["app/*/web", below("web")],
    ["app/dev/*", keys],
    ["app/dev/*/web", ["jobs/web"]],
    ["app/dev/web/*", below("web/page")],
    ["app/dev/web/**", below("web/page")],
    ["app/dev/jobs/w*", ["jobs/web", "jobs/web2"]],
    ["app/dev/jobs/web?", ["jobs/web2"]],
    ["app/dev/jobs/?eb", ["jobs/web"]],
    ["app/dev/jobs/a.b", ["jobs/a.b"]],
    ["app/dev/jobs/a?b", ["jobs/a.b"]],
    ["app/dev/jobs/[w]eb", []],
    ["app/dev/**/web", [...below("web"), "jobs/web", "jobs/deep/web"]],
    ["app/dev/jobs/**/web", ["jobs/web", "jobs/deep/web"]],
    ["app/dev/we", []],
    ["app/dev/DB", []],
    ["app/**/part", ["web/page/part"]],
  ])("%s", (text, expected) => {
    expect(new TargetPattern(text, "app", "dev").isPossible).toBe(true);
    expect(selected(text)).toEqual(expected.toSorted((a, b) => keys.indexOf(a) - keys.indexOf(b)));
  });
});

describe("a pattern that begins with **/", () => {
  it.each<[string, string[]]>([
    ["**/web", [...below("web"), "jobs/web", "jobs/deep/web"]],
    ["**/jobs/web", ["jobs/web"]],
    ["**/page/*", ["web/page/part"]],
    ["**/*2", ["jobs/web2"]],
  ])("leaves app and stage out: %s", (text, expected) => {
    expect(selected(text).toSorted()).toEqual(expected.toSorted());
  });

  it.each(["**/app", "**/dev", "**/d*v"])("does not match app and stage themselves: %s", (text) => {
    expect(selected(text)).toEqual([]);
  });
});

describe("a pattern without app and stage is a path below the stage", () => {
  it.each<[string, string[]]>([
    ["db", ["db"]],
    ["web", below("web")],
    ["web/", below("web")],
    ["web/*", below("web/page")],
    ["we?", below("web")],
    ["w*", below("web")],
    ["*", keys],
    ["*/web", ["jobs/web"]],
    ["jobs/**/web", ["jobs/web", "jobs/deep/web"]],
    ["app", []],
    ["dev/web", []],
  ])("%s", (text, expected) => {
    const pattern = new TargetPattern(text, "app", "dev");
    expect([pattern.isPossible, pattern.whole]).toEqual([true, `app/dev/${text.replace(/\/$/, "")}`]);
    expect(selected(text).toSorted()).toEqual(expected.toSorted());
  });
});

describe("a pattern of another app or stage", () => {
  it.each(["app/prod/web", "app/prod/*", "shop/dev/web", "/app/dev/web", "app//web", "/", ""])(
    "is impossible, and selects nothing: %s",
    (text) => {
      expect(new TargetPattern(text, "app", "dev").isPossible).toBe(false);
      expect(selected(text)).toEqual([]);
    },
  );
});

it("a character outside of the basic plane is one character", () => {
  expect(new TargetPattern("app/dev/?", "app", "dev").selects("🎈")).toBe(true);
});

const part = fc.constantFrom("a", "b", "ab", "a.b");
const key = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const text = fc
  .array(fc.oneof(part, fc.constantFrom("*", "**", "a?", "*b", "app", "dev")), { maxLength: 3 })
  .chain((parts) =>
    fc.constantFrom(...["app/dev", "app/dev/", "app", "other/dev"].map((at) => [at, ...parts].join("/"))),
  );

it("many patterns select what one of them selects by itself", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), key, (texts, name) => {
      const patterns = new TargetPatterns(texts, "app", "dev");
      const expected = patterns.all.filter((pattern) => pattern.selects(name));
      expect(new Set(patterns.selecting(name))).toEqual(new Set(expected));
      expect(patterns.selecting(name)).toHaveLength(expected.length);
      expect(patterns.selects(name)).toBe(expected.length > 0);
    }),
    { numRuns: 2_000 },
  );
});
