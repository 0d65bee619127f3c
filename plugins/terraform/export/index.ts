/** Exports the resources of providers for Terraform and OpenTofu: a configuration in JSON, and a state of version 4. */
import { EngineError, uuid } from "../../../core/base/index.js";
import type { App } from "../../../core/run/index.js";
import { jsonText } from "../cty/index.js";
import { offeredBy } from "../generate/index.js";
import { type OpenProvider, openInRun } from "../lifecycle/connections.js";
import { attributesIn } from "../lifecycle/given.js";
import { keptOf, recordedValue } from "../lifecycle/recorded.js";
import { sourceName } from "../lifecycle/source-name.js";
import { unwrapped } from "../lifecycle/values.js";
import {
  type Block,
  configOf,
  impliedType,
  type Level,
  META_ARGUMENTS,
  namesOf,
  programPathText,
  type Schema,
} from "../schema/index.js";
import { bodyOf, objectText, type StatePath } from "./body.js";
import { builtIn, builtInOutput } from "./built-in.js";
import { configurationText, instanceText, pretty, stateText, type Written } from "./files.js";
import { Names } from "./names.js";
import { type Configuration, configurationsOf } from "./providers.js";
import { type Decoded, type Records, reading, recordsOf, rootData } from "./records.js";
import { Variables } from "./variables.js";

export interface ExportOptions {
  /** Writes secrets in plain text, because a state of Terraform holds them so. Default: a secret is an error. */
  readonly showSecrets?: boolean;
  /** Starts providers. Default: those of the project's lock file. */
  readonly open?: OpenProvider;
}

export interface Exported {
  /** Files by name. They may hold secrets. */
  readonly files: ReadonlyMap<string, string>;
  /** Addresses of the resources and data sources, by FQN. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Resources that stay with the engine, because no provider of Terraform has their type. */
  readonly others: Records["others"];
  /** Names of the variables for secrets. */
  readonly variables: readonly string[];
  /** Sentences about work that remains. */
  readonly notes: readonly string[];
}

/**
 * Reads the state that an app has loaded. Asks each provider for its schema, and for nothing else.
 *
 * @throws EngineError `UNRESOLVED` for unfinished actions, `INVALID_ARGUMENT` for secrets without `showSecrets`,
 * `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, `PROVIDER_MISSING`, `PROVIDER_FAILED`
 */
export async function exportForTerraform(
  app: App,
  { showSecrets = false, open = openInRun }: ExportOptions = {},
): Promise<Exported> {
  const records = await recordsOf(app);
  const configurations = await configurationsOf(app, records, open);
  const placed = placedIn(records.resources, configurations);
  const variables = new Variables();
  const providers = configurations.map((one) => providerText(one, variables));
  const order = new Map(placed.map(({ of }, at) => [of.record.uid, at]));
  const resources = await Promise.all(
    placed.map((one) => {
      const refs = new Set(one.of.record.refs);
      const needed = [...refs].flatMap((uid) => order.get(uid) ?? []).sort((a, b) => a - b);
      const before = needed.flatMap((at) => placed[at] ?? []);
      return reading(one.of.fqn, () => writtenResource(app, one, before, variables));
    }),
  );
  if (!showSecrets) variables.refuse(app.root.chain.join("/"));
  const { values } = variables;
  const { lineage = uuid(), durable } = app.ledger;
  const files = new Map([
    ["main.tf.json", configurationText(configurations, providers, resources, values)],
    ["terraform.tfstate", stateText(lineage, durable.head.seq, resources)],
  ]);
  if (values.length > 0) files.set("terraform.tfvars.json", pretty(objectText(values)));
  return {
    files,
    addresses: new Map(placed.map(({ of, address }) => [of.fqn, address])),
    others: records.others,
    variables: values.map(([name]) => name),
    notes: [...records.notes, ...configurations.flatMap(providerNotes), ...placed.flatMap(writeOnlyNotes)],
  };
}

