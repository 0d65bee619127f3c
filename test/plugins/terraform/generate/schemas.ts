/** Schemas of providers for tests. */
import type { CtyType } from "../../../../plugins/terraform/cty/index.ts";
import type {
  Attribute,
  Block,
  NestedBlock,
  ProviderSchema,
  Schema,
} from "../../../../plugins/terraform/schema/index.ts";

export function attribute(type: CtyType, how: string, more: Partial<Attribute> = {}): Attribute {
  const flags = Object.fromEntries(how.split(" ").map((flag) => [flag, true]));
  return { type, ...flags, ...more };
}

export function schemaOf(block: Partial<Block>): Schema {
  return { version: 0, block: { attributes: {}, blocks: {}, ...block } };
}

export function blocks(nesting: NestedBlock["nesting"], minItems: number, block: Partial<Block>): NestedBlock {
  return { nesting, minItems, maxItems: 0, block: { attributes: {}, blocks: {}, ...block } };
}

export function providerSchema(more: Partial<ProviderSchema>): ProviderSchema {
  return {
    provider: schemaOf({}),
    resources: {},
    dataSources: {},
    ephemeral: {},
    functions: {},
    capabilities: { planDestroy: true, schemaOptional: true, moveResourceState: false },
    ...more,
  };
}

/**
 * A provider with this many resources, each with about thirty attributes in three levels, like those of cloud
 * providers.
 */
export function largeSchema(count: number): ProviderSchema {
  const text = "The name of the thing as it is shown in lists. Changing it makes a new one, which takes some minutes.";
  const attributes = (number: number): Record<string, Attribute> =>
    Object.fromEntries(
      Array.from({ length: number }, (_, at) => {
        const how = ["required", "optional", "computed", "optional computed"][at % 4] ?? "optional";
        const types: readonly CtyType[] = ["string", "number", "bool", ["list", "string"], ["map", "string"]];
        return [`some_attribute_${at}`, attribute(types[at % 5] ?? "string", how, { description: text })];
      }),
    );
  const resource = (at: number): Schema =>
    schemaOf({
      description: text,
      attributes: { ...attributes(16), [`own_${at}`]: attribute("string", "optional", { description: text }) },
      blocks: {
        network_rule: blocks("list", 0, {
          attributes: attributes(8),
          blocks: { target: blocks("set", 1, { attributes: attributes(5) }) },
        }),
        timeouts: blocks("single", 0, { attributes: attributes(2) }),
      },
    });
  const resources = Object.fromEntries(Array.from({ length: count }, (_, at) => [`cloud_thing_${at}`, resource(at)]));
  return providerSchema({ resources });
}
