/** The outputs that a stage offers to others: one value, recorded as a whole. */

import { types } from "node:util";
import { EngineError, ignore, isEngineError, messageOf } from "../base/index.js";
import {
  canonical,
  isPlainObject,
  maxDepth,
  type Path,
  readablePath,
  resolveInputs,
  type ValueLocation,
} from "../codec/index.js";
import { type Encoded, isPendingResource, outputsOwner, type PendingResource, type Scope } from "../contract/index.js";
import { type App, appOf, isTooLate, type Run, tooLate } from "../run/index.js";

/** The only key of its owner; paths in messages begin with it. */
const KEY = "outputs";

/** Returns undefined if the app offers no outputs. */
export function readOutputs({ ledger }: App): Encoded | undefined {
  return ledger.readData(outputsOwner, KEY);
}

/** Returns the location of the outputs in the state. */
export function outputsLocation({ root }: App): ValueLocation {
  return { scope: root, fqn: root.chain.join("/"), owner: outputsOwner, slot: "data", key: KEY };
}

export function setOutputs(scope: Scope, value: unknown): Promise<void> {
  const app = appOf(scope);
  if (scope.parent) return Promise.reject(notTheApp(scope));
  if (app.options.phase !== "up") {
    // No other code handles rejections of its promises.
    silence(value);
    return app.ready();
  }
  if (isTooLate(app, "record")) return Promise.reject(tooLate(scope, "outputs()"));
  return new Offer(app, value).given;
}

function notTheApp({ chain, name }: Scope): EngineError {
  return new EngineError(
    "INVALID_CALL",
    `Only an app has outputs, and "${chain.join("/")}" is a child scope. Call outputs() on the scope that engine() returned, or on Scope.root, e.g. app.outputs({ ${JSON.stringify(name)}: … }).`,
    { fqn: chain.join("/") },
  );
}

/** The last offer of each run. Earlier ones do not count any more, recorded or not. */
const last = new WeakMap<Run, Offer>();

/** One call of `outputs()`. */
class Offer {
  /**
   * Settles with the offer. A failure that the run has noted does not end the process, even if the program never awaits
   * it.
   */
  readonly given: Promise<void>;
  readonly #app: App;
  readonly #run: Run;
  readonly #working: Promise<void>;
  /** The promises that it waits for. */
  #inputs: ReadonlySet<object> = new Set();
  /** Called once when these promises have changed. */
  readonly #watchers: (() => void)[] = [];
  #isReported = false;

  constructor(app: App, value: unknown) {
    this.#app = app;
    this.#run = app.run;
    last.set(this.#run, this);
    this.#working = this.#record(value);
    this.given = this.#working.then();
    this.#working.catch(() => {
      if (this.#isReported) this.given.catch(ignore);
    });
    this.#run.ongoing.keep(this.#working, () => this.#rest());
  }

