/** Turns a bridged resource back into one of its provider. */
import {
  type FoundById,
  type ImportedResource,
  type RecordedValue,
  Sensitive,
  type SensitivePath,
} from "../../import/contract.js";
import { isMembers } from "../../import/members.js";
import { plural, snakeCase } from "../../import/program/names.js";
import type { CtyType } from "../../terraform/cty/index.js";
import type { Block, NestedBlock } from "../../terraform/schema/index.js";

/** A resource as its provider knows it. */
export type ProviderResource = ImportedResource & { readonly value: RecordedValue | FoundById };

/**
 * Returns the name of a resource's type at its provider: a likely one that exists, or the only one with the same end.
 *
 * @param schemas of the provider, by the name of the type
 */
export function providerType(
  { type, value }: ImportedResource,
  schemas: Readonly<Record<string, unknown>>,
): string | undefined {
  if (value.by === "state") return type;
  const likely = value.by === "bridge" ? value.types : [type];
  const known = likely.find((one) => Object.hasOwn(schemas, one));
  if (known !== undefined) return known;
  // A kind of ours has the type without its prefix.
  const ends = value.by === "bridge" ? likely.map(withoutPrefix) : [`_${snakeCase(type)}`];
  const names = Object.keys(schemas);
  const [exact, similar] = [
    names.filter((one) => ends.includes(withoutPrefix(one))),
    names.filter((one) => ends.some((end) => one.endsWith(end))),
  ];
  return exact.length === 1 ? exact[0] : similar.length === 1 ? similar[0] : undefined;
}

function withoutPrefix(type: string): string {
  return type.slice(type.indexOf("_"));
}

/** Returns the resource as its provider recorded it; undefined for a value without a provider. */
export function unbridged(resource: ImportedResource, type: string, block: Block): ProviderResource | undefined {
  const { value } = resource;
  if (value.by === "value") return undefined;
  if (value.by !== "bridge") return { ...resource, type, value };
  const { value: own, sensitive } = providerValue(block, value.output);
  const { schemaVersion, private: bytes, inputs } = value;
  const names = [...Object.keys(block.attributes), ...Object.keys(block.blocks)];
  const configured = names.filter((name) => namesOf(name).some((one) => inputs.includes(one)));
  const json = JSON.stringify(own);
  const common = { by: "state", json, schemaVersion, sensitive, configured } as const;
  return { ...resource, type, value: { ...common, ...(bytes && { private: bytes }) } };
}

export interface ProviderValue {
  readonly value: Readonly<Record<string, unknown>>;
  readonly sensitive: readonly SensitivePath[];
  /** Members of the output that the schema has no name for. */
  readonly unknown: readonly string[];
}

/** @param output in camelCase, with plural names of lists; lists of at most one element may be the element itself */
export function providerValue(block: Block, output: Readonly<Record<string, unknown>>): ProviderValue {
  const turning = new Turning();
  const value = turning.block(block, output, []);
  const known = new Set([...Object.keys(block.attributes), ...Object.keys(block.blocks)].flatMap(namesOf));
  return { value, sensitive: turning.sensitive, unknown: Object.keys(output).filter((name) => !known.has(name)) };
}

class Turning {
  readonly sensitive: SensitivePath[] = [];

  block({ attributes, blocks }: Block, given: unknown, path: SensitivePath): Readonly<Record<string, unknown>> {
    const output = this.#open(given, path);
    const own = Object.entries(attributes).map(([name, { type }]) => [
      name,
      this.#typed(type, memberIn(output, name), [...path, name]),
    ]);
    const nested = Object.entries(blocks).map(([name, one]) => [
      name,
      this.#nested(one, memberIn(output, name), [...path, name]),
    ]);
    return Object.fromEntries([...own, ...nested]);
  }

  #nested({ nesting, block }: NestedBlock, given: unknown, path: SensitivePath): unknown {
    const value = this.#open(given, path);
    if (nesting === "single" || nesting === "group")
      return value === null || value === undefined ? null : this.block(block, value, path);
    if (nesting === "map")
      return Object.fromEntries(
        Object.entries(isMembers(value) ? value : {}).map(([key, one]) => [
          key,
          this.block(block, one, [...path, key]),
        ]),
      );
    return listOf(value).map((one, at) => this.block(block, one, [...path, at]));
  }

  #typed(type: CtyType, given: unknown, path: SensitivePath): unknown {
    const value = this.#open(given, path);
    if (value === undefined || value === null) return null;
    if (typeof type === "string") return scalar(type, value);
    if (type[0] === "list" || type[0] === "set")
      return listOf(value).map((one, at) => this.#typed(type[1], one, [...path, at]));
    if (type[0] === "map")
      return Object.fromEntries(
        Object.entries(isMembers(value) ? value : {}).map(([key, one]) => [
          key,
          this.#typed(type[1], one, [...path, key]),
        ]),
      );
    if (type[0] === "object")
      return Object.fromEntries(
        Object.entries(type[1]).map(([name, of]) => [name, this.#typed(of, memberIn(value, name), [...path, name])]),
      );
    return value;
  }

  #open(value: unknown, path: SensitivePath): unknown {
    if (!(value instanceof Sensitive)) return value;
    this.sensitive.push(path);
    return this.#open(value.value, path);
  }
}

function scalar(type: string, value: unknown): unknown {
  if (type === "string") return typeof value === "string" ? value : JSON.stringify(value);
  if (type === "number" && typeof value === "string") return Number(value);
  if (type === "bool" && typeof value === "string") return value === "true";
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function memberIn(output: unknown, name: string): unknown {
  if (!isMembers(output)) return undefined;
  const found = namesOf(name).find((one) => Object.hasOwn(output, one));
  return found === undefined ? undefined : output[found];
}

/** Returns the names that Pulumi may give to a member of the provider, e.g. `subnetIds` for `subnet_id`. */
function namesOf(name: string): readonly string[] {
  const own = name.replaceAll(/_+([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  return [own, plural(own)];
}
