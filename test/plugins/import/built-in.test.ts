/** `terraform_data` of a state, which needs no provider. */
import { expect, test } from "vitest";
import { OpenProviders } from "../../../plugins/cli/import/open-providers.js";
import { settleAll } from "../../../plugins/cli/import/settle-project.js";
import { Sensitive } from "../../../plugins/import/contract.js";
import { readSource } from "../../../plugins/import/readers.js";

const type = ["object", { a: "string", b: ["tuple", ["string"]] }];
const value = { a: "hidden", b: ["plain"] };
const path = (name: string) =>
  ["get_attr", "a"].map((step, at) => ({ type: "get_attr", value: at === 0 ? name : step }));

test("the secret triggers of terraform_data are secrets, and so are single members of its input", async () => {
  const instance = {
    schema_version: 0,
    attributes: { id: "1", input: { value, type }, output: { value, type }, triggers_replace: { value, type } },
    sensitive_attributes: [path("triggers_replace").slice(0, 1), path("input")],
  };
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const resource = { mode: "managed", type: "terraform_data", name: "it", provider, instances: [instance] };
  const state = { version: 4, terraform_version: "1.6.2", outputs: {}, resources: [resource] };
  const imported = await readSource(JSON.stringify(state), { place: "terraform.tfstate", types: new Map() });
  const { resources } = await settleAll(imported, new OpenProviders());
  const input = { a: new Sensitive("hidden"), b: ["plain"] };
  expect(resources).toMatchObject([{ props: { input, triggersReplace: new Sensitive(value) } }]);
  expect(resources[0]?.offers.get("output")).toEqual(input);
});