  async #record(value: unknown): Promise<void> {
    try {
      const found = this.#resolve(value);
      // Without promises, the value is encoded at once, because the program may change it.
      const whole = found instanceof Promise ? await found.catch((error) => this.#refuse(value, error)) : found;
      const [encoded] = await Promise.all([this.#encode(whole), this.#app.ready()]);
      await this.#put(encoded);
    } catch (thrown) {
      throw this.#failed(thrown);
    }
  }

  /** Returns the value without promises, or a promise of it. */
  #resolve(value: unknown): unknown {
    try {
      return resolveInputs(value, {
        seen: ignore,
        waiting: (promises) => {
          this.#inputs = promises;
          for (const changed of this.#watchers.splice(0)) changed();
        },
      });
    } catch {
      // A getter of the program threw; the codec meets it as well, and names it.
      return value;
    }
  }

  async #encode(value: unknown): Promise<Encoded | undefined> {
    if (value === undefined) return undefined;
    try {
      return await encode(this.#app, value);
    } catch (cause) {
      throw unusable(this.#app, messageOf(cause), cause, "UNSERIALIZABLE");
    }
  }

  #put(value: Encoded | undefined): Promise<void> | undefined {
    const app = this.#app;
    if (last.get(this.#run) !== this) return undefined;
    if (this.#run.progress.isRecordClosed) throw tooLate(app.root, "outputs()");
    const before = readOutputs(app);
    const change = { op: "data", owner: outputsOwner, key: KEY } as const;
    if (value === undefined) return before === undefined ? undefined : app.record([change]);
    if (before !== undefined && canonical(before) === canonical(value)) return undefined;
    return app.record([{ ...change, value }]);
  }

  /** Names the promise that rejected. */
  async #refuse(value: unknown, cause: unknown): Promise<never> {
    const path = await rejectedPath(value, cause);
    const where = path === undefined ? "a promise in them" : `the promise at ${path}`;
    throw unusable(this.#app, `${where} rejected: ${messageOf(cause)}`, cause, "INVALID_CALL");
  }

  /** Fails the run, like a declaration that failed. */
  #failed(thrown: unknown): unknown {
    const run = this.#run;
    const error = this.#app.safe(thrown);
    if (run.progress.isRecordClosed) return error;
    this.#isReported = true;
    // A promise that it waited for may have failed the run already.
    const isKnown = error instanceof Error && run.failures.some((failure) => failure.error === error.cause);
    if (!isKnown) run.fail("", error);
    return error;
  }

  /** Deferred functions run after all else has settled, so an offer that waits only for them is not awaited. */
  #rest(): Promise<unknown> | undefined {
    const inputs = [...this.#inputs];
    if (inputs.length === 0) return this.#working;
    const { deferred, waits } = this.#run;
    const busy = inputs.filter((input) => this.#isOwn(input)).filter((one) => !waits.isDeferred(one));
    if (busy.length > 0) return Promise.race([this.#working, Promise.all(busy.map((one) => waits.rest(one)))]);
    if (inputs.every((input) => this.#isOwn(input) || deferred.isAhead(input))) return undefined;
    return new Promise<void>((changed) => this.#watchers.push(changed));
  }

  #isOwn(input: object): input is PendingResource<unknown> {
    return isPendingResource(input) && appOf(input.scope) === this.#app;
  }
}

function encode(app: App, value: unknown): Encoded | Promise<Encoded> {
  // Called when a plugin has its key; the state is loaded by then.
  const before = (): readonly (Encoded | undefined)[] => (app.isReady ? [readOutputs(app)] : []);
  return app.codec.encode(value, { ...outputsLocation(app), before });
}

function unusable({ root, safe }: App, why: string, cause: unknown, code: EngineError["code"]): EngineError {
  const fqn = root.chain.join("/");
  const kept = isEngineError(cause) ? cause.code : code;
  return safe(new EngineError(kept, `The outputs of "${fqn}": ${why}`, { fqn, cause }));
}

// Finds the native promises in a value. Others are left alone: a lazy one would begin its work when its `then` is
// called.

const NOT_YET = Symbol("not yet");

const FOUND = Symbol("found");

/** Keeps the promises in a value, and in their results, from ending the process when they reject. */
function silence(value: unknown): void {
  try {
    for (const { promise } of promisesIn(value, [], new Set())) promise.then(silence, ignore);
  } catch {
    // A getter of the program threw: its value does not matter here.
  }
}

/** Returns the path, e.g. `$.hosts[2]`, of the first promise in a value that has rejected with `reason`. */
async function rejectedPath(value: unknown, reason: unknown): Promise<string | undefined> {
  const path = await find(value, reason, [], new Set());
  return path && readablePath(path);
}

async function find(value: unknown, reason: unknown, start: Path, met: Set<object>): Promise<Path | undefined> {
  for (const { promise, path } of promisesIn(value, start, met)) {
    const compare = (error: unknown): symbol => (error === reason ? FOUND : NOT_YET);
    const result = await Promise.race([promise, NOT_YET]).catch(compare);
    if (result === FOUND) return path;
    const inside = result === NOT_YET ? undefined : await find(result, reason, path, met);
    if (inside) return inside;
  }
  return undefined;
}

interface FoundPromise {
  readonly promise: Promise<unknown>;
  readonly path: Path;
}

/**
 * Finds promises, as deep as a value can be recorded.
 *
 * @param met objects on the way, each of which is visited once
 */
function* promisesIn(value: unknown, path: Path, met: Set<object>): Generator<FoundPromise> {
  if (typeof value !== "object" || value === null || met.has(value) || path.length > maxDepth) return;
  met.add(value);
  if (types.isPromise(value)) yield { promise: value, path };
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* promisesIn(one, [...path, index], met);
  else if (isPlainObject(value))
    for (const key of Object.keys(value)) yield* promisesIn(value[key], [...path, key], met);
}
