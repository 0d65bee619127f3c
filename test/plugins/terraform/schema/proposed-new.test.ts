import { describe, expect, test } from "vitest";
import { type CtyType, type CtyValue, Dynamic, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { proposedData, proposedNew } from "../../../../plugins/terraform/schema/index.js";
import { check, ofAttribute, ofBlocks } from "./proposals.js";
import { block, blocks, both, computed, nested, optional, pair, required } from "./shapes.js";

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
    ["single: what it had computed stays", "single", pair("1", "old"), pair("2", null), pair("2", "old")],
    ["single: absent where it is configured no more", "single", pair("1", "old"), null, null],
    ["single: new", "single", null, pair("1", null), pair("1", null)],
    [
      "group: what it had computed stays, though nothing in it is configured",
      "group",
      pair("1", "old"),
      pair(null, null),
      pair(null, "old"),
    ],
    [
      "list: by position",
      "list",
      [pair("1", "one"), pair("2", "two")],
      [pair("2", null), pair("1", null), pair("3", null)],
      [pair("2", "one"), pair("1", "two"), pair("3", null)],
    ],
    ["list: none any more", "list", [pair("1", "one")], [], []],
    [
      "map: by key",
      "map",
      { k: pair("1", "one"), gone: pair("2", "two") },
      { k: pair("3", null), toString: pair("4", null) },
      { k: pair("3", "one"), toString: pair("4", null) },
    ],
    [
      "set: by what is configured",
      "set",
      [pair("1", "one"), pair("2", "two")],
      [pair("2", null), pair("3", null)],
      [pair("2", "two"), pair("3", null)],
    ],
    ["not known yet: so they are proposed", "list", [pair("1", "one")], unknown, unknown],
  ] as const)("%s", (_what, nesting, prior, config, want) => {
    check(ofBlocks(blocks(nesting, one), prior, config, want));
  });

  test("a block in a list of which nothing is known yet is what it was", () => {
    check(ofBlocks(blocks("list", one), [pair("1", "one")], [unknown], [pair("1", "one")]));
  });
});

describe("blocks with something dynamic inside", () => {
  const one = block({ a: { type: "dynamic", optional: true }, c: { type: "dynamic", optional: true, computed: true } });

  test("of a list are found by position, each with its own type", () => {
    const tuple = (...all: [a: CtyType, c: CtyType, values: CtyValue][]) => {
      const types = all.map(([a, c]): CtyType => ["object", { a, c }]);
      return new Dynamic(
        ["tuple", types],
        all.map(([, , values]) => values),
      );
    };
    const prior = tuple(["string", ["list", "number"], pair("1", [1])]);
    const config = tuple(["bool", "dynamic", pair(true, null)], ["number", "string", pair(2, "x")]);
    const want = tuple(["bool", ["list", "number"], pair(true, [1])], ["number", "string", pair(2, "x")]);
    check(ofBlocks(blocks("list", one), prior, config, want));
  });

  test("of a map are found by key, each with its own type", () => {
    const map = (a: CtyType, c: CtyType, k: CtyValue) => new Dynamic(["object", { k: ["object", { a, c }] }], { k });
    const prior = map("string", "bool", pair("1", true));
    const config = map("string", "dynamic", pair("2", null));
    check(ofBlocks(blocks("map", one), prior, config, map("string", "bool", pair("2", true))));
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
      deep: pair("1", null),
      l: [pair(null, null)],
      g: { c: null },
      s: null,
    };
    expect(proposedData(schema, config)).toEqual({
      name: "n",
      id: unknown,
      size: "s",
      deep: pair("1", unknown),
      l: [pair(null, unknown)],
      g: { c: unknown },
      s: null,
    });
  });
});