/** A resource with its names in Terraform. */
interface Placed extends Pick<Written, "configuration" | "mode" | "type" | "name"> {
  readonly of: Decoded;
  readonly address: string;
  readonly schema: Schema;
}

function placedIn(resources: readonly Decoded[], configurations: readonly Configuration[]): readonly Placed[] {
  const names = new Map<string, Names>();
  const byKey = new Map(configurations.map((one) => [one.key, one]));
  return resources.map((of): Placed => {
    const { configuration, type, schema } = builtIn(of) ?? offeredIn(of, byKey);
    const mode = /:data\.\w+$/.test(of.record.kind) ? "data" : "managed";
    const prefix = `${mode === "data" ? "data." : ""}${type}`;
    const own = names.get(prefix) ?? new Names();
    names.set(prefix, own);
    const name = own.give(of.record.key.replaceAll("/", "_"));
    return { of, configuration, mode, type, name, address: `${prefix}.${name}`, schema };
  });
}

/** Most characters of a recorded text in a message. */
const SHOWN = 200;

/** Finds the type of a resource in the schema of its provider. */
function offeredIn(
  { record, fqn, props }: Decoded,
  configurations: ReadonlyMap<string, Configuration>,
): Pick<Placed, "configuration" | "type" | "schema"> {
  const configuration = configurations.get(String(props.provider));
  if (!configuration) {
    const message = `The provider configuration "${String(props.provider).slice(0, SHOWN)}" of "${fqn}" is not recorded. Run "engine up", then export again.`;
    throw new EngineError("PROVIDER_MISSING", message, { fqn });
  }
  const [, data, called = ""] = /:(data\.)?(\w+)$/.exec(record.kind) ?? [];
  const { source, schema: offered } = configuration;
  const group = data ? "dataSources" : "resources";
  const type = offeredBy(source.slice(source.lastIndexOf("/") + 1), offered)[group].get(called) ?? called;
  const schema = Object.hasOwn(offered[group], type) ? offered[group][type] : undefined;
  if (!schema) {
    const message = `The provider "${source}" has no type "${called.slice(0, SHOWN)}", which "${fqn}" has. Check its version in the lock file.`;
    throw new EngineError("PROVIDER_MISSING", message, { fqn });
  }
  return { configuration, type, schema };
}

/** @param needed the resources that it was made from, in the order of the files */
async function writtenResource(
  app: App,
  one: Placed,
  needed: readonly Placed[],
  variables: Variables,
): Promise<Written> {
  const { of, schema, configuration, mode, type, name } = one;
  const { protect } = of.record;
  refuseUnfit(one);
  const paths: StatePath[] = [];
  const recorded = mode === "data" ? undefined : await recordedOf(app, one);
  const given = { props: attributesIn(of.props), ...(recorded && { recorded: recorded.value }) };
  const members = bodyOf(schema.block, given, variables.of(of.fqn, `${type}_${name}`, paths));
  const props = members.filter(([member]) => !META_ARGUMENTS.has(member));
  const provider = providerOf(configuration, type);
  const body = objectText([
    ...(provider === undefined ? [] : [["provider", JSON.stringify(provider)] as const]),
    ...props,
    ...(needed.length > 0 ? [["depends_on", JSON.stringify(needed.map(({ address }) => address))] as const] : []),
    ...(protect && mode === "managed" ? [["lifecycle", '{"prevent_destroy": true}'] as const] : []),
  ]);
  const written = { configuration, mode, type, name, body };
  if (!recorded) return written;
  variables.noteSecrets(of.fqn, of.output, await of.data("terraform"));
  const { kept, block, value } = recorded;
  const instance = instanceText({
    version: kept.version,
    attributes: jsonText(impliedType(block), value),
    sensitive: paths,
    private: kept.private,
    dependencies: needed.filter((to) => to.mode === "managed").map(({ address }) => address),
  });
  return { ...written, instance };
}

