/** Leaves choices to the provider that keep the instances of a resource from being a loop of the program. */
import { loopBreakers } from "../../import/print/loop-breakers.js";
import { programOf } from "../../import/program/build.js";
import type { Declaration, Program } from "../../import/program/program.js";
import type { SettledProject, SettledResource } from "../../import/program/settled.js";
import { sourceName } from "../../terraform/lifecycle/source-name.js";
import type { ProviderClient } from "../../terraform/protocol/index.js";
import type { OpenProviders } from "./open-providers.js";
import type { SettledValue } from "./replay.js";
import { settledWithout } from "./settle.js";
import type { SettledParts } from "./settle-project.js";

export interface Looped {
  readonly program: Program;
  readonly values: SettledParts["values"];
}

/**
 * Builds the program. Values that differ from instance to instance, but not by their keys, are most likely the
 * provider's: availability zones, generated names. The provider is asked before they are left out.
 */
export async function withLoops(
  project: SettledProject,
  { values, choices }: SettledParts,
  providers: OpenProviders,
): Promise<Looped> {
  const program = programOf(project);
  const leaner = new Map<string, SettledResource>();
  const settled = new Map([...values].map(([client, all]) => [client, new Map(all)]));
  for (const { declarations, names } of loopBreakers(program)) {
    const found = await Promise.all(declarations.map((one) => without(one, names, { values, providers })));
    if (!found.every((one) => one !== undefined)) continue;
    for (const { client, value, resource } of found) {
      settled.get(client)?.set(value.address, value);
      leaner.set(value.address, resource);
      choices.leave(value.address, names);
    }
  }
  if (leaner.size === 0) return { program, values };
  const resources = project.resources.map((one) => leaner.get(one.address) ?? one);
  return { program: programOf({ ...project, resources }), values: settled };
}

interface Leaner {
  readonly client: ProviderClient;
  readonly value: SettledValue;
  readonly resource: SettledResource;
}

/** Returns undefined if the provider would change the resource. */
async function without(
  { resource }: Declaration,
  names: readonly string[],
  { values, providers }: Pick<SettledParts, "values"> & { readonly providers: OpenProviders },
): Promise<Leaner | undefined> {
  const { call, address } = resource;
  const provider = call.by === "provider" ? providers.all.find(({ id }) => id === call.provider) : undefined;
  const value = provider && values.get(provider.client)?.get(address);
  const schema = value && provider.schema.resources[value.typeName];
  if (!schema) return undefined;
  const { client, added } = provider;
  const of = { provider: sourceName(added.source), source: added.source, client, schema };
  const leaner = await settledWithout(value, names, of);
  const props = Object.fromEntries(Object.entries(resource.props).filter(([name]) => !names.includes(name)));
  return leaner && { client, value: leaner, resource: { ...resource, props } };
}
