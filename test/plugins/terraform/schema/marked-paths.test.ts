import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../../core/base/index.js";
import { type CtyValue, Dynamic, pathText, Unknown } from "../../../../plugins/terraform/cty/index.js";
import {
  type Attribute,
  apart,
  programPathText,
  propsOf,
  together,
  withoutWriteOnly,
  writeOnlyPaths,
} from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, nested, optional } from "./shapes.js";

const secret: Attribute = { ...optional, sensitive: true };
const written: Attribute = { ...optional, writeOnly: true };
const unknown = new Unknown();

/** `s` is sensitive and `w` is write-only, on every level. */
const inner = block({ a: optional, s: secret, w: written });
const schema = block(
  {
    a: optional,
    s: secret,
    w: written,
    n: nested("list", { s: secret, w: written }),
    m: nested("map", { d: nested("single", { w: written }) }),
    whole: { ...nested("set", { a: optional }), sensitive: true },
  },
  {
    one: blocks("single", inner),
    list: blocks("list", inner),
    set: blocks("set", inner),
    map: blocks("map", inner),
    plain: blocks("list", block({ a: optional })),
  },
);

function value(of: CtyValue): CtyValue {
  const nothing = {
    a: null,
    s: null,
    w: null,
    n: null,
    m: null,
    whole: null,
    one: null,
    list: [],
    set: [],
    map: {},
    plain: [],
  };
  return { ...nothing, ...Object(of) };
}

const full = { a: "a", s: "s", w: "w" };
const texts = (paths: readonly Parameters<typeof pathText>[0][]) => paths.map(pathText);

describe("what is marked in a schema is found in a value", () => {
  test.each([
    [{ w: "x" }, ["w"]],
    [{ w: unknown }, ["w"]],
    [
      {
        n: [
          { s: null, w: "x" },
          { s: "x", w: null },
        ],
      },
      ["n[0].w"],
    ],
    [{ m: { "a b": { d: { w: "x" } }, k: { d: null } } }, ['m["a b"].d.w']],
    [{ one: full, list: [full], set: [full], map: { k: full } }, ["one.w", "list[0].w", "set[0].w", "map.k.w"]],
    [{ one: unknown, plain: [unknown], n: [unknown] }, ["n[0]", "one"]],
    [null, []],
  ] as [CtyValue, string[]][])("for writing only (%#)", (of, want) => {
    expect(texts(writeOnlyPaths(schema, of && value(of)))).toEqual(want);
  });

  test("in blocks that each have a type of their own, too", () => {
    const loose = block({}, { x: blocks("list", block({ any: { type: "dynamic", optional: true }, w: written })) });
    const of = (w: CtyValue) => ({
      x: new Dynamic(["tuple", [["object", { any: "bool", w: "string" }]]], [{ any: true, w }]),
    });
    expect(texts(writeOnlyPaths(loose, of("w")))).toEqual(["x[0].w"]);
    expect(withoutWriteOnly(loose, of("w"))).toEqual(of(null));
  });
});

test("what is for writing only is taken out, and nothing else; elements of a set that are the same then are one", () => {
  const of = value({
    a: "a",
    w: "x",
    n: [{ s: "s", w: "y" }],
    one: full,
    list: [full],
    map: { k: full },
    set: [full, { ...full, w: "other" }],
  });
  const less = { ...full, w: null };
  expect(withoutWriteOnly(schema, of)).toEqual(
    value({ a: "a", n: [{ s: "s", w: null }], one: less, list: [less], map: { k: less }, set: [less] }),
  );
  expect(withoutWriteOnly(schema, null)).toBe(null);
});

test("a sensitive value is shown to a program as what stands for it, unless it is null or unknown", () => {
  const of = value({
    s: "x",
    n: [
      { s: "y", w: null },
      { s: unknown, w: null },
    ],
    whole: [{ a: "1" }],
  });
  const sensitive = (shown: unknown, path: readonly (string | number)[]) =>
    `${programPathText(path)}: ${JSON.stringify(shown)}`;
  expect(propsOf(schema, of, { sensitive, unknown: () => "?" })).toMatchObject({
    s: 's: "x"',
    n: [{ s: 'n[0].s: "y"' }, { s: "?" }],
    whole: 'whole: [{"a":"1"}]',
  });
});

describe("what is for writing only is set apart from props, and put together again", () => {
  const level = block({ the_name: optional, pass_word: written });
  const marked = block(
    { ...level.attributes, log_in: nested("single", level.attributes), keys: nested("map", level.attributes) },
    { user: blocks("list", level), group: blocks("set", level), plain: blocks("list", block({ a: optional })) },
  );

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
    expect(apart(marked, props)).toEqual({ recorded, written: apartFromIt });
    expect(together(recorded, apartFromIt)).toEqual(props);
  });

  test("as far as it is known, and no further", () => {
    const props = { user: unknownValue("x.users"), passWord: unknownValue("x.password") };
    const { recorded, written: apartFromIt } = apart(marked, props);
    expect(Object.keys(Object(recorded))).toEqual(["user"]);
    expect(Object.keys(Object(apartFromIt))).toEqual(["passWord"]);
    expect(Object.keys(Object(together(recorded, apartFromIt)))).toEqual(["user", "passWord"]);
  });
});
