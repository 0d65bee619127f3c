/** A secret in the form of a state, as `tofu state pull` shows it, is the same as one in the form of props. */
import { expect, test } from "vitest";
import { inClear, Secret } from "../../../../plugins/secrets/secret.js";
import { withStatedSecrets } from "../../../../plugins/terraform/sensitive/index.js";
import { block, blocks, computed, nested, optional } from "../schema/shapes.js";

const inner = { device_name: optional, handle: computed, to_string: optional };
const level = block(
  {
    plain: optional,
    object: { ...optional, type: ["object", { a_b: "string", none: "string" }] },
    objects: { ...optional, type: ["map", ["object", { a_b: "string" }]] },
    map: { ...optional, type: ["map", "string"] },
    any: { ...optional, type: "dynamic" },
    nested: nested("list", inner),
  },
  { disk: blocks("set", block(inner, { sub_disk: blocks("list", block(inner)) })) },
);

test("a secret has the names of props and no absent or computed member, whichever form it has", () => {
  const stated = {
    plain: new Secret("a_b"),
    object: new Secret({ a_b: "x", none: null }),
    objects: { "k.a_b": new Secret({ a_b: "x" }) },
    map: new Secret({ a_b: "x", n: null }),
    any: new Secret({ a_b: null }),
    nested: [null, new Secret({ device_name: "d", handle: "h", to_string: "s" })],
    disk: new Secret([{ device_name: "d", handle: null, sub_disk: [{ device_name: "e", handle: "h" }] }]),
  };
  const form = {
    plain: "a_b",
    object: { aB: "x" },
    objects: { "k.a_b": { aB: "x" } },
    map: { a_b: "x", n: null },
    any: { a_b: null },
    nested: [null, { deviceName: "d", toString_: "s" }],
    disk: [{ deviceName: "d", subDisk: [{ deviceName: "e" }] }],
  };
  expect(inClear(withStatedSecrets(level, stated))).toEqual(form);
  const secrets = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, new Secret(value, "N")]));
  const kept: Readonly<Record<string, unknown>> = Object(withStatedSecrets(level, secrets));
  expect(inClear(kept)).toEqual(form);
  expect(String(kept.disk)).toBe("Secret(N)");
});

test("props without such secrets, and values that are not known yet, stay as they are", () => {
  const props = { plain: new Secret("x"), disk: [{ deviceName: "d" }], any: Promise.resolve(new Secret({ a: 1 })) };
  expect(withStatedSecrets(level, props)).toBe(props);
});
