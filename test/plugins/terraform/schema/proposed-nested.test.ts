import { describe, test } from "vitest";
import { type CtyValue, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { check, ofAttribute, ofBlocks } from "./proposals.js";
import { block, blocks, both, computed, nested, optional, pair, required } from "./shapes.js";

const unknown = new Unknown();

describe("a set with computed values inside", () => {
  test("finds what was there by what is configured, in nested attributes too", () => {
    const set = nested(
      "set",
      { o: nested("single", { a: optional, c: computed }) },
      { optional: true, computed: true },
    );
    const of = (a: string, c: string | null) => ({ o: { a, c } });
    check(
      ofAttribute(
        set,
        [of("1", "one"), of("2", "two")],
        [of("1", null), of("2", null), of("3", null)],
        [of("1", "one"), of("2", "two"), of("3", null)],
      ),
    );
  });

  test("does not find what was configured otherwise", () => {
    const set = blocks("set", block({ o: nested("single", { a: optional, c: both }) }));
    const of = (a: string, c: string | null) => ({ o: { a, c } });
    check(
      ofBlocks(
        set,
        [of("1", "one"), of("2", "two")],
        [of("1", null), of("changed", null)],
        [of("1", "one"), of("changed", null)],
      ),
    );
    check(ofBlocks(set, [of("1", "one")], [of("1", "configured")], [of("1", "configured")]));
  });

  test("finds each of what was there once", () => {
    const set = blocks("set", block({ a: both, c: both }));
    check(
      ofBlocks(
        set,
        [pair("1", "x"), pair("2", "x")],
        [pair(null, null), pair("2", null), pair(null, unknown)],
        [pair("1", "x"), pair("2", "x"), pair(null, unknown)],
      ),
    );
  });

  test("has no way to tell what is in a set within it, so that this one is as it is configured", () => {
    const inner = { a: both, c: both };
    const set = blocks("set", block({ ...inner, inner: nested("set", inner) }));
    const of = (a: string, c: string | null, inner: CtyValue) => ({ a, c, inner });
    check(
      ofBlocks(
        set,
        [of("1", "x", [pair("1", "x")]), of("2", "x", [pair("2", "x")])],
        [of("1", null, [pair("1", "x")]), of("2", "x", [pair("2", null)]), of("3", null, null)],
        [of("1", "x", [pair("1", "x")]), of("2", "x", [pair("2", null)]), of("3", null, null)],
      ),
    );
  });

  test("does not find an element by a computed set within it", () => {
    const set = blocks("set", block({ a: optional, all: { type: ["set", "string"], computed: true } }));
    check(ofBlocks(set, [{ a: "1", all: ["x"] }], [{ a: "1", all: null }], [{ a: "1", all: null }]));
  });

  test("finds an element by a list of blocks within it that has grown, and not by one that has shrunk", () => {
    const set = blocks("set", block({ c: computed }, { l: blocks("list", block({ a: optional })) }));
    const of = (c: string | null, ...all: string[]) => ({ c, l: all.map((a) => ({ a })) });
    check(ofBlocks(set, [of("x", "1")], [of(null, "1", "2")], [of("x", "1", "2")]));
    check(ofBlocks(set, [of("x", "1", "2")], [of(null, "1")], [of(null, "1")]));
    check(ofBlocks(set, [of("x", "1")], [of(null, "2")], [of(null, "2")]));
  });

  test("finds an element that had no block where one is configured now", () => {
    const set = blocks("set", block({ c: computed }, { s: blocks("single", block({ a: optional })) }));
    check(ofBlocks(set, [{ c: "x", s: null }], [{ c: null, s: { a: "1" } }], [{ c: "x", s: { a: "1" } }]));
    check(ofBlocks(set, [{ c: "x", s: { a: "1" } }], [{ c: null, s: null }], [{ c: null, s: null }]));
  });

  test("has elements once that come to be the same", () => {
    const set = blocks("set", block({ a: optional, c: both }));
    check(ofBlocks(set, [pair("1", "x"), pair("1", "y")], [pair("1", null), pair("1", "x")], [pair("1", "x")]));
  });
});

describe("nested attributes", () => {
  const inner = { a: optional, c: both };

  test.each([
    ["single: what it had computed stays", "single", pair("1", "old"), pair("2", null), pair("2", "old")],
    ["single: null where it is configured no more", "single", pair("1", "old"), null, null],
    [
      "list: by position",
      "list",
      [pair("1", "one")],
      [pair("2", null), pair("3", null)],
      [pair("2", "one"), pair("3", null)],
    ],
    ["list: empty is not null", "list", [pair("1", "one")], [], []],
    [
      "map: by key",
      "map",
      { k: pair("1", "one") },
      { k: pair("2", null), l: pair("1", null) },
      { k: pair("2", "one"), l: pair("1", null) },
    ],
    [
      "set: by what is configured",
      "set",
      [pair("1", "one")],
      [pair("1", null), pair("2", null)],
      [pair("1", "one"), pair("2", null)],
    ],
    ["not known yet", "map", { k: pair("1", "one") }, unknown, unknown],
  ] as const)("%s", (_what, nesting, prior, config, want) => {
    check(ofAttribute(nested(nesting, inner), prior, config, want));
  });

  test("an element that is null in the configuration is null", () => {
    check(ofAttribute(nested("map", inner), { k: pair("1", "one") }, { k: null }, { k: null }));
  });

  test("an element of which nothing is known yet has all of its attributes unknown", () => {
    check(ofAttribute(nested("list", inner), [pair("1", "one")], [unknown], [pair(unknown, unknown)]));
  });
});

describe("nested attributes that are computed unless they are configured", () => {
  const outer = { optional: true, computed: true };
  const object = nested("single", { a: optional, c: computed });

  test("keep what was computed in them, where they are configured", () => {
    check(
      ofAttribute(
        nested("list", { o: object }, outer),
        [{ o: pair("1", "one") }],
        [{ o: pair("1", null) }],
        [{ o: pair("1", "one") }],
      ),
    );
  });

  test("are null where they are configured no more: something in them was no computed value", () => {
    check(ofAttribute(nested("list", { o: object }, outer), [{ o: pair("1", "one") }], null, null));
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
