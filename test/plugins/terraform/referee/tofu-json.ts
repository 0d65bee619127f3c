/** Writes a configuration in OpenTofu's language, as JSON. */
import { type CtyValue, Dynamic, isList, isRecord, numberText } from "../../../../plugins/terraform/cty/index.js";
import type { Block, NestedBlock } from "../../../../plugins/terraform/schema/index.js";
import type { CtyRecord } from "../fixture/kind.ts";
import { type Declared, referenced, type Step } from "./configuration.ts";
import { schemaOf } from "./schema-of.ts";

export function tofuJson({ declared, lookups, isOlder }: Step): string {
  const types = new Map(declared.map(({ tag, type }) => [tag, type]));
  const resource = grouped(declared.map((one) => [one.type, one.tag, resourceText(one, types, isOlder)]));
  const data = grouped(
    lookups.map(({ tag, thing }) => [
      "fixture_lookup",
      tag,
      `{"name":${JSON.stringify(thing)},"depends_on":["fixture_thing.${thing}"]}`,
    ]),
  );
  return `{${[...(declared.length > 0 ? [`"resource":${resource}`] : []), ...(lookups.length > 0 ? [`"data":${data}`] : [])].join(",")}}`;
}

function grouped(all: readonly (readonly [type: string, tag: string, text: string])[]): string {
  const types = [...new Set(all.map(([type]) => type))];
  const groups = types.map((type) => {
    const members = all.filter(([of]) => of === type).map(([, tag, text]) => `${JSON.stringify(tag)}:${text}`);
    return `${JSON.stringify(type)}:{${members.join(",")}}`;
  });
  return `{${groups.join(",")}}`;
}

function resourceText(
  { type, config, createBeforeDestroy }: Declared,
  types: ReadonlyMap<string, string>,
  isOlder: boolean,
) {
  const lifecycle = createBeforeDestroy ? ['"lifecycle":{"create_before_destroy":true}'] : [];
  return `{${[...blockMembers(schemaOf(type, isOlder).block, config, types), ...lifecycle].join(",")}}`;
}

function blockMembers(
  { attributes, blocks }: Block,
  config: CtyRecord,
  types: ReadonlyMap<string, string>,
): readonly string[] {
  const given = Object.keys(attributes).filter((name) => config[name] !== null && config[name] !== undefined);
  return [
    ...given.map((name) => `${JSON.stringify(name)}:${valueText(config[name] ?? null, types)}`),
    ...Object.entries(blocks).flatMap(([name, nested]) => {
      const text = blocksText(nested, config[name] ?? null, types);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    }),
  ];
}

function blocksText(
  { nesting, block }: NestedBlock,
  value: CtyValue,
  types: ReadonlyMap<string, string>,
): string | undefined {
  const one = (record: CtyValue): string => `{${blockMembers(block, Object(record), types).join(",")}}`;
  if (isList(value)) return value.length === 0 ? undefined : `[${value.map(one).join(",")}]`;
  if (!isRecord(value)) return undefined;
  if (nesting !== "map") return one(value);
  const labelled = Object.entries(value).map(([key, record]) => `${JSON.stringify(key)}:${one(record)}`);
  return labelled.length === 0 ? undefined : `{${labelled.join(",")}}`;
}

function valueText(value: CtyValue, types: ReadonlyMap<string, string>): string {
  if (value instanceof Dynamic) return valueText(value.value, types);
  const to = referenced(value);
  if (to) return JSON.stringify(`\${${types.get(to.tag)}.${to.tag}.${to.attribute}}`);
  if (typeof value === "number" || typeof value === "bigint") return numberText(value);
  if (typeof value === "string") return JSON.stringify(escaped(value));
  if (isList(value)) return `[${value.map((one) => valueText(one, types)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(escaped(name))}:${valueText(one, types)}`,
  );
  return `{${members.join(",")}}`;
}

/** Escapes a text, because texts are templates. */
function escaped(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, (sign) => sign + sign);
}
