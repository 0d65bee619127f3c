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
    variables.of(`shop/dev/item-${at}`, "item").variable([{ type: "get_attr", value: "token" }], `"open-${at}"`);
  expect(new Set(variables.values.map(([name]) => name)).size).toBe(10_000);
  expect(() => variables.refuse("shop/dev")).toThrow(
    /secrets in "shop\/dev\/item-0", "shop\/dev\/item-1", (?:"[^"]*", ){17}"[^"]*" and 9980 more\. To write them/,
  );
});

test("an export has one variable for each secret, with the name that the program gave it", () => {
  const variables = new Variables();
  const path = [{ type: "get_attr", value: "password" }] as const;
  const name = (of: string, json: string, secret?: string) => variables.of(of, of).variable(path, json, secret);
  expect(["db", "replica"].map((of) => name(of, '"s3cret"', "DB_PASSWORD"))).toEqual(["db_password", "db_password"]);
  expect(["web", "mail"].map((of) => name(of, '"generated"', "password"))).toEqual(["web_password", "web_password"]);
  // Two secrets that are equal today may differ tomorrow, and one variable of two stages has two values.
  expect(name("other", '"s3cret"', "OTHER_PASSWORD")).toBe("other_password");
  expect(name("moved", '"another"', "DB_PASSWORD")).toBe("db_password_2");
  expect(variables.values.map(([one]) => one)).toEqual([
    "db_password",
    "web_password",
    "other_password",
    "db_password_2",
  ]);
  expect([...variables.owners]).toEqual(["db", "replica", "web", "mail", "other", "moved"]);
});
