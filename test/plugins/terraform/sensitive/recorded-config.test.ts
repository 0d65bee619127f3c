/** The parts of a provider's configuration that may stay in plain text, and the cases that require a key. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { givesSecrets } from "../../../../plugins/terraform/lifecycle/unsealable.js";
import { checkConfig, refuseShown } from "../../../../plugins/terraform/sensitive/index.js";
import { codeOf } from "../../../helpers/checks/codes.js";
import { block, blocks, computed, optional } from "../schema/shapes.js";

const marked = { ...optional, sensitive: true };
const made = block({ made: { ...computed, sensitive: true } });

describe("show", () => {
  const schema = block(
    { region: optional, token: marked },
    {
      auth: blocks("single", block({ user: optional, secret: marked })),
      tags: blocks("single", block({ team: optional })),
    },
  );

  test.each(["token", "auth"])("names nothing that is sensitive, or holds it: %s", (name) => {
    expect(codeOf(() => refuseShown([name], schema, {}))[0]).toBe("INVALID_OPTION");
  });

  test.each(["region", "tags"])("may name what is harmless: %s", (name) => {
    refuseShown([name], schema, {});
  });
});

test("a configuration whose values cannot be told apart is refused, for it would be recorded in the clear", () => {
  for (const config of [new Map([["token", "t"]]), ["token"], "token"])
    expect(codeOf(() => checkConfig(config))[0]).toBe("INVALID_PROPS");
  for (const config of [undefined, { token: "t" }, new Secret({ token: "t" })]) checkConfig(config);
});

test("a group that is not given gives secrets all the same, where its provider makes them", () => {
  expect(givesSecrets(block({}, { group: blocks("group", made) }), {})).toBe(true);
  expect(givesSecrets(block({}, { group: blocks("list", made) }), {})).toBe(false);
});
