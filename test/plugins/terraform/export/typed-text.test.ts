/** An exported dynamic value keeps the types of its record; OpenTofu evaluates it in round-trip.matrix.test.ts. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL
import { expect, test } from "vitest";
import type { CtyType, CtyValue } from "../../../../plugins/terraform/cty/index.js";
import { typedText } from "../../../../plugins/terraform/export/typed-text.js";

test.each<[CtyType, CtyValue, unknown]>([
  [
    ["tuple", ["string", "number"]],
    ["${a}", "0.12345678901234567891"],
    ["$${a}", 0.12345678901234568],
  ],
  [["object", { a: "bool", b: ["list", "string"] }], { a: true, b: ["x"] }, { a: true, b: '${tolist(["x"])}' }],
  [["set", "number"], [1, null], "${toset(tolist([1, null]))}"],
  [["map", ["list", "bool"]], { "a.b": [true] }, '${tomap({"a.b" = tolist([true])})}'],
  [["list", "string"], ['q"u', "${x}", "\b\n"], '${tolist(["q\\"u", "$${x}", "\\u0008\\n"])}'],
  [["list", "dynamic"], [], "${tolist([])}"],
  [["list", "string"], [], '${slice(tolist([""]), 0, 0)}'],
  [["map", "string"], {}, '${zipmap(slice(tolist([""]), 0, 0), slice(tolist([""]), 0, 0))}'],
  [["list", ["object", { a: "number" }]], [{ a: 1 }], '${tolist([{"a" = 1}])}'],
  [["list", "string"], null, null],
])("%j of %j", (type, value, written) => {
  expect(JSON.parse(typedText(type, value))).toEqual(written);
});
