/** Provider processes of a run, one per configuration: started when first needed, ended with the run. */

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

/** The context of the call that needs a provider process. */
export type Surroundings = Pick<HandlerBase, "scope" | "signal" | "onCleanup" | "log" | "redact">;

/** Starts a provider process with additional environment variables. */
export type OpenProvider = (
  source: string,
  env: Readonly<Record<string, string>>,
  surroundings: Surroundings,
) => Promise<ProviderClient>;

/** A provider with its configuration. */
export interface Configured {
  readonly source: string;
  /** Name for messages. */
  readonly name: string;
  /** Schema from the program. If absent, the provider is asked. */
  readonly schema?: Schema;
  /** True if the provider answers without a request for its schemas first. */
  readonly schemaOptional?: boolean;
  /** True if the configuration comes from the state, not from the program of this run. */
  readonly isUndeclared?: boolean;
  /** Configuration from the program; undefined for a process without configuration. */
  readonly config?: unknown;
  readonly env: Readonly<Record<string, unknown>>;
  /** Secret texts in `config` and `env`. */
  readonly secrets?: readonly string[];
}

interface Opened {
  readonly client: Promise<ProviderClient>;
  /** True after a restart. A process that has ended is restarted once. */
  readonly isSecond: boolean;
}

const byRoot = new WeakMap<Scope, Map<string, Opened>>();

/** Returns the client of a configuration. @param key of the configuration; equal keys share a process */
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
  // Another caller may have restarted it meanwhile.
  const now = opened.get(key);
  if (now && now !== before) return await now.client;
  if (there) context.log(`The process of ${configured.name} ended. The engine starts it again.`);
  const client = start(open, configured, context);
  opened.set(key, { client, isSecond: there !== undefined });
  context.onCleanup(() => disconnect(root, key));
  // The next caller tries again.
  client.catch(() => opened.delete(key));
  return await client;
}

/** Ends a process, so that the next one can have another configuration. */
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
    // A provider of an older kit knows none of its types before it has returned its schemas.
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

// The schemas of recorded outputs. A newer provider needs the outputs in the old shape, with the old names.

function keyOf(typeName: string, version: number): string {
  return `terraform:schema:${typeName}:${version}`;
}

/** Schemas that this run has recorded, by root scope. */
const kept = new WeakMap<Scope, Set<string>>();

/** Records the schema of a type. @param source of the provider of the type */
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

/** Returns a recorded schema; undefined if no recorded output has this version. */
export async function keptSchema(
  { scope }: HandlerBase,
  source: string,
  typeName: string,
  version: number,
): Promise<Schema | undefined> {
  const block = await scope.root.get<Block>(keyOf(`${source}:${typeName}`, version));
  return block && { version, block };
}

/** Keeps names, types and sensitivity: enough to read an output. */
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
  // The path of the program also if a command runs it: then it replaces the path of the command.
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
      file.addLine(level, text);
      if (verbose) log(`${name}: ${text}`);
    },
  });
  return client;
};

/**
 * Returns the path of the lock file of `engine add`: next to the program, else in the root folder.
 *
 * @param program path of its file
 */
export function lockFileOf(rootDir: string, program: string | undefined): string {
  const beside = program && join(dirname(program), LOCK_FILE);
  return beside && existsSync(beside) ? beside : join(rootDir, LOCK_FILE);
}

const FOLDER = join(".engine", "logs", "providers");

/** Bytes of a log file after which a new one starts. The previous one is kept. */
const LARGE = 10 * 2 ** 20;

/** Returns the path below the root folder. */
function logFile(provider: string): string {
  return join(FOLDER, `${provider.replaceAll("/", ".")}.log`);
}

/** Log of a provider in a file below the root folder: this run, and earlier runs up to a size limit. */
export class ProviderLog {
  readonly #file: string;
  readonly #redact: Redact;
  #isOpen = false;

  constructor(rootDir: string, provider: string, redact: Redact) {
    this.#file = join(rootDir, logFile(provider));
    this.#redact = redact;
  }

  /** Appends a line. If it cannot be written, the run continues without it. */
  addLine(level: string, text: string): void {
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(this.#file, `${new Date().toISOString()} ${level.padEnd(5)} ${this.#redact(text)}\n`, {
        mode: 0o600,
      });
    } catch {
      // The disk is full, or the folder belongs to another user.
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
