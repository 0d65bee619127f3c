/** Settles all resources of an imported project, with the help of their providers. */
import { isEngineError } from "../../../core/base/index.js";
import { type Imported, type ImportedResource, type Refusal, Sensitive } from "../../import/contract.js";
import { Digits, type SettledResource } from "../../import/program/settled.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { type CtyType, type CtyValue, decodeJson, memoized } from "../../terraform/cty/index.js";
import { DATA } from "../../terraform/export/built-in.js";
import { sourceName } from "../../terraform/lifecycle/source-name.js";
import type { ProviderClient } from "../../terraform/protocol/index.js";
import { type Block, impliedType, namesOf, propsOf, valueForProgram } from "../../terraform/schema/index.js";
import { providerType, unbridged } from "./bridged-state.js";
import { BUILT_IN, type OpenedProvider, type OpenProviders } from "./open-providers.js";
import { providerEnded, type Unanswered } from "./provider-ended.js";
import type { SettledValue } from "./replay.js";
import { Choices } from "./reported-choices.js";
import { settle, subjectOf } from "./settle.js";
import { settleData } from "./settle-data.js";
import { withSecretsAt, written } from "./written-props.js";

export interface SettledParts {
  readonly resources: readonly SettledResource[];
  readonly refusals: readonly Refusal[];
  /** By provider, the values that the records are made from. */
  readonly values: ReadonlyMap<ProviderClient, ReadonlyMap<string, SettledValue>>;
  readonly choices: Choices;
}

/** Resources that are settled at the same time: plans of recorded values, and reads, which a cloud may limit. */
const [PLANS_AT_ONCE, READS_AT_ONCE] = [64, 16];

export async function settleAll({ resources, dataSources }: Imported, providers: OpenProviders): Promise<SettledParts> {
  const refusals: Refusal[] = [];
  const values = new Map<ProviderClient, Map<string, SettledValue>>();
  const all = [...dataSources.map((one) => [one, true] as const), ...resources.map((one) => [one, false] as const)];
  const settled: (SettledResource | undefined)[] = new Array(all.length);
  const choices = new Choices();
  const note = (client: ProviderClient, value: SettledValue): void => {
    const known = values.get(client) ?? new Map<string, SettledValue>();
    values.set(client, known.set(value.address, value));
  };
  const settling = { providers, note, choices };
  const unanswered: Unanswered[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length && unanswered.length === 0; at = next++) {
      const [resource, isData] = all[at] as (typeof all)[number];
      if (resource.value.by === "value") continue;
      try {
        const one = await settledOne(resource, isData, settling);
        if ("refusal" in one) refusals.push(one.refusal);
        else settled[at] = one;
      } catch (error) {
        if (!isEngineError(error, "PROVIDER_FAILED")) throw error;
        unanswered.push({ resource, error });
      }
    }
  };
  const length = resources.some(({ value }) => value.by === "id") ? READS_AT_ONCE : PLANS_AT_ONCE;
  await Promise.all(Array.from({ length }, work));
  if (unanswered.length > 0) throw providerEnded(unanswered, (one) => providers.of(one)?.advice);
  return { resources: settled.flatMap((one) => one ?? []), refusals, values, choices };
}

/** Returns the address of a resource with a value that its provider's schema makes a secret. */
export function secretBySchema({ resources }: Imported, providers: OpenProviders): string | undefined {
  return resources.find((given) => {
    const { schema, resource } = schemaOf(given, false, providers);
    const value = schema && resource && decoded(impliedType(schema.block), resource);
    if (!value) return false;
    let isSecret = false;
    propsOf(schema.block, value, { sensitive: () => (isSecret = true) });
    return isSecret;
  })?.address;
}

/** Finds the schema, and the resource in the provider's names. */
function schemaOf(given: ImportedResource, isData: boolean, providers: OpenProviders) {
  const provider = providers.of(given);
  const schemas = provider?.schema[isData ? "dataSources" : "resources"] ?? {};
  const type = providerType(given, schemas) ?? given.type;
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  return { provider, type, schema, resource: schema && unbridged(given, type, schema.block) };
}

type One = SettledResource | { readonly refusal: Refusal };

interface Settling {
  readonly providers: OpenProviders;
  readonly choices: Choices;
  note(client: ProviderClient, value: SettledValue): void;
}

async function settledOne(
  given: ImportedResource,
  isData: boolean,
  { providers, choices, note }: Settling,
): Promise<One> {
  const { address, provider: of } = given;
  if (of?.source === BUILT_IN) return settledBuiltIn(given, isData);
  const { provider, type, schema, resource } = schemaOf(given, isData, providers);
  if (!provider || !schema || !resource) {
    const name = of ? sourceName(of.source) : "the provider";
    if (given.value.by !== "bridge")
      return refused(address, `${name} has no type ${type}`, "Name the version of the provider that has it.");
    const types = given.value.types.join(" or ");
    const advice = `Name the type as the documentation of this provider does: --type ${shellWord(`${type}=TYPE`)}. Or choose the version that has it.`;
    return refused(address, `${name} has no type ${types} for ${type}`, advice);
  }
  const { block } = schema;
  const { source } = provider.added;
  const advice = provider.advice === undefined ? {} : { advice: provider.advice };
  const common = { provider: sourceName(source), source, client: provider.client, schema, ...advice };
  if (isData) {
    const value = decoded(impliedType(block), resource);
    if (value === undefined) return refused(address, "its value does not fit the schema of its provider", REFRESH);
    const config = await settleData(subjectOf(common, type), value);
    return settledAs(resource, provider, { isData, block, config, value });
  }
  const kind = `${common.provider}:${kindNameOf(provider, type, false)}`;
  const result = await choices.inTurn(kind, (refused) => settle(resource, { ...common, refused }));
  if (result.refusal) return result;
  note(provider.client, result.value);
  const { config, value } = result.value;
  const { toProgram } = namesOf(block);
  const inProgram = (names: readonly string[]) => names.map((name) => toProgram.get(name) ?? name);
  choices.note(kind, address, { chosen: inProgram(result.chosen), left: inProgram(result.left) });
  // A block with a member that the provider could choose must stay.
  const chosen = result.chosen.filter((name) => block.attributes[name]?.computed);
  return { ...settledAs(resource, provider, { isData, block, config, value }), chosen: new Set(inProgram(chosen)) };
}

