/** Lists and maps of a state may have null elements, which the types of a program do not name. */
import { expect, test } from "vitest";
import { written } from "../../../plugins/cli/import/written-props.js";
import { block, nested, optional } from "../terraform/schema/shapes.ts";
import { printed, resource } from "./made-program.ts";

test("null elements of lists, maps and tuples fit their types, and stay null in dynamic values", () => {
  const text = { ...optional, type: "string" } as const;
  const level = block({
    list: { ...optional, type: ["list", "string"] },
    maps: { ...optional, type: ["object", { one: ["map", "string"], any: "dynamic" }] },
    tuple: { ...optional, type: ["tuple", ["string", "dynamic"]] },
    any: { ...optional, type: "dynamic" },
    nested: nested("list", { name: text }, { optional: true }),
  });
  const props = {
    list: [null, "a"],
    maps: { one: { key: null }, any: null },
    tuple: [null, "b"],
    any: [null],
    nested: [null, { name: "c" }],
  };
  const program = printed([resource({ address: "thing.a", props: Object(written(level, props)) })]);
  expect(program.replaceAll(/\s+/g, " ")).toContain(
    'list: [null!, "a"], maps: { one: { key: null! }, any: null }, tuple: [null!, "b"], any: [null], nested: [null!, { name: "c" }],',
  );
});
