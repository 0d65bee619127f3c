/** What `exec` and `spawn` have in common: when they may begin, and that they are work of the run. */

import { checkName, EngineError } from "../base/index.js";
import { fqnIn, INTERNALS, isInHandler, type Scope } from "../contract/index.js";
import { declarationFailed, interruption } from "../handler/index.js";
import { type App, appOf } from "../run/index.js";
import { isTooLate, tooLate } from "../scope/index.js";

/** One call. */
export interface Work<T> {
  readonly scope: Scope;
  readonly method: "exec" | "spawn";
  readonly id: string;
  /** Throws where the call itself is wrong. */
  check(app: App): void;
  begin(app: App): Promise<T>;
  /** The phase `destroy` starts nothing. */
  absent(app: App): T;
}

/** Finalize waits for it, and whether or not the program looks at it, its failure fails the run. */
export function asWork<T>(work: Work<T>): Promise<T> {
  const { scope, method, id } = work;
  const app = appOf(scope);
  const { path } = scope[INTERNALS];
  const { generation } = app;
  const isInOwnHandler = isInHandler(app.root);
  // In the phase `destroy` nothing of it is recorded.
  const need = isInOwnHandler ? (app.options.phase === "destroy" ? "live" : "record") : "declare";
  if (isTooLate(app, need)) return Promise.reject(tooLate(scope, `${method}("${id}")`));
  const working = admitted(work, app, isInOwnHandler).catch((thrown: unknown) => {
    const safe = app.safe(thrown);
    const error = interruption(app, thrown) ?? declarationFailed(safe, fqnIn(scope, id));
    generation.fail(path, error);
    throw error;
  });
  generation.turns.keep(working);
  return working;
}

async function admitted<T>(work: Work<T>, app: App, isInOwnHandler: boolean): Promise<T> {
  checkName("id", work.id);
  work.check(app);
  await app.ready();
  const isForHandler = isInOwnHandler && work.method === "exec";
  if (!isForHandler) refuseEffects(work, app);
  if (app.options.phase === "destroy" && !isForHandler) return work.absent(app);
  await app.gate.pass();
  app.signal.throwIfAborted();
  return work.begin(app);
}

/** @throws EngineError `READ_ONLY` */
function refuseEffects({ scope, method, id }: Work<unknown>, { generation, options }: App): void {
  const where = generation.planner ? "a plan" : options.phase === "read" ? "the phase read" : undefined;
  if (where === undefined) return;
  const fqn = fqnIn(scope, id);
  const instead = method === "exec" ? "Command" : "Process";
  const message = `${method} of "${fqn}" is refused in ${where}, which changes nothing. Declare the resource ${instead} instead, of which a plan knows what it does, or run "up".`;
  throw new EngineError("READ_ONLY", message, { fqn });
}