const REFRESH = "Run the old tool once with -refresh-only, and import again.";

function refused(address: string, reason: string, advice: string): One {
  return { refusal: { address, reason, advice } };
}

function decoded(type: CtyType, { value }: ImportedResource): CtyValue | undefined {
  if (value.by !== "state" || value.json === undefined) return undefined;
  try {
    return decodeJson(type, Buffer.from(value.json));
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}

interface Values {
  readonly isData: boolean;
  readonly block: Block;
  readonly config: CtyValue;
  readonly value: CtyValue;
}

function settledAs(
  resource: ImportedResource,
  provider: OpenedProvider,
  { isData, block, config, value }: Values,
): SettledResource {
  const { address, scope, name, key, type, dependencies, protect, retain } = resource;
  const kindName = kindNameOf(provider, type, isData);
  const sensitive = resource.value.by === "state" ? resource.value.sensitive : [];
  const show = {
    sensitive: (member: unknown) => new Sensitive(member),
    decimal: (digits: string) => new Digits(digits),
  };
  const marked = withSecretsAt(block, propsOf(block, config, show), sensitive);
  const output: Readonly<Record<string, unknown>> = Object(
    withSecretsAt(block, propsOf(block, value, show), sensitive),
  );
  return {
    address,
    scope,
    name,
    ...(key === undefined ? {} : { key }),
    kindName,
    call: { by: "provider", provider: provider.id, member: kindName, isData },
    props: Object(written(block, marked)),
    offers: offersOf(block, output),
    dependencies,
    options: { ...(protect && { protect }), ...(retain && { retainOnDelete: true }) },
    ...(isData ? {} : { importId: address }),
  };
}

/** Returns the short names of types by the provider's names. */
const kindNames = memoized(
  (offered: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    // The first name wins, so it is set last.
    new Map([...offered].reverse().map(([kindName, type]) => [type, kindName])),
);

function kindNameOf({ offered }: OpenedProvider, type: string, isData: boolean): string {
  return kindNames(offered[isData ? "dataSources" : "resources"]).get(type) ?? type;
}

/** Given names that other resources are found by. */
const FOUND_BY = /(?:^|_)(?:name|id|arn|key|path|host|address|url|email)$/;

/** Returns the names of members that other resources may refer to, with the preferred ones first. */
const offeredNames = memoized(({ attributes }: Block): readonly string[] => {
  const { toProgram } = namesOf({ attributes });
  const rank = (name: string): number => ["name", "id", "arn"].indexOf(name) + 1 || 9;
  return Object.entries(attributes)
    .filter(([name, { required, computed }]) => computed || (required && FOUND_BY.test(name)))
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name]) => toProgram.get(name) ?? name);
});

/** Returns the members that other resources may refer to. Their types are never undefined. */
function offersOf(block: Block, output: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const names = offeredNames(block).filter((name) => Object.hasOwn(output, name));
  return new Map(names.map((name) => [name, output[name]]));
}

/** `terraform_data` has a type of ours. */
function settledBuiltIn(resource: ImportedResource, isData: boolean): One {
  const { address, scope, name, key, type, dependencies } = resource;
  if (isData || type !== "terraform_data")
    return refused(
      address,
      `${isData ? "data." : ""}${type} is a part of the old tool`,
      "Replace it by engine.ref() in the program, and remove it from the state: tofu state rm.",
    );
  if (resource.value.by === "id")
    return refused(
      address,
      "only the state of the old tool has it",
      "Leave it out of the list, and declare terraformData() of scope-engine/terraform in the program.",
    );
  const value = decoded(impliedType(DATA.block), resource);
  const {
    id,
    input,
    triggers_replace: triggersReplace,
  }: Readonly<Record<string, unknown>> = Object(value === undefined ? {} : valueForProgram(["map", "dynamic"], value));
  if (typeof id !== "string") return refused(address, "its value is malformed", REFRESH);
  const sensitive = resource.value.by === "state" ? resource.value.sensitive : [];
  const given = Object.entries({ input, triggersReplace }).filter(([, one]) => one !== undefined && one !== null);
  const props: Readonly<Record<string, unknown>> = Object(
    withSecretsAt(DATA.block, Object.fromEntries(given), sensitive),
  );
  return {
    address,
    scope,
    name,
    ...(key === undefined ? {} : { key }),
    kindName: "data",
    call: { by: "type", module: "scope-engine/terraform", functionName: "terraformData" },
    props,
    offers: new Map([["id", id], ...(props.input === undefined ? [] : [["output", props.input] as const])]),
    dependencies,
    options: {},
    importId: id,
  };
}
