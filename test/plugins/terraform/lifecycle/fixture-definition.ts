/** The fixture's provider, as a generated module defines it. */
import type { ProviderDefinition } from "../../../../plugins/terraform/generate/index.js";
import { dataSources, ephemeralResources, providerConfig, resources } from "../fixture/provider.ts";
import { capabilitiesOf, type Kit } from "../fixture/server/kits.ts";
import { functions } from "../fixture/types/others.ts";
import { renamedBefore, versionedBefore } from "../fixture/types/states.ts";

const SOURCE = "registry.opentofu.org/test/fixture";

const named = (of: Readonly<Record<string, { readonly schema: object }>>) =>
  Object.fromEntries(
    Object.entries(of).map(([type, { schema }]) => {
      const called = type.replace("fixture_", "").replace(/_(\w)/g, (_match, letter) => letter.toUpperCase());
      return [called, { type, schema: JSON.stringify(schema) }];
    }),
  );

/** The definition that `engine add` would write for the fixture. */
export const fixtureDefinition: ProviderDefinition = {
  source: SOURCE,
  range: "*",
  version: "1.0.0",
  capabilities: { planDestroy: true, schemaOptional: true, moveResourceState: true },
  config: JSON.stringify(providerConfig),
  resources: named(resources),
  dataSources: named(dataSources),
  ephemeral: named(ephemeralResources),
  functions: Object.fromEntries(
    Object.entries(functions).map(([name, { definition: signature }]) => [
      name,
      { name, signature: JSON.stringify(signature) },
    ]),
  ),
};

/** The definition of the fixture with this kit. */
export function definitionBy(kit: Kit): ProviderDefinition {
  const { planDestroy, moveResourceState, getProviderSchemaOptional } = { ...capabilitiesOf(kit) };
  const capabilities = {
    planDestroy: planDestroy === true,
    schemaOptional: getProviderSchemaOptional === true && kit !== "framework-meta",
    moveResourceState: moveResourceState === true,
  };
  return { ...fixtureDefinition, capabilities };
}

/** The definition with version 0 of the schemas `versioned` and `renamed`: start it with `FIXTURE_OLD`. */
export const olderDefinition: ProviderDefinition = {
  ...fixtureDefinition,
  version: "0.9.0",
  resources: {
    ...fixtureDefinition.resources,
    versioned: { type: "fixture_versioned", schema: JSON.stringify(versionedBefore.schema) },
    renamed: { type: "fixture_renamed", schema: JSON.stringify(renamedBefore.schema) },
  },
};
