import { describe, expect, it } from "vitest";
import { Resource } from "../../../core/resource/index.js";

describe("a resource type", () => {
  it.each<[string, unknown, string]>([
    ["replaceOn", "region", '"replaceOn" must be a list of props, such as ["region"], not a string'],
    ["replaceOn", [3], "not a list with an invalid item"],
    ["replaceOn", [""], "not a list with an invalid item"],
    ["schema", {}, '"schema" must be a Standard Schema'],
    ["outputs", { size: 1 }, '"outputs" must be a function, not an object'],
    ["replaces", true, '"replaces" must be a function, not a boolean'],
    ["describeDelete", "runs rm", '"describeDelete" must be a function, not a string'],
    ["read", true, '"read" must be a function, not a boolean'],
    ["update", null, '"update" must be a function, not null'],
    ["delete", "no", '"delete" must be a function, not a string'],
    ["verify", "yes", '"verify" must be true or false, not a string'],
    ["idempotent", 1, '"idempotent" must be true or false, not a number'],
    ["givesSecrets", "password", '"givesSecrets" must be true, false or a function, not a string'],
  ])("whose %s is %j is refused when it is defined, and not in the midst of a run", (name, value, message) => {
    const create = () => ({});
    const refused = { code: "INVALID_DEFINITION", message: expect.stringContaining(message) };
    expect(() => Resource(`test:Unfit-${name}`, { create, [name]: value } as never)).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => Resource(`test:Fit-${name}`, { create, [name]: undefined })).not.toThrow();
  });
});
