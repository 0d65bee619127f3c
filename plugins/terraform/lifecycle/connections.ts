/** The processes of providers that a run has, one a configuration: started when they are first needed, ended with the run. */

import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAbsence, makeOwnFolder, type Redact } from "../../../core/base/index.js";
import { type HandlerBase, INTERNALS, type Scope } from "../../../core/contract/index.js";
import { launchProvider, type ProviderClient } from "../protocol/index.js";
import { LOCK_FILE, resolveProvider } from "../registry/index.js";
import { type Block, configOf, impliedType, type Schema } from "../schema/index.js";
import { checkDiagnostics } from "./diagnostics.js";
import { refusedProps } from "./given.js";
import { sourceName } from "./source-name.js";
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
  if (there) context.log(`The process of ${configured.name} ended. The engine starts it again.`);
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

// The schemas that recorded outputs were made by: a newer provider asks for them as they were, in the names that they
// had.

function keyOf(typeName: string, version: number): string {
  return `terraform:schema:${typeName}:${version}`;
}

/** Once a run. */
const kept = new WeakMap<Scope, Set<string>>();

/** @param source of the provider that the type belongs to */
export async function keepSchema(
  { scope }: HandlerBase,
  source: string,
  typeName: string,
  schema: Schema,
): Promise<void> {
  const { root } = scope;
  const key = keyOf(`${source}:${typeName}`, schema.version);
  const known = kept.get(root) ?? new Set<string>();
  if (known.has(key)) return;
  kept.set(root, known.add(key));
  await root.set(key, shapeOf(schema.block));
}

/** Undefined where nothing was made by it. */
export async function keptSchema(
  { scope }: HandlerBase,
  source: string,
  typeName: string,
  version: number,
): Promise<Schema | undefined> {
  const block = await scope.root.get<Block>(keyOf(`${source}:${typeName}`, version));
  return block && { version, block };
}

/** Names and types, and what is a secret: no more is needed to know what an output says. */
function shapeOf({ attributes, blocks }: Block): Block {
  return {
    attributes: shapesOf(attributes),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, { nesting, block, minItems, maxItems }]) => [
        name,
        { nesting, block: shapeOf(block), minItems, maxItems },
      ]),
    ),
  };
}

function shapesOf(attributes: Block["attributes"]): Block["attributes"] {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, nested, sensitive }]) => [
      name,
      {
        type,
        ...(nested && { nested: { nesting: nested.nesting, attributes: shapesOf(nested.attributes) } }),
        ...(sensitive && { sensitive }),
      },
    ]),
  );
}

/** @throws EngineError `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`, `PROVIDER_FAILED`, `PACKAGE_MISSING` */
export const openInRun: OpenProvider = async (source, env, surroundings) => {
  const { scope, signal, log } = surroundings;
  const { rootDir, verbose } = scope[INTERNALS].options;
  const name = sourceName(source);
  // Also where a command runs the program: then it stands in the place of the command.
  const lockFile = lockFileOf(rootDir, process.argv[1]);
  const command = await resolveProvider(lockFile, source, { report: log, signal });
  const file = new ProviderLog(rootDir, name, surroundings.redact);
  const client = await launchProvider({
    command,
    env,
    folder: rootDir,
    name,
    signal,
    logFile: logFile(name),
    log: (level, text) => {
      file.add(level, text);
      if (verbose) log(`${name}: ${text}`);
    },
  });
  return client;
};

/**
 * Where `engine add` has written the lock file: beside the program, else in the root folder.
 *
 * @param program path of its file
 */
export function lockFileOf(rootDir: string, program: string | undefined): string {
  const beside = program && join(dirname(program), LOCK_FILE);
  return beside && existsSync(beside) ? beside : join(rootDir, LOCK_FILE);
}

const FOLDER = join(".engine", "logs", "providers");

/** Bytes from which a new file is begun; the one before is kept. */
const LARGE = 10 * 2 ** 20;

/** Where it is below the root folder. */
function logFile(provider: string): string {
  return join(FOLDER, `${provider.replaceAll("/", ".")}.log`);
}

/** What a provider says while it works, in a file below the root folder: of this run, and of the ones before as far as there is room. */
export class ProviderLog {
  readonly #file: string;
  readonly #redact: Redact;
  #isOpen = false;

  constructor(rootDir: string, provider: string, redact: Redact) {
    this.#file = join(rootDir, logFile(provider));
    this.#redact = redact;
  }

  /** A line that cannot be written is no reason to fail: the run goes on without it. */
  add(level: string, text: string): void {
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(this.#file, `${new Date().toISOString()} ${level.padEnd(5)} ${this.#redact(text)}\n`, {
        mode: 0o600,
      });
    } catch {
      // The disk is full, or the folder is not ours.
    }
  }

  #open(): void {
    makeOwnFolder(dirname(this.#file));
    this.#isOpen = true;
    try {
      if (statSync(this.#file).size > LARGE) renameSync(this.#file, `${this.#file}.1`);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }
}
