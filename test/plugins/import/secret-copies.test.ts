/** Copies of secrets in programs that `engine import` writes. */
import { expect, test } from "vitest";
import { Sensitive } from "../../../plugins/import/contract.js";
import { printed, resource } from "./made-program.ts";

test("a copy of a part of a dependency's secret is its variable, although the source does not mark it", () => {
  const secret = new Sensitive("hunter2-long");
  const login = resource({ address: "login.a", props: { all: { secret, pin: new Sensitive("1234567") } } });
  const props = { tags: { copy: "hunter2-long", short: "1234567" } };
  const code = printed([
    login,
    resource({ address: "thing.b", props, dependencies: ["login.a"] }),
    resource({ address: "thing.c", props }),
  ]);
  const copied = 'copy: engine.secret.env("A_ALL_SECRET")';
  expect(code.replaceAll(/\s+/g, " ")).toContain(`thing("b", { tags: { ${copied}, short: "1234567" }, });`);
  expect(code.replaceAll(/\s+/g, " ")).toContain('thing("c", { tags: { copy: "hunter2-long", short: "1234567" } });');
});
