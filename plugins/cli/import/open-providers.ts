/** Starts the providers of an imported project, each with its configuration. */
import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import { EngineError, isEngineError } from "../../../core/base/index.js";
import type { Imported, ImportedProvider, ImportedResource } from "../../import/contract.js";
import { UniqueNames } from "../../import/program/names.js";
import { withoutVariables } from "../../import/program/settled.js";
import { functionName, type Offered, offeredBy, type ProviderDefinition } from "../../terraform/generate/index.js";
import { checkDiagnostics } from "../../terraform/lifecycle/diagnostics.js";
import { refusedProps } from "../../terraform/lifecycle/given.js";
import { sourceName } from "../../terraform/lifecycle/source-name.js";
import { launchProvider, type ProviderClient } from "../../terraform/protocol/index.js";
import { type AddedProvider, addProvider, parseSource, takeVersion } from "../../terraform/registry/index.js";
import { rangeFrom } from "../../terraform/registry/range.js";
import { configOf, impliedType, type ProviderSchema } from "../../terraform/schema/index.js";
import { type ProviderWork, writeAndLock } from "../providers/add.js";
import { moduleFile } from "../providers/provider-project.js";
import { providerType } from "./bridged-state.js";
import {
  configAdvice,
  type ProviderConfigs,
  plainNames,
  refuseUnusedConfigs,
  unconfiguredNote,
} from "./provider-configs.js";

/** Source of the built-in provider, whose `terraform_data` is a type of ours. */
export const BUILT_IN = "terraform.io/builtin/terraform";

export interface OpenedProvider {
  /** Id of its configuration in the program. */
  readonly id: string;
  readonly isNamed: boolean;
  readonly added: AddedProvider;
  readonly schema: ProviderSchema;
  readonly offered: Offered;
  readonly definition: ProviderDefinition;
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of its values that need no mask. */
  readonly show: readonly string[];
  /** Name of its configuration in the file of `--provider-config`. */
  readonly configName: string;
  /** Advice for failures that a missing configuration may have. */
  readonly advice?: string;
  readonly module: string;
  readonly functionName: string;
  readonly client: ProviderClient;
  /** Names of the used types, as `engine add` takes them. */
  readonly names: readonly string[];
}

export interface Opening {
  readonly work: ProviderWork;
  readonly configs: ProviderConfigs;
  /** Versions in the lock file of the old tool, by source. */
  readonly versions: ReadonlyMap<string, string>;
  /** Folder with provider programs to use instead of a registry. */
  readonly mirror?: string;
}

export class OpenProviders {
  readonly #opened = new Map<string, OpenedProvider>();

