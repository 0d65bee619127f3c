import { describe, expect, test } from "vitest";
import { Dynamic, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { proposedData, proposedNew } from "../../../../plugins/terraform/schema/index.js";
import { check, ofAttribute, ofBlocks } from "./proposals.js";
import { block, blocks, both, computed, nested, optional, required } from "./shapes.js";

const unknown = new Unknown();

describe("an attribute", () => {
  test.each([
    ["that is configured is as it is configured", optional, "old", "new", "new"],
    ["that is not configured any more is null", optional, "old", null, null],
    ["that is computed keeps what it was", computed, "old", null, "old"],
    ["that is computed unless it is configured keeps what it was", both, "old", null, "old"],
    ["that is computed unless it is configured is as it is configured", both, "old", "new", "new"],
    ["that is configured with what is not known yet is unknown", both, "old", unknown, unknown],
  ])("%s", (_what, attribute, prior, config, want) => {
    check(ofAttribute(attribute, prior, config, want));
  });
});

describe("of what is not there yet", () => {
  const schema = block(
    { name: optional, id: computed, deep: nested("single", { a: required }, { computed: true }) },
    { x: blocks("single", block({ a: both, b: both })), all: blocks("group", block({ c: computed })) },
  );

  test("what will be computed is null: that it is unknown, the provider says", () => {
    const config = { name: "n", id: null, deep: null, x: { a: "w", b: unknown }, all: { c: null } };
    check({ schema, prior: null, config, want: config });
  });

  test("a block that is not configured stays null", () => {
    const config = { name: "n", id: null, deep: null, x: null, all: { c: null } };
    check({ schema, prior: null, config, want: config });
  });

  test("nothing is proposed where nothing is configured, either", () => {
    expect(proposedNew(schema, null, null)).toBe(null);
  });

  test("sets are as they are configured, with what is not known yet in them", () => {
    const config = { x: [{ a: unknown }, { a: unknown }], y: [{ b: "w" }] };
    const sets = block(
      { y: nested("set", { b: required }, { optional: true, computed: true }) },
      { x: blocks("set", block({ a: both })) },
    );
    check({ schema: sets, prior: null, config, want: config });
  });
});

describe("blocks", () => {
  const one = block({ a: optional, c: both });

  test.each([
    ["single: what it had computed stays", "single", { a: "1", c: "old" }, { a: "2", c: null }, { a: "2", c: "old" }],
    ["single: absent where it is configured no more", "single", { a: "1", c: "old" }, null, null],
    ["single: new", "single", null, { a: "1", c: null }, { a: "1", c: null }],
    [
      "group: what it had computed stays, though nothing in it is configured",
      "group",
      { a: "1", c: "old" },
      { a: null, c: null },
      { a: null, c: "old" },
    ],
    [
      "list: by position",
      "list",
      [
        { a: "1", c: "one" },
        { a: "2", c: "two" },
      ],
      [
        { a: "2", c: null },
        { a: "1", c: null },
        { a: "3", c: null },
      ],
      [
        { a: "2", c: "one" },
        { a: "1", c: "two" },
        { a: "3", c: null },
      ],
    ],
    ["list: none any more", "list", [{ a: "1", c: "one" }], [], []],
    [
      "map: by key",
      "map",
      { k: { a: "1", c: "one" }, gone: { a: "2", c: "two" } },
      { k: { a: "3", c: null }, toString: { a: "4", c: null } },
      { k: { a: "3", c: "one" }, toString: { a: "4", c: null } },
    ],
    [
      "set: by what is configured",
      "set",
      [
        { a: "1", c: "one" },
        { a: "2", c: "two" },
      ],
      [
        { a: "2", c: null },
        { a: "3", c: null },
      ],
      [
        { a: "2", c: "two" },
        { a: "3", c: null },
      ],
    ],
    ["not known yet: so they are proposed", "list", [{ a: "1", c: "one" }], unknown, unknown],
  ] as const)("%s", (_what, nesting, prior, config, want) => {
    check(ofBlocks(blocks(nesting, one), prior, config, want));
  });

  test("a block in a list of which nothing is known yet is what it was", () => {
    check(ofBlocks(blocks("list", one), [{ a: "1", c: "one" }], [unknown], [{ a: "1", c: "one" }]));
  });
});

describe("blocks with something dynamic inside", () => {
  const one = block({ a: { type: "dynamic", optional: true }, c: { type: "dynamic", optional: true, computed: true } });

  test("of a list are found by position, each with its own type", () => {
    const prior = new Dynamic(["tuple", [["object", { a: "string", c: ["list", "number"] }]]], [{ a: "1", c: [1] }]);
    const config = new Dynamic(
      [
        "tuple",
        [
          ["object", { a: "bool", c: "dynamic" }],
          ["object", { a: "number", c: "string" }],
        ],
      ],
      [
        { a: true, c: null },
        { a: 2, c: "x" },
      ],
    );
    const want = new Dynamic(
      [
        "tuple",
        [
          ["object", { a: "bool", c: ["list", "number"] }],
          ["object", { a: "number", c: "string" }],
        ],
      ],
      [
        { a: true, c: [1] },
        { a: 2, c: "x" },
      ],
    );
    check(ofBlocks(blocks("list", one), prior, config, want));
  });

  test("of a map are found by key, each with its own type", () => {
    const prior = new Dynamic(["object", { k: ["object", { a: "string", c: "bool" }] }], { k: { a: "1", c: true } });
    const config = new Dynamic(["object", { k: ["object", { a: "string", c: "dynamic" }] }], {
      k: { a: "2", c: null },
    });
    const want = new Dynamic(["object", { k: ["object", { a: "string", c: "bool" }] }], { k: { a: "2", c: true } });
    check(ofBlocks(blocks("map", one), prior, config, want));
  });

  test("that are not known yet stay so", () => {
    check(ofBlocks(blocks("list", one), new Dynamic(["tuple", []], []), unknown, unknown));
  });
});

describe("a data source that cannot be read yet", () => {
  test("has what is configured, and is unknown in the rest", () => {
    const schema = block(
      { name: required, id: computed, size: both, deep: nested("single", { a: optional, c: computed }) },
      {
        l: blocks("list", block({ a: optional, c: computed })),
        g: blocks("group", block({ c: computed })),
        s: blocks("single", block({ c: computed })),
      },
    );
    const config = {
      name: "n",
      id: null,
      size: "s",
      deep: { a: "1", c: null },
      l: [{ a: null, c: null }],
      g: { c: null },
      s: null,
    };
    expect(proposedData(schema, config)).toEqual({
      name: "n",
      id: unknown,
      size: "s",
      deep: { a: "1", c: unknown },
      l: [{ a: null, c: unknown }],
      g: { c: unknown },
      s: null,
    });
  });
});
