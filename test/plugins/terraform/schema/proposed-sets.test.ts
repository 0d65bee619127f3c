import { describe, test } from "vitest";
import { type CtyValue, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { check, ofAttribute, ofBlocks } from "./proposals.js";
import { block, blocks, both, computed, nested, optional } from "./shapes.js";

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
        [
          { a: "1", c: "x" },
          { a: "2", c: "x" },
        ],
        [
          { a: null, c: null },
          { a: "2", c: null },
          { a: null, c: unknown },
        ],
        [
          { a: "1", c: "x" },
          { a: "2", c: "x" },
          { a: null, c: unknown },
        ],
      ),
    );
  });

  test("has no way to tell what is in a set within it, so that this one is as it is configured", () => {
    const pair = { a: both, c: both };
    const set = blocks("set", block({ ...pair, inner: nested("set", pair) }));
    const of = (a: string, c: string | null, inner: CtyValue) => ({ a, c, inner });
    check(
      ofBlocks(
        set,
        [of("1", "x", [{ a: "1", c: "x" }]), of("2", "x", [{ a: "2", c: "x" }])],
        [of("1", null, [{ a: "1", c: "x" }]), of("2", "x", [{ a: "2", c: null }]), of("3", null, null)],
        [of("1", "x", [{ a: "1", c: "x" }]), of("2", "x", [{ a: "2", c: null }]), of("3", null, null)],
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
    check(
      ofBlocks(
        set,
        [
          { a: "1", c: "x" },
          { a: "1", c: "y" },
        ],
        [
          { a: "1", c: null },
          { a: "1", c: "x" },
        ],
        [{ a: "1", c: "x" }],
      ),
    );
  });
});
