/** The configurations of providers in Terraform's language, and the schemas of their providers. */
import { EngineError } from "../../../core/base/index.js";
import type { App } from "../../../core/run/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import type { OpenProvider } from "../lifecycle/connections.js";
import { VERSION } from "../lifecycle/given.js";
import { isObject, membersOf } from "../schema/given-value.js";
import type { ProviderSchema } from "../schema/index.js";
import { Names } from "./names.js";
import { type Records, reading } from "./records.js";

/** A configuration of a provider. */
export interface Configuration {
  /** Key by which resources refer to it. */
  readonly key: string;
  readonly fqn: string;
  /** `host/namespace/type`. */
  readonly source: string;
  /** Name in `required_providers`, the same for all configurations of a provider. */
  readonly local: string;
  /** Absent for the configuration that resources use without naming one. */
  readonly alias?: string;
  /** Props, with a secret for each value that the program did not show. */
  readonly config: unknown;
  /** Names of the environment variables that the program sets for the process of the provider. */
  readonly env: readonly string[];
  /** Arguments that are not recorded, because there was no password or key. */
  readonly withheld: readonly string[];
  readonly schema: ProviderSchema;
  /** Version that recorded its resources. */
  readonly version: string | undefined;
}

/** @throws EngineError `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`, `PROVIDER_FAILED`, `INVALID_ARGUMENT` */
export async function configurationsOf(
  app: App,
  { providers, resources }: Records,
  open: OpenProvider,
): Promise<readonly Configuration[]> {
  const names = new Names();
  const schemas = new Map<string, ProviderSchema>();
  const locals = new Map<string, string>();
  const found: Configuration[] = [];
  for (const { record, fqn, props } of providers) {
    const one = await reading(fqn, async (): Promise<Configuration> => {
      const { source, config, env, show = [], withheld = [] }: Recorded = Object(props);
      refuseFile(source, fqn);
      const schema = schemas.get(source) ?? (await schemaOf(app, source, open));
      schemas.set(source, schema);
      const isFirst = !locals.has(source);
      const local = locals.get(source) ?? names.give(source.slice(source.lastIndexOf("/") + 1));
      locals.set(source, local);
      return {
        key: record.key,
        fqn,
        source,
        local,
        ...(isFirst ? {} : { alias: names.give(record.key.replaceAll("/", "_")) }),
        config: hidden(config, show),
        env: Object.keys(Object(env)),
        withheld,
        schema,
        version: resources
          .map((of) => (of.props.provider === record.key ? versionIn(of.props) : undefined))
          .find(Boolean),
      };
    });
    found.push(one);
  }
  return found;
}

/** Terraform finds a provider by its address. */
function refuseFile(source: string, fqn: string): void {
  if (source.split("/").length === 3 && !/^[./\\]/.test(source)) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `Nothing was exported: "${fqn}" uses the provider in "${source.slice(0, 200)}", and Terraform finds providers by an address. Put it into a mirror folder, run "engine add HOST/NAMESPACE/TYPE --mirror FOLDER", use that module, run "engine up", then export again.`,
    { fqn },
  );
}

interface Recorded {
  readonly source: string;
  readonly config: unknown;
  readonly env?: unknown;
  readonly show?: readonly string[];
  readonly withheld?: readonly string[];
}

/** Values of a configuration are secret unless the program shows them. */
function hidden(config: unknown, show: readonly string[]): unknown {
  if (!isObject(config)) return config;
  const members = membersOf(config).map(([name, value]) => {
    const isShown = show.includes(name) || isSecret(value) || isPlainFlag(value);
    return [name, isShown ? value : new Secret(value, name)] as const;
  });
  return Object.fromEntries(members);
}

function isPlainFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

/** Asks the provider for its schema only. Its process gets no configuration, so it can change nothing. */
async function schemaOf(app: App, source: string, open: OpenProvider): Promise<ProviderSchema> {
  const { root, signal, redact } = app;
  const client = await open(source, {}, { scope: root, signal, redact, log: () => {}, onCleanup: () => {} });
  try {
    return await client.schema(signal);
  } finally {
    await client.close();
  }
}

function versionIn(props: Readonly<Record<string, unknown>>): string | undefined {
  const text = props[VERSION];
  return typeof text === "string" ? text.slice(0, text.indexOf("/")) : undefined;
}
