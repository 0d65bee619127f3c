import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../../core/base/index.js";
import { apart, together } from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, nested, optional } from "./shapes.js";

const written = { ...optional, writeOnly: true };
const inner = block({ the_name: optional, pass_word: written });
const schema = block(
  {
    the_name: optional,
    pass_word: written,
    log_in: nested("single", inner.attributes),
    keys: nested("map", inner.attributes),
  },
  { user: blocks("list", inner), group: blocks("set", inner), plain: blocks("list", block({ a: optional })) },
);

describe("what is for writing only is set apart from props, and put together again", () => {
  test.each([
    ["nothing", { theName: "a" }, { theName: "a" }, undefined],
    ["an attribute", { theName: "a", passWord: "x" }, { theName: "a" }, { passWord: "x" }],
    [
      "one in a nested attribute",
      { logIn: { theName: "a", passWord: "x" } },
      { logIn: { theName: "a" } },
      { logIn: { passWord: "x" } },
    ],
    [
      "one in a map",
      { keys: { k: { passWord: "x" }, l: { theName: "b" } } },
      { keys: { k: {}, l: { theName: "b" } } },
      { keys: { k: { passWord: "x" } } },
    ],
    [
      "those in blocks",
      { user: [{ theName: "a" }, { theName: "b", passWord: "x" }], plain: [{ a: "1" }] },
      { user: [{ theName: "a" }, { theName: "b" }], plain: [{ a: "1" }] },
      { user: [undefined, { passWord: "x" }] },
    ],
    [
      "one in a block that is given as an object",
      { group: { passWord: "x" } },
      { group: {} },
      { group: { passWord: "x" } },
    ],
    ["an object as a whole", { passWord: { a: 1 } }, {}, { passWord: { a: 1 } }],
  ] as const)("%s", (_what, props, recorded, apartFromIt) => {
    expect(apart(schema, props)).toEqual({ recorded, written: apartFromIt });
    expect(together(recorded, apartFromIt)).toEqual(props);
  });

  test("as far as it is known, and no further", () => {
    const props = { user: unknownValue("x.users"), passWord: unknownValue("x.password") };
    const { recorded, written: apartFromIt } = apart(schema, props);
    expect(Object.keys(Object(recorded))).toEqual(["user"]);
    expect(Object.keys(Object(apartFromIt))).toEqual(["passWord"]);
    expect(Object.keys(Object(together(recorded, apartFromIt)))).toEqual(["user", "passWord"]);
  });
});
