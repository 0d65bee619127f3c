import { expect, test } from "vitest";
import { TargetPatterns } from "../../../core/options/index.js";
import { fc } from "../../helpers/checks/generated.js";

const part = fc.constantFrom("a", "b", "ab", "a.b");
const key = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const text = fc
  .array(fc.oneof(part, fc.constantFrom("*", "**", "a?", "*b", "app", "dev")), { maxLength: 3 })
  .chain((parts) =>
    fc.constantFrom(...["app/dev", "app/dev/", "app", "other/dev"].map((at) => [at, ...parts].join("/"))),
  );

test("many patterns select what one of them selects by itself", () => {
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
