/** Who does what the methods of a scope name. */
import { checkName, EngineError, RunFailedError } from "../base/index.js";
import {
  formerKeysIn,
  INTERNALS,
  keyIn,
  type ResourceRecord,
  type Scope,
  type ScopeMethods,
} from "../contract/index.js";
import { appOf } from "../run/index.js";
import { addCleanup, deferIn, deleteData, getData, homeOf, runScope, setData, setOutputs } from "../scope/index.js";

/** @param more methods of plugins */
export function scopeMethods(more: Partial<ScopeMethods> | undefined): ScopeMethods {
  return more ? { ...OWN, ...more } : OWN;
}

const OWN: ScopeMethods = Object.freeze<ScopeMethods>({
  has: hasOutput,
  get: (scope, key) => getData(homeOf(scope), key),
  set: (scope, key, value) => setData(homeOf(scope), key, value),
  delete: (scope, key) => deleteData(homeOf(scope), key),
  outputs: setOutputs,
  run: runScope,
  defer: deferIn,
  exec: (scope) => missing(scope, "exec"),
  spawn: (scope) => missing(scope, "spawn"),
  openTunnel: (scope) => missing(scope, "openTunnel"),
  onCleanup: addCleanup,
  dispose: disposeScope,
});

/** Core has no processes and no network. */
async function missing(scope: Scope, method: string): Promise<never> {
  throw new EngineError("INVALID_CALL", `"${scope.chain.join("/")}" is of an engine without ${method}().`);
}

/** True when an output is recorded for `id` in a scope, and is of kind `type` where one is given. */
async function hasOutput(scope: Scope, id: string, type?: string): Promise<boolean> {
  const app = appOf(scope);
  checkName("id", id);
  await app.ready();
  const keys = [keyIn(scope, id), ...formerKeysIn(scope, id)];
  const record = keys.reduce<ResourceRecord | undefined>((found, key) => found ?? app.ledger.read(key), undefined);
  return record?.output !== undefined && (type === undefined || record.kind === type);
}

/** The end of an `await using`: nothing is pruned by it. */
async function disposeScope(scope: Scope): Promise<void> {
  if (!scope.parent) return scope[INTERNALS].app.dispose();
  try {
    await scope.finalize();
  } catch (error) {
    // It fails the root's finalize as well; here it would hide an error that is on its way.
    if (!(error instanceof RunFailedError)) throw error;
  }
}
