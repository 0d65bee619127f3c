import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { fleet } from "../../../plugins/fleet/index.js";
import { calmed } from "../../../plugins/fleet/warnings.js";
import { Secret } from "../../../plugins/secrets/secret.js";

test("a warning that is repeated many times a second is reported once", () => {
  const reported: string[] = [];
  const warn = calmed((code, message) => void reported.push(`${code} ${message}`));
  for (let time = 0; time < 100; time++) warn?.("QUEUE_FAILED", "no answer");
  warn?.("QUEUE_FAILED", "refused");
  expect(reported).toEqual(["QUEUE_FAILED no answer", "QUEUE_FAILED refused"]);
});

test.each([
  ["a function", () => {}, "UNSERIALIZABLE"],
  ["a secret without a key", new Secret("x"), "PASSWORD_REQUIRED"],
])("an input with %s names its stage, and nothing is started", async (_, value, code) => {
  const options = { stateStore: memoryStore(), env: {} };
  const begun: string[] = [];
  const made = fleet("tenants", {
    stages: [
      { stage: "ada", input: {} },
      { stage: "bob", input: { value } },
    ],
    program: (app) => void begun.push(app.stage),
    options,
  });
  const message = expect.stringContaining('The input of the stage "bob" cannot be passed on, and nothing was started');
  await expect(made.up()).rejects.toMatchObject({ code, message });
  expect(begun).toEqual([]);
});
