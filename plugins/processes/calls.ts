/**
 * `exec` and `spawn` of a scope: checks when a call may begin, and makes it work of the run. A plugin does the rest.
 */

import { checkName, EngineError, unknownValue } from "../../core/base/index.js";
import {
  type CommandLine,
  type ExecOptions,
  type ExecResult,
  fqnIn,
  INTERNALS,
  isInHandler,
  type ProcessCall,
  type Scope,
  type SpawnOptions,
} from "../../core/contract/index.js";
import { declarationFailed, interruption } from "../../core/handler/index.js";
import { type App, appOf, isTooLate, tooLate } from "../../core/run/index.js";

export function execIn(scope: Scope, id: string, command: CommandLine, options: ExecOptions = {}): Promise<ExecResult> {
  return asWork({
    scope,
    method: "exec",
    id,
    ask: ({ calls }, fqn) => calls.exec.call({ scope, id, fqn, command, options }),
    absent: unknownResult,
  });
}

export function spawnIn(scope: Scope, id: string, options: SpawnOptions): Promise<string | undefined> {
  return asWork({
    scope,
    method: "spawn",
    id,
    ask: ({ calls }, fqn) => calls.spawn.call({ scope, id, fqn, options }),
    absent: (fqn) => (options.extract ? (unknownValue(fqn) as string) : undefined),
  });
}

/** A successful result with unknown output, so that the program continues if it does not need the output. */
function unknownResult(fqn: string): ExecResult {
  const unknown = (name: string): string => unknownValue(`${fqn}.${name}`) as string;
  return { exitCode: 0, stdout: unknown("stdout"), stderr: unknown("stderr") };
}

/** One call. */
interface Work<T> {
  readonly scope: Scope;
  readonly method: "exec" | "spawn";
  readonly id: string;
  /** Returns the call of a plugin; undefined if no plugin implements the method. */
  ask(app: App, fqn: string): ProcessCall<T> | undefined;
  /** Returns the result in the phase `destroy`, which starts nothing. */
  absent(fqn: string): T;
}

/**
 * Makes a call work of the run: finalize waits for it, and its failure fails the run even if the program ignores it.
 */
function asWork<T>(work: Work<T>): Promise<T> {
  const { scope, method, id } = work;
  const app = appOf(scope);
  const { path } = scope[INTERNALS];
  const { run } = app;
  const isInOwnHandler = isInHandler(app.root);
  // The phase `destroy` records nothing for it.
  const need = isInOwnHandler ? (app.options.phase === "destroy" ? "live" : "record") : "declare";
  if (isTooLate(app, need)) return Promise.reject(tooLate(scope, `${method}("${id}")`));
  const working = admitted(work, app, isInOwnHandler).catch((thrown: unknown) => {
    const safe = app.safe(thrown);
    const error = interruption(app, thrown) ?? declarationFailed(safe, fqnIn(scope, id));
    run.fail(path, error);
    throw error;
  });
  run.ongoing.keep(working);
  return working;
}

async function admitted<T>(work: Work<T>, app: App, isInOwnHandler: boolean): Promise<T> {
  checkName("id", work.id);
  const fqn = fqnIn(work.scope, work.id);
  const call = work.ask(app, fqn);
  if (!call) throw noPlugin(work.method);
  call.check();
  await app.ready();
  const isForHandler = isInOwnHandler && work.method === "exec";
  if (!isForHandler) refuseEffects(work, app, fqn);
  if (app.options.phase === "destroy" && !isForHandler) return work.absent(fqn);
  await app.run.preflight.run();
  app.signal.throwIfAborted();
  return call.begin();
}

function noPlugin(method: "exec" | "spawn"): EngineError {
  const message = `${method}() needs the processes plugin, and this engine does not have it. Import processes from "scope-engine/plugins/processes" and pass { plugins: [processes()] } to createEngine() or createTestApp(). The engine() of scope-engine includes it.`;
  return new EngineError("INVALID_CALL", message);
}

/** @throws EngineError `READ_ONLY` */
function refuseEffects({ method }: Work<unknown>, { options }: App, fqn: string): void {
  const where = options.plan ? "a plan" : options.phase === "read" ? "a run that only reads" : undefined;
  if (where === undefined) return;
  const instead = method === "exec" ? "Command" : "Process";
  const message = `${method}() of "${fqn}" is refused in ${where}, which must not change anything. Run "engine up", or declare a ${instead} resource, whose effects a plan can show.`;
  throw new EngineError("READ_ONLY", message, { fqn });
}
