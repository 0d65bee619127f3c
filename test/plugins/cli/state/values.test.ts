import { describe, expect, test } from "vitest";
import { memberLines } from "../../../../plugins/cli/state/list.js";
import { inClear, Secret } from "../../../../plugins/secrets/secret.js";

describe("values in clear", () => {
  test("have what secrets hold in their place, however deep, and are else the same", () => {
    const url = new URL("https://example.com");
    const value = {
      list: [new Secret("one"), { two: new Secret({ three: new Secret("four") }) }],
      map: new Map([["key", new Secret("five")]]),
      set: new Set([new Secret("six")]),
      url,
      none: null,
    };
    expect(inClear(value)).toEqual({
      list: ["one", { two: { three: "four" } }],
      map: new Map([["key", "five"]]),
      set: new Set(["six"]),
      url,
      none: null,
    });
  });
});

describe("members as lines", () => {
  test("are indented, and those that say nothing are left out", () => {
    expect(
      memberLines({
        kind: "fs:File",
        protect: false,
        error: undefined,
        children: [],
        data: {},
        props: { path: "a b", text: "two\nlines", empty: "", no: false, list: [1, { x: null }], nothing: {} },
      }),
    ).toEqual([
      "  kind  fs:File",
      "  props",
      "    path  a b",
      '    text  "two\\nlines"',
      '    empty  ""',
      "    no  false",
      "    list",
      "      1",
      "      [1]",
      "        x  null",
      "    nothing  {}",
    ]);
  });
});
