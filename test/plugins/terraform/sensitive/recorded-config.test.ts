/** What may be in the clear of a provider's configuration, and when a key is asked for. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { givesSecrets } from "../../../../plugins/terraform/lifecycle/unsealable.js";
import type { Block, NestedBlock } from "../../../../plugins/terraform/schema/index.js";
import { checkConfig, refuseShown } from "../../../../plugins/terraform/sensitive/index.js";
import { codeOf } from "../../../helpers/checks/codes.js";

const marked = { type: "string", sensitive: true } as const;
const plain = { type: "string" } as const;
const nested = (nesting: NestedBlock["nesting"], attributes: Block["attributes"]): NestedBlock => ({
  nesting,
  block: { attributes, blocks: {} },
  minItems: 0,
  maxItems: 0,
});

describe("show", () => {
  const block: Block = {
    attributes: { region: plain, token: marked },
    blocks: { auth: nested("single", { user: plain, secret: marked }), tags: nested("single", { team: plain }) },
  };

  test.each(["token", "auth"])("names nothing that is sensitive, or holds it: %s", (name) => {
    expect(codeOf(() => refuseShown([name], block, {}))[0]).toBe("INVALID_OPTION");
  });

  test.each(["region", "tags"])("may name what is harmless: %s", (name) => {
    refuseShown([name], block, {});
  });
});

test("a configuration whose values cannot be told apart is refused, for it would be recorded in the clear", () => {
  for (const config of [new Map([["token", "t"]]), ["token"], "token"])
    expect(codeOf(() => checkConfig(config))[0]).toBe("INVALID_PROPS");
  for (const config of [undefined, { token: "t" }, new Secret({ token: "t" })]) checkConfig(config);
});

test("a group that is not given gives secrets all the same, where its provider makes them", () => {
  const level: Block = { attributes: {}, blocks: { group: nested("group", { made: { ...marked, computed: true } }) } };
  expect(givesSecrets(level, {})).toBe(true);
  const list: Block = { attributes: {}, blocks: { group: nested("list", { made: { ...marked, computed: true } }) } };
  expect(givesSecrets(list, {})).toBe(false);
});
