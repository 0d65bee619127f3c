import { expect, test } from "vitest";
import { Variables } from "../../../../plugins/terraform/export/variables.js";

test("the refusal to export secrets of thousands of resources names the first ones, and counts the others", () => {
  const variables = new Variables();
  for (let at = 0; at < 10_000; at++) {
    const fqn = `shop/dev/item-${at}`;
    variables.noteSecrets(fqn, "open");
    expect(() => variables.refuse("shop/dev")).not.toThrow();
  }
  for (let at = 0; at < 10_000; at++)
    variables.of(`shop/dev/item-${at}`, "item").variable([{ type: "get_attr", value: "token" }], '"open"');
  expect(new Set(variables.values.map(([name]) => name)).size).toBe(10_000);
  expect(() => variables.refuse("shop/dev")).toThrow(
    /secrets in "shop\/dev\/item-0", "shop\/dev\/item-1", (?:"[^"]*", ){17}"[^"]*" and 9980 more\. To write them/,
  );
});
