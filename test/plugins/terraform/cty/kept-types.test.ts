/** A dynamic value of a program keeps the types that its record has. */
import { expect, test } from "vitest";
import {
  type CtyType,
  type CtyValue,
  conform,
  Dynamic,
  withKeptTypes,
} from "../../../../plugins/terraform/cty/index.js";

const inferred = (value: CtyValue): CtyValue => conform("dynamic", value).value;

test.each<[CtyType, CtyValue, CtyValue]>([
  [["list", "string"], ["a"], ["a", "b"]],
  [["list", "dynamic"], [], []],
  [["list", "string"], ["a"], []],
  [["list", "string"], ["a"], ["a", null]],
  [["set", "number"], [1], [2, 2]],
  [["map", "string"], { a: "b" }, { c: "d", e: "f" }],
  [["map", ["list", "string"]], { a: ["b"] }, { c: ["d"], e: [] }],
  [["object", { a: ["list", "string"], n: "number" }], { a: ["b"], n: 1 }, { a: ["c"], n: 2 }],
  [
    ["tuple", [["map", "string"], "string"]],
    [{ a: "b" }, "c"],
    [{ d: "e" }, "f"],
  ],
  ["number", "0.1234567890123456789", "0.1234567890123456789"],
])("%j stays %j with %j", (type, recorded, given) => {
  const kept = withKeptTypes({ it: inferred(given) }, { it: new Dynamic(type, recorded) });
  expect(kept).toMatchObject({ it: { type } });
});

test.each<[CtyType, CtyValue, CtyValue]>([
  [["list", "string"], ["a"], ["a", 1]],
  [["list", "string"], ["a"], { a: "b" }],
  [["map", "string"], { a: "b" }, { a: 1 }],
  ["number", 5, "5"],
  ["string", "5", 5],
])("%j of %j does not fit %j, which has its own type", (type, recorded, given) => {
  expect(withKeptTypes(inferred(given), new Dynamic(type, recorded))).toEqual(inferred(given));
});

test("members that an object did not have get their own types", () => {
  const kept = withKeptTypes(
    inferred({ a: ["b"], c: ["d"] }),
    new Dynamic(["object", { a: ["list", "string"] }], { a: [] }),
  );
  expect(kept).toEqual(
    new Dynamic(["object", { a: ["list", "string"], c: ["tuple", ["string"]] }], { a: ["b"], c: ["d"] }),
  );
});
