import { describe, test } from "vitest";
import { Unknown } from "../../../../plugins/terraform/cty/index.js";
import { check, ofAttribute } from "./proposals.js";
import { both, computed, nested, optional, required } from "./shapes.js";

const unknown = new Unknown();

describe("nested attributes", () => {
  const inner = { a: optional, c: both };

  test.each([
    ["single: what it had computed stays", "single", { a: "1", c: "old" }, { a: "2", c: null }, { a: "2", c: "old" }],
    ["single: null where it is configured no more", "single", { a: "1", c: "old" }, null, null],
    [
      "list: by position",
      "list",
      [{ a: "1", c: "one" }],
      [
        { a: "2", c: null },
        { a: "3", c: null },
      ],
      [
        { a: "2", c: "one" },
        { a: "3", c: null },
      ],
    ],
    ["list: empty is not null", "list", [{ a: "1", c: "one" }], [], []],
    [
      "map: by key",
      "map",
      { k: { a: "1", c: "one" } },
      { k: { a: "2", c: null }, l: { a: "1", c: null } },
      { k: { a: "2", c: "one" }, l: { a: "1", c: null } },
    ],
    [
      "set: by what is configured",
      "set",
      [{ a: "1", c: "one" }],
      [
        { a: "1", c: null },
        { a: "2", c: null },
      ],
      [
        { a: "1", c: "one" },
        { a: "2", c: null },
      ],
    ],
    ["not known yet", "map", { k: { a: "1", c: "one" } }, unknown, unknown],
  ] as const)("%s", (_what, nesting, prior, config, want) => {
    check(ofAttribute(nested(nesting, inner), prior, config, want));
  });

  test("an element that is null in the configuration is null", () => {
    check(ofAttribute(nested("map", inner), { k: { a: "1", c: "one" } }, { k: null }, { k: null }));
  });

  test("an element of which nothing is known yet has all of its attributes unknown", () => {
    check(ofAttribute(nested("list", inner), [{ a: "1", c: "one" }], [unknown], [{ a: unknown, c: unknown }]));
  });
});

describe("nested attributes that are computed unless they are configured", () => {
  const outer = { optional: true, computed: true };
  const object = nested("single", { a: optional, c: computed });

  test("keep what was computed in them, where they are configured", () => {
    check(
      ofAttribute(
        nested("list", { o: object }, outer),
        [{ o: { a: "1", c: "one" } }],
        [{ o: { a: "1", c: null } }],
        [{ o: { a: "1", c: "one" } }],
      ),
    );
  });

  test("are null where they are configured no more: something in them was no computed value", () => {
    check(ofAttribute(nested("list", { o: object }, outer), [{ o: { a: "1", c: "one" } }], null, null));
    check(ofAttribute(nested("single", { a: required }, outer), { a: "1" }, null, null));
  });

  test("keep what they were where all in them may have been computed", () => {
    const all = nested("single", { c: both, d: computed }, outer);
    check(ofAttribute(all, { c: "1", d: "2" }, null, { c: "1", d: "2" }));
  });

  test("keep what they were where only the provider sets them, whatever is in them", () => {
    check(ofAttribute(nested("list", { a: optional }, { computed: true }), [{ a: "1" }], null, [{ a: "1" }]));
  });
});
