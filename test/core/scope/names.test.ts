import { describe, expect, it } from "vitest";
import { checkName, nameProblem, physicalName } from "../../../core/base/index.js";
import { fc } from "../../helpers/checks/generated.js";

const inApp = { app: "shop", path: "", stage: "dev" };

describe("checkName", () => {
  it.each([
    ["a word", "logs"],
    ["spaces, dots and dashes", "my file.v2-final"],
    ["three dots", "..."],
    ["letters of any script", "東京 ü 🚀"],
    ["256 characters", "x".repeat(256)],
    ["the name of an object's member", "__proto__"],
  ])("accepts %s", (_case, name) => {
    expect(() => checkName("id", name)).not.toThrow();
  });

  it.each([
    ["an empty string", "", "it is empty"],
    ["a single dot", ".", "relative path"],
    ["two dots", "..", "relative path"],
    ["a slash", "a/b", 'contains "/"'],
    ["a line break", "a\nb", "control character"],
    ["NUL", "a\u0000", "control character"],
    ["a C1 control character", "a\u0085", "control character"],
    ["half of a surrogate pair", "a\ud83d", "half of a surrogate pair"],
    ["257 characters", "x".repeat(257), "it has 257 characters"],
    ["undefined", undefined, "of type undefined"],
    ["null", null, "it is null"],
    ["a number", 7, "of type number"],
  ])("refuses %s", (_case, name, why) => {
    expect(() => checkName("scope name", name)).toThrow(
      expect.objectContaining({ code: "INVALID_NAME", message: expect.stringContaining(why) }),
    );
  });

  it("says which name it is about and what is allowed", () => {
    expect(() => checkName("app name", "")).toThrow(
      'Invalid app name: it is empty. An app name must be a non-empty string of at most 256 characters, without "/" or control characters, and not "." or "..".',
    );
  });

  it("shows control characters escaped", () => {
    expect(() => checkName("stage", "a\u001b[31m")).toThrow('"a\\u001b[31m"');
  });
});