  get all(): readonly OpenedProvider[] {
    return [...this.#opened.values()];
  }

  of({ provider }: Pick<ImportedResource, "provider">): OpenedProvider | undefined {
    return provider && this.#opened.get(keyOf(provider));
  }

  async open({ resources, dataSources }: Imported, opening: Opening): Promise<void> {
    const used = new Map<string, Used>();
    const note = (group: "resources" | "dataSources") => (one: ImportedResource) => {
      const { provider } = one;
      if (!provider || provider.source === BUILT_IN) return;
      const key = keyOf(provider);
      const known = used.get(key) ?? { provider, resources: [], dataSources: [] };
      used.set(key, known);
      known[group].push(one);
    };
    resources.forEach(note("resources"));
    dataSources.forEach(note("dataSources"));
    const unknown = new Set(resources.flatMap(({ type, provider }) => (provider ? [] : (type.split(":")[0] ?? []))));
    refuseUnusedConfigs(opening.configs, { used: [...used.values()].map(configName), unknown });
    const added = new Map<string, AddedProvider>();
    const ids = new UniqueNames();
    for (const [key, one] of used) {
      const { provider } = one;
      const program = added.get(provider.source) ?? (await addedAs(provider, opening));
      added.set(provider.source, program);
      this.#opened.set(key, await opened(program, { used: one, opening, ids }));
    }
  }

  /** Sentences for the user. */
  notes(configs: ProviderConfigs): readonly string[] {
    const open = this.all.filter(({ advice }) => advice !== undefined);
    return unconfiguredNote(
      open.map(({ configName: name, schema }) => ({ name, block: schema.provider.block })),
      configs,
    );
  }

  /** Returns the names of the files that {@link write} writes. */
  files(lockFile: string): readonly string[] {
    const modules = this.all.map(({ module }) => module.replace(/^\.\//, "").replace(/\.js$/, ".ts"));
    return modules.length === 0 ? [] : [lockFile, ...new Set(modules)];
  }

  async close(): Promise<void> {
    for (const { client } of this.all) await client.close();
  }

  /** Writes the modules of types and the lock file. */
  async write(work: ProviderWork): Promise<void> {
    const byAdded = new Map<AddedProvider, string[]>();
    for (const { added, names } of this.all) byAdded.set(added, [...(byAdded.get(added) ?? []), ...names]);
    for (const [added, names] of byAdded) await writeAndLock(added, { names: [...new Set(names)], used: false }, work);
  }
}

/** Returns the name of a configuration in the file of `--provider-config`. */
function configName({ provider: { source, alias } }: Pick<Used, "provider">): string {
  const type = source.slice(source.lastIndexOf("/") + 1);
  return alias === undefined ? type : `${type}.${alias}`;
}

function keyOf({ source, alias }: ImportedProvider): string {
  return alias === undefined ? source : `${source} ${alias}`;
}

async function addedAs(provider: ImportedProvider, { work, versions, mirror }: Opening): Promise<AddedProvider> {
  const adding = { ...work, lockFile: work.project.lockFile, ...(mirror === undefined ? {} : { mirror }) };
  const source = parseSource(provider.source, process.cwd());
  // A source of unknown origin must not choose a program to run.
  if (source.from === "path")
    throw new EngineError(
      "IMPORT_REFUSED",
      `This command recorded nothing: "${provider.source}" is a path, not a provider.`,
    );
  const version = provider.version ?? versions.get(provider.source);
  try {
    if (version === undefined) return await addProvider(source, adding);
    const { address } = source;
    return await takeVersion({ address, version, range: rangeFrom(version), before: undefined }, adding);
  } catch (error) {
    if (!isEngineError(error, "PROVIDER_MISSING")) throw error;
    const message = error.message.replace(/ (?:Use|Or use) a mirror folder: .*$/m, "");
    const folder = mirror === undefined ? "a folder" : "another folder";
    const advice = `The source has resources of ${sourceName(provider.source)}. To take the provider from ${folder}: --mirror FOLDER.`;
    throw withAdvice(error, message, advice);
  }
}

/** A configuration of a provider, and its resources. */
interface Used {
  readonly provider: ImportedProvider;
  readonly resources: ImportedResource[];
  readonly dataSources: ImportedResource[];
}

interface OpeningOne {
  readonly used: Used;
  readonly opening: Opening;
  readonly ids: UniqueNames;
}

async function opened(added: AddedProvider, { used, opening, ids }: OpeningOne): Promise<OpenedProvider> {
  const { source, type, executable } = added;
  const { work, configs } = opening;
  const { alias } = used.provider;
  const name = configName(used);
  const config = configs.byName[name] ?? {};
  const client = await launchProvider({
    command: executable,
    // The folder of the program may not exist yet.
    folder: existsSync(work.project.folder) ? work.project.folder : process.cwd(),
    name: sourceName(source),
    log: () => {},
  });
  try {
    const schema = await client.schema();
    const advice = configAdvice(name, configs, schema.provider.block);
    await configure(client, { name: sourceName(source), schema, config, advice });
    const offered = offeredBy(type, schema);
    const types = [
      ...new Set([
        ...used.resources.flatMap((one) => providerType(one, schema.resources) ?? []),
        ...used.dataSources.map((one) => `data.${one.type}`),
      ]),
    ];
    const usual = source.slice(source.lastIndexOf("/") + 1);
    const id = ids.unique(alias === undefined ? usual : `${usual}-${alias}`);
    const file = moduleFile(work.project, { source, type });
    const path = relative(work.project.folder, file.path).split(sep).join("/").replace(/\.ts$/, ".js");
    return {
      id,
      isNamed: id !== usual,
      added,
      schema,
      offered,
      definition: definitionOf(added, schema, { offered, types }),
      config,
      show: plainNames(config, schema.provider.block),
      configName: name,
      ...(configs.byName[name] ? {} : { advice }),
      module: `./${path}`,
      functionName: functionName(type),
      client,
      names: types,
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

interface Configuring {
  readonly name: string;
  readonly schema: ProviderSchema;
  readonly config: Readonly<Record<string, unknown>>;
  readonly advice: string;
}

/** @throws EngineError `INVALID_PROPS`, `PROVIDER_REFUSED` with the flag that passes a configuration */
async function configure(client: ProviderClient, { name, schema, config, advice }: Configuring): Promise<void> {
  const { block } = schema.provider;
  const type = impliedType(block);
  const given = configOf(
    block,
    withoutVariables(config, (variable) => variable.value),
  );
  try {
    if (given.problems.length > 0) throw refusedProps(name, given.problems);
    const answering = { provider: name, level: block, log: () => {} };
    const validated = await client.validateProvider({ type, value: given.value });
    checkDiagnostics(answering, validated.diagnostics, validated.prepared);
    const answer = await client.configure({ type, value: validated.prepared ?? given.value });
    checkDiagnostics(answering, answer.diagnostics, validated.prepared);
  } catch (error) {
    if (!isEngineError(error, "INVALID_PROPS") && !isEngineError(error, "PROVIDER_REFUSED")) throw error;
    throw withAdvice(error, error.message, advice);
  }
}

function withAdvice(cause: EngineError, message: string, advice: string): EngineError {
  return new EngineError(cause.code, `${message}\n${advice}`, { cause });
}

interface UsedTypes {
  readonly offered: Offered;
  /** Data sources have a prefix. */
  readonly types: readonly string[];
}

/** Returns the definition that the module of types will have, with the used types. */
function definitionOf({ source, locked }: AddedProvider, schema: ProviderSchema, used: UsedTypes): ProviderDefinition {
  const { range, version } = locked;
  const types = (group: "resources" | "dataSources", prefix: string) =>
    Object.fromEntries(
      [...used.offered[group]]
        .filter(([, type]) => used.types.includes(`${prefix}${type}`))
        .map(([program, type]) => [program, { type, schema: JSON.stringify(schema[group][type]) }]),
    );
  return {
    source,
    range,
    version,
    capabilities: schema.capabilities,
    config: JSON.stringify(schema.provider),
    resources: types("resources", ""),
    dataSources: types("dataSources", "data."),
    ephemeral: {},
    functions: {},
  };
}