/** Returns the recorded value, in the schema of the version that recorded it. */
async function recordedOf(app: App, one: Placed) {
  const { of, schema } = one;
  const kept = await keptOf({ get: (key) => of.data(key) }, of.output);
  const { block } = kept.version === schema.version ? schema : await formerSchema(app, one, kept.version);
  return { kept, block, value: recordedValue({ version: kept.version, block }, builtInOutput(of), kept.types) };
}

/** The props of a record may be those of an earlier version of the provider. */
function refuseUnfit({ of, schema, configuration: { source } }: Placed): void {
  const { problems } = configOf(schema.block, unwrapped(attributesIn(of.props)));
  const { toProvider } = namesOf(schema.block);
  const isWritten = (name: unknown): boolean =>
    schema.block.attributes[toProvider.get(String(name)) ?? ""]?.writeOnly === true;
  const unfit = problems.filter(({ path }) => !isWritten(path[0]));
  if (unfit.length === 0) return;
  const all = unfit.slice(0, 10).map(({ path, message }) => `${programPathText(path)} ${message}`);
  const list = all.join(" ").slice(0, 1_000);
  const message = `The recorded props of "${of.fqn}" do not fit the present version of ${sourceName(source)}: ${list} Adapt the program, run "engine up", then export again.`;
  throw new EngineError("UNRESOLVED", message, { fqn: of.fqn });
}

/** Returns undefined if Terraform finds the configuration by the name of the type. */
function providerOf({ local, alias }: Configuration, type: string): string | undefined {
  if (alias !== undefined) return `${local}.${alias}`;
  return type === local || type.startsWith(`${local}_`) ? undefined : local;
}

/** Returns the schema of an output that an earlier version of the provider has made. */
async function formerSchema(app: App, { of, configuration, type }: Placed, version: number): Promise<Schema> {
  const block = await rootData<Block>(app, `terraform:schema:${configuration.source}:${type}:${version}`);
  if (block) return { version, block };
  const message = `"${of.fqn}" was recorded with the schema version ${version}, which is not known any more. Run "engine up", then export again.`;
  throw new EngineError("UNRESOLVED", message, { fqn: of.fqn });
}

function providerText({ local, alias, fqn, config, schema }: Configuration, variables: Variables): string {
  const prefix = `provider_${alias ?? local}`;
  const body = bodyOf(schema.provider.block, { props: config }, variables.of(fqn, prefix));
  return objectText([...(alias === undefined ? [] : [["alias", JSON.stringify(alias)] as const]), ...body]);
}

function providerNotes({ fqn, env, withheld }: Configuration): readonly string[] {
  const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
  return [
    ...(env.length > 0
      ? [`"${fqn}" sets environment variables for its provider. Set them before you run tofu: ${env.join(", ")}.`]
      : []),
    ...(withheld.length > 0
      ? [
          `"${fqn}" was recorded without a password or key, so these arguments are missing: ${list(withheld)}. Add them.`,
        ]
      : []),
  ];
}

/** Write-only arguments are recorded nowhere. */
function writeOnlyNotes({ address, schema, mode }: Placed): readonly string[] {
  const names = mode === "managed" ? writeOnlyIn(schema.block) : [];
  if (names.length === 0) return [];
  return [
    `${address} may need write-only arguments, which no state records. Add those that the program passes: ${names.join(", ")}.`,
  ];
}

function writeOnlyIn(level: Level): readonly string[] {
  return [
    ...Object.entries(level.attributes).flatMap(([name, { writeOnly, nested }]) =>
      writeOnly ? name : nested ? writeOnlyIn(nested).map((inner) => `${name}.${inner}`) : [],
    ),
    ...Object.entries(level.blocks ?? {}).flatMap(([name, { block }]) =>
      writeOnlyIn(block).map((inner) => `${name}.${inner}`),
    ),
  ];
}
