/** The running provider and the schema that the handlers of a type work with. */
import { EngineError } from "../../../core/base/index.js";
import type { HandlerBase } from "../../../core/contract/index.js";
import type { CtyValue } from "../cty/index.js";
import { offeredBy } from "../generate/index.js";
import { configOf, type ProviderSchema, type Schema, together } from "../schema/index.js";
import { sealed } from "../sensitive/index.js";
import { connect, type OpenProvider } from "./connections.js";
import type { Subject } from "./diagnostics.js";
import { attributesIn, givenFor, refusedProps } from "./given.js";
import { configuredAs } from "./provider-config.js";
import { unwrapped } from "./values.js";

export interface ManagedProps {
  /** The key of its provider's configuration. */
  readonly provider: string;
  readonly [name: string]: unknown;
}

export type ManagedOutput = Readonly<Record<string, unknown>>;

/** A type, and the function that starts its provider. */
export interface Managed {
  readonly kind: string;
  readonly group: "resources" | "dataSources";
  /** Name in programs, e.g. `role`. */
  readonly called: string;
  /** Name in the provider. If absent, it is found in the provider's schema. */
  readonly typeName?: string;
  /** Schema from the program. If absent, the provider is asked. */
  readonly schema?: Schema;
  readonly open: OpenProvider;
}

type Context = HandlerBase & { readonly props: ManagedProps };

/** Returns the subject; undefined if the configuration of its provider is not known before the run. */
export async function subjectOf(managed: Managed, context: Context): Promise<Subject | undefined> {
  const { group, called, open } = managed;
  const { provider: key } = context.props;
  if (typeof key !== "string") {
    const message = `The kind "${managed.kind}" of "${context.fqn}" is not defined. Define it, or import the module that defines it, before you call engine().`;
    throw new EngineError("KIND_UNKNOWN", message, { fqn: context.fqn });
  }
  const configured = await configuredAs(context, key);
  if (!configured) return undefined;
  const client = await connect(open, key, configured, context);
  const { signal } = context;
  const typeName = managed.typeName ?? typeNameIn(await client.schema(signal), configured.source, managed);
  const schema = managed.schema ?? own((await client.schema(signal))[group], typeName);
  if (!schema) {
    const message = `${configured.name} has no type "${called}". Check the version of the provider in the lock file.`;
    throw new EngineError("PROVIDER_MISSING", message);
  }
  const log = (message: string): void => context.log(message);
  return {
    provider: configured.name,
    source: configured.source,
    level: schema.block,
    isUndeclared: configured.isUndeclared === true,
    undefinedProps: givenFor(context).undefinedProps ?? [],
    log,
    client,
    typeName,
    schema,
    signal,
    configured: configured.secrets ?? [],
  };
}

/** Returns an own member, not an inherited one. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the provider's name of a type. */
export function typeNameIn(
  schema: ProviderSchema,
  source: string,
  { group, called }: Pick<Managed, "group" | "called">,
): string {
  return offeredBy(source.slice(source.lastIndexOf("/") + 1), schema)[group].get(called) ?? called;
}

/** Returns the subject in a run, where the configuration must be known. @throws EngineError `UNKNOWN_VALUE` */
export async function knownSubject(managed: Managed, context: Context): Promise<Subject> {
  const subject = await subjectOf(managed, context);
  if (subject) return subject;
  throw new EngineError(
    "UNKNOWN_VALUE",
    `The configuration of the provider "${context.props.provider}" is not known before the run.`,
  );
}

/** Returns the declared props as a configuration for the provider. @throws EngineError `INVALID_PROPS` */
export function declaredConfig({ kind }: Managed, { schema }: Subject, context: Context): CtyValue {
  const props = attributesIn(context.props);
  const { writeOnly } = givenFor(context);
  // From now on they are masked in all texts, including messages of the provider.
  if (writeOnly !== undefined) sealed(writeOnly, "written");
  const all = together(props, writeOnly);
  const { value, problems } = configOf(schema.block, unwrapped(all));
  if (problems.length > 0) throw refusedProps(kind, problems);
  return value;
}