describe("physicalName", () => {
  it("is {app}-{id}-{stage} at the root", () => {
    expect(physicalName({ ...inApp, id: "queue" })).toBe("shop-queue-dev");
  });

  it("has the child scopes, without the stage, between app and id", () => {
    expect(physicalName({ ...inApp, path: "eu/api", id: "queue" })).toBe("shop-eu-api-queue-dev");
  });

  it.each([
    ["_", "my_shop_eu_a_b_dev"],
    ["", "myshopeuabdev"],
    ["--", "my--shop--eu--a--b--dev"],
    [".", "my.shop.eu.a.b.dev"],
    ["$&", "my$&shop$&eu$&a$&b$&dev"],
  ])("takes the delimiter %j between the parts and for other characters", (delimiter, name) => {
    expect(physicalName({ app: "my shop", path: "eu", id: "a:b", stage: "dev", delimiter })).toBe(name);
  });

  it.each([
    ["a space", "a b", "shop-a-b-dev"],
    ["a dot", "index.html", "shop-index-html-dev"],
    ["an accent", "größe", "shop-gr--e-dev"],
    ["an emoji, once", "a🚀b", "shop-a-b-dev"],
    ["nothing: _ and - stay", "a_b-c", "shop-a_b-c-dev"],
  ])("replaces %s by the delimiter", (_case, id, name) => {
    expect(physicalName({ ...inApp, id })).toBe(name);
  });

  it("leaves a name alone that is exactly maxLength long", () => {
    expect(physicalName({ ...inApp, id: "queue", maxLength: 14 })).toBe("shop-queue-dev");
  });

  it("cuts the longest parts evenly and ends in a hash of 8 characters", () => {
    const name = physicalName({ ...inApp, path: "european-region", id: "order-processing-queue", maxLength: 32 });
    expect(name).toMatch(/^shop-europe-order--dev-[a-z2-7]{8}$/);
  });

  it("stays the same from call to call and from release to release", () => {
    const name = physicalName({ ...inApp, id: "order-processing-queue", maxLength: 24 });
    expect(name).toBe("shop-order--dev-bq33casc");
  });

  it("keeps queue-1 and queue-2 apart after cutting", () => {
    const cut = (id: string) => physicalName({ ...inApp, id, maxLength: 20 });
    expect(cut("a-queue-with-a-long-name-1")).not.toBe(cut("a-queue-with-a-long-name-2"));
  });

  it("keeps names apart that differ only in replaced characters after cutting", () => {
    const cut = (id: string) => physicalName({ ...inApp, id, maxLength: 20 });
    expect(cut("a long name with spaces")).not.toBe(cut("a.long.name.with.spaces"));
  });

  it("keeps a scope apart from a dash in an id after cutting", () => {
    const nested = physicalName({ ...inApp, path: "processing", id: "order-queue", maxLength: 20 });
    const flat = physicalName({ ...inApp, path: "", id: "processing-order-queue", maxLength: 20 });
    expect(nested.slice(-8)).not.toBe(flat.slice(-8));
  });

  it("does not hash a name that fits, so that it stays readable: replaced characters can make two names one", () => {
    expect(physicalName({ ...inApp, id: "a b", maxLength: 63 })).toBe(
      physicalName({ ...inApp, id: "a.b", maxLength: 63 }),
    );
  });

  it("cuts no character of the delimiter in half", () => {
    const name = physicalName({ ...inApp, id: "........................", delimiter: "🚀", maxLength: 24 });
    expect(name).not.toMatch(/\p{Cs}/u);
  });

  it("says the least maxLength that works when it cannot hold a character of each part and the hash", () => {
    const make = (maxLength: number) => physicalName({ ...inApp, path: "api", id: "queue", maxLength });
    expect(() => make(15)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining("16") }),
    );
    expect(make(16)).toMatch(/^s-a-q-d-[a-z2-7]{8}$/);
  });

  it("says the length of the whole name where that is less than a cut one needs", () => {
    const make = (maxLength: number) => physicalName({ app: "a", path: "", id: "b", stage: "c", maxLength });
    expect(() => make(4)).toThrow("Pass a maxLength of at least 5");
    expect(make(5)).toBe("a-b-c");
  });

  it("refuses a delimiter that is not a string", () => {
    const refused = {
      code: "INVALID_OPTION",
      message: "The delimiter of a physical name must be a string, not number.",
    };
    expect(() => physicalName({ ...inApp, id: "queue", ...JSON.parse('{"delimiter":1}') })).toThrow(
      expect.objectContaining(refused),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses the maxLength %d", (maxLength) => {
    expect(() => physicalName({ ...inApp, id: "queue", maxLength })).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: expect.stringContaining("whole number of at least 1"),
      }),
    );
  });

  it("refuses an id that is not a name", () => {
    expect(() => physicalName({ ...inApp, id: "a/b" })).toThrow(expect.objectContaining({ code: "INVALID_NAME" }));
  });

  describe("for any names, delimiter and maxLength", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
      .filter((text) => nameProblem(text) === undefined);
    const full = fc.record({
      app: name,
      path: fc.array(name, { maxLength: 6 }).map((names) => names.join("/")),
      id: name,
      stage: name,
      delimiter: fc.oneof(fc.constantFrom("-", "", "_", "--", "🚀"), fc.string({ maxLength: 5 })),
    });
    const maxLength = fc.integer({ min: 1, max: 200 });

    it("is at most maxLength long, or an error whose maxLength then works", () => {
      fc.assert(
        fc.property(full, maxLength, (parts, limit) => {
          try {
            expect(physicalName({ ...parts, maxLength: limit }).length).toBeLessThanOrEqual(limit);
          } catch (error) {
            const least = Number(/maxLength of at least (\d+)/.exec(String(error))?.[1]);
            expect(least).toBeGreaterThan(limit);
            expect(physicalName({ ...parts, maxLength: least }).length).toBeLessThanOrEqual(least);
          }
        }),
      );
    });

    it("gives two names that were cut two results", () => {
      const key = (parts: { app: string; path: string; id: string; stage: string }) =>
        JSON.stringify([parts.app, parts.path, parts.id, parts.stage]);
      fc.assert(
        fc.property(full, full, (one, other) => {
          fc.pre(key(one) !== key(other));
          const delimiter = one.delimiter;
          const limit = 8 + 9 * (delimiter.length + 1);
          const cut = [one, other].map((parts) => physicalName({ ...parts, delimiter, maxLength: limit }));
          const whole = [one, other].map((parts) => physicalName({ ...parts, delimiter }));
          fc.pre(whole.every((text) => text.length > limit));
          expect(cut[0]).not.toBe(cut[1]);
        }),
      );
    });

    it("consists of allowed characters and the delimiter", () => {
      fc.assert(
        fc.property(full, (parts) => {
          expect(physicalName({ ...parts, delimiter: "-" })).toMatch(/^[A-Za-z0-9_-]+$/);
        }),
      );
    });
  });
});
