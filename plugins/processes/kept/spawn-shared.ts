/** Implements `spawn`: all calls of a run with the same configuration share one process. */
import { resolve } from "node:path";
import { EngineError, typeName } from "../../../core/base/index.js";
import { fqnIn, keyIn, type Scope, type SpawnOptions } from "../../../core/contract/index.js";
import type { App, Run } from "../../../core/run/index.js";
import { plainEnvironment } from "../plain-environment.js";
import { logOf, recordOf } from "../process-paths.js";
import { awaitLine, hasExited } from "../run/await-line.js";
import { ensureRunning, type Kept } from "./ensure-running.js";
import { emitEnd, emitStart, endsWithRun, keepAlive, type Lifetime, lifetimeIn } from "./lifetime.js";
import { type Configuration, digestOf, pathsIn } from "./record.js";
import { userOf } from "./users.js";

/** A process that several calls of a run may share. */
interface Spawned {
  readonly configuration: string;
  readonly kept: Promise<Kept>;
}

const spawned = new WeakMap<Run, Map<string, Spawned>>();

export async function spawnShared(
  app: App,
  scope: Scope,
  id: string,
  options: SpawnOptions,
): Promise<string | undefined> {
  const kept = await shared(app, scope, id, configurationOf(scope, options));
  const { extract } = options;
  if (!extract) return undefined;
  const take = (line: string): string | undefined => checkExtracted(extract(line));
  return awaitLine(kept, { signal: app.signal, redact: app.redact, take });
}

/** @throws EngineError `DUPLICATE_ID` */
async function shared(app: App, scope: Scope, id: string, configuration: Configuration): Promise<Kept> {
  const all = spawned.get(app.run) ?? new Map<string, Spawned>();
  spawned.set(app.run, all);
  const key = keyIn(scope, id);
  const text = digestOf(configuration, key);
  const before = all.get(key);
  if (before && before.configuration !== text) {
    const fqn = fqnIn(scope, id);
    const message = `"${fqn}" is spawned twice with different commands, arguments, folders or environments. Give one of the processes another id.`;
    throw new EngineError("DUPLICATE_ID", message, { fqn });
  }
  if (before && !hasExited(await before.kept) && all.get(key) === before) return before.kept;
  // Another call may have restarted it in the meantime.
  const meanwhile = all.get(key);
  if (meanwhile && meanwhile !== before) return meanwhile.kept;
  const kept = keep(app, scope, id, configuration);
  all.set(key, { configuration: text, kept });
  return kept;
}

async function keep(app: App, scope: Scope, id: string, configuration: Configuration): Promise<Kept> {
  const fqn = fqnIn(scope, id);
  const paths = pathsIn(scope, id);
  const life: Lifetime = lifetimeIn(scope);
  const kept = await ensureRunning({
    ...paths,
    ...configuration,
    fqn,
    keeper: "run",
    session: life.session,
    user: endsWithRun(app, life) ? userOf(app) : undefined,
    recordPath: recordOf(paths),
    log: logOf(paths),
    signal: app.signal,
    redact: app.redact,
    warn: (code, message) => app.events.warn(code, message, fqn),
    onEnded: (record) => emitEnd(app, record),
  });
  emitStart(app, kept);
  keepAlive(app, kept, life);
  return kept;
}

function configurationOf(scope: Scope, { command, args = [], cwd = ".", env = {} }: SpawnOptions): Configuration {
  return { command, args, cwd: resolve(scope.rootDir, cwd), env: plainEnvironment(env, "INVALID_CALL") };
}

function checkExtracted(value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new EngineError("INVALID_CALL", `extract() must return a string or undefined, not ${typeName(value)}.`);
}
