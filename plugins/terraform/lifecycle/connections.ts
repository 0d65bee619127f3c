/** The processes of providers that a run has, one a configuration: started when they are first needed, ended with the run. */
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import type { ProviderClient } from "../protocol/index.js";
import { configOf, impliedType, type Schema } from "../schema/index.js";
import { checkDiagnostics } from "./diagnostics.js";
import { refusedProps } from "./refused-props.js";
import { unwrapped } from "./values.js";

/** What a process of a provider is started in, and for. */
export type Surroundings = Pick<HandlerBase, "scope" | "signal" | "onCleanup" | "log" | "redact">;

/** Starts a provider, whose process has these variables besides. */
export type OpenProvider = (
  source: string,
  env: Readonly<Record<string, string>>,
  surroundings: Surroundings,
) => Promise<ProviderClient>;

/** A provider with its configuration. */
export interface Configured {
  readonly source: string;
  /** For people. */
  readonly name: string;
  /** As the program has it; else the provider is asked. */
  readonly schema?: Schema;
  /** The provider answers without having been asked for its schemas first. */
  readonly schemaOptional?: boolean;
  /** True if it is as recorded, and this run's program has not configured it. */
  readonly isUndeclared?: boolean;
  /** As the program gave it; undefined for a process that is not configured. */
  readonly config?: unknown;
  readonly env: Readonly<Record<string, unknown>>;
  /** Texts in these two that are secrets. */
  readonly secrets?: readonly string[];
}

interface Opened {
  readonly client: Promise<ProviderClient>;
  /** One that has ended is started again once. */
  readonly isSecond: boolean;
}

const byRoot = new WeakMap<Scope, Map<string, Opened>>();

/** @param key of the configuration: the same one has the same process */
export async function connect(
  open: OpenProvider,
  key: string,
  configured: Configured,
  context: Surroundings,
): Promise<ProviderClient> {
  const { root } = context.scope;
  const opened = byRoot.get(root) ?? new Map<string, Opened>();
  byRoot.set(root, opened);
  const before = opened.get(key);
  const there = await before?.client;
  if (there && (!there.hasEnded || before?.isSecond)) return there;
  // Another one may have started it again meanwhile.
  const now = opened.get(key);
  if (now && now !== before) return await now.client;
  if (there) context.log(`The process of ${configured.name} has ended: it is started again.`);
  const client = start(open, configured, context);
  opened.set(key, { client, isSecond: there !== undefined });
  context.onCleanup(() => disconnect(root, key));
  // The next one tries again.
  client.catch(() => opened.delete(key));
  return await client;
}

/** Ends a process, so that the next one has another configuration. */
export async function disconnect(root: Scope, key: string): Promise<void> {
  const opened = byRoot.get(root);
  const there = opened?.get(key);
  opened?.delete(key);
  const client = await there?.client.catch(() => undefined);
  await client?.close();
}

async function start(
  open: OpenProvider,
  { source, name, schema: declared, schemaOptional, isUndeclared = false, config, env }: Configured,
  context: Surroundings,
): Promise<ProviderClient> {
  const client = await open(source, texts(unwrapped(env)), context);
  try {
    // Until a provider of an older kit has given its schemas, it knows none of its types.
    if (!schemaOptional) await client.schema(context.signal);
    if (config === undefined) return client;
    const schema = declared ?? (await client.schema(context.signal)).provider;
    const type = impliedType(schema.block);
    const answering = { provider: name, level: schema.block, isUndeclared, log: context.log };
    const given = configOf(schema.block, unwrapped(config));
    if (given.problems.length > 0) throw refusedProps(name, given.problems);
    const validated = await client.validateProvider({ type, value: given.value }, context.signal);
    checkDiagnostics(answering, validated.diagnostics, validated.prepared);
    const configured = await client.configure({ type, value: validated.prepared ?? given.value }, context.signal);
    checkDiagnostics(answering, configured.diagnostics, validated.prepared);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

function texts(env: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(env)).map(([name, value]) => [name, String(value)]));
}
