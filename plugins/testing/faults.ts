/** Faults in the handlers of resource types, set by a test, for what happens when things go wrong. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { StateStore } from "../../core/contract/index.js";

/** A handler of a resource type, by what it is for. */
export type FaultyHandler = "create" | "read" | "plan" | "update" | "delete";

/** At which call of a handler something happens. */
export interface FaultOptions {
  /** Which call of the handler, from 1 for the next one on. Default: 1. */
  readonly call?: number;
}

/** Which call of a handler fails, and how. */
export interface FailureOptions extends FaultOptions {
  /** True: the handler does its work first, so that what it failed at is there. Default: false. */
  readonly after?: boolean;
  /** What is thrown. Default: an error that says so. */
  readonly error?: unknown;
}

/** At which call of a handler the run is killed, and how far that call has come. */
export interface KillOptions extends FaultOptions {
  /**
   * How many calls on {@link FaultInjection.client | clients} the handler has made: 0 for none, 1 for when the first has taken effect, …
   * Where it makes fewer, nothing happens. Default: the handler has done all.
   */
  readonly step?: number;
}

/** Sets faults; each happens once. */
export interface FaultInjection {
  /** Lets a call of a handler throw, before its work or after it. */
  fail(kind: string, handler: FaultyHandler, options?: FailureOptions): void;
  /**
   * Kills the run when a call of a handler has taken effect and its result is not recorded, or between two of its `step`s. Nothing
   * that happens later is recorded either, and no other handler starts; those that run go on to their end, as requests do that a
   * killed process has sent, but make no further call on a client.
   */
  kill(kind: string, handler: Exclude<FaultyHandler, "read" | "plan">, options?: KillOptions): void;
  /**
   * The same client, each of whose calls in a handler is a step: methods, those of the objects that it holds, and the client itself
   * where it is a function. Give it to the type under test in place of the other one.
   */
  client<T extends object>(client: T): T;
  /** Takes back all faults that have not happened. */
  clear(): void;
}

interface Fault {
  readonly at: string;
  /** Calls until it happens. */
  left: number;
}

interface Failure extends Fault {
  readonly after: boolean;
  readonly error: unknown;
}

interface Interruption extends Fault {
  readonly step: number;
}

/** Which call of a handler it is about. */
interface CalledHandler {
  readonly kind: string;
  readonly phase: FaultyHandler;
  readonly fqn: string;
}

export class Faults implements FaultInjection {
  readonly #failures = new Set<Failure>();
  readonly #kills = new Set<Fault>();
  readonly #interruptions = new Set<Interruption>();
  readonly #steps = new AsyncLocalStorage<Steps>();

  fail(kind: string, handler: FaultyHandler, { call = 1, after = false, error }: FailureOptions = {}): void {
    const fault = { at: `${handler} of ${kind}`, left: call, after };
    this.#failures.add({ ...fault, error: error ?? new Error(`The test lets the ${fault.at} fail.`) });
  }

  kill(kind: string, handler: Exclude<FaultyHandler, "read" | "plan">, { call = 1, step }: KillOptions = {}): void {
    const fault = { at: `${handler} of ${kind}`, left: call };
    if (step === undefined) this.#kills.add(fault);
    else this.#interruptions.add({ ...fault, step });
  }

  client<T extends object>(client: T): T {
    return steppingClient(client, (call) => {
      const steps = this.#steps.getStore();
      return steps ? steps.take(call) : call();
    });
  }

  clear(): void {
    this.#failures.clear();
    this.#kills.clear();
    this.#interruptions.clear();
  }

  /** True where the run is to be killed after this call. */
  isFatal(kind: string, handler: FaultyHandler): boolean {
    return next(this.#kills, `${handler} of ${kind}`) !== undefined;
  }

  /** The call of a handler, with the fault that is due at it. */
  async around<T>(run: MortalRun, { kind, phase, fqn }: CalledHandler, call: () => Promise<T>): Promise<T> {
    const at = `${phase} of ${kind}`;
    const steps = new Steps(run, `the ${phase} of "${fqn}"`, next(this.#interruptions, at)?.step);
    const fault = next(this.#failures, at);
    const work = (): Promise<T> => this.#steps.run(steps, call);
    if (!fault) return work();
    // Whatever the work comes to.
    if (fault.after) await work().catch(() => {});
    throw fault.error;
  }
}

/** Counts a call; gives the fault that happens at it. */
function next<F extends Fault>(faults: Set<F>, at: string): F | undefined {
  let due: F | undefined;
  for (const fault of faults) {
    if (fault.at !== at) continue;
    fault.left -= 1;
    if (fault.left > 0) continue;
    faults.delete(fault);
    due ??= fault;
  }
  return due;
}

/** A run as faults see it. */
export interface MortalRun {
  isDead(): boolean;
  /** @param when such as `after step 1 of the create of "test/test/a"` */
  die(when: string): void;
}

/** Those of one call of a handler. */
class Steps {
  readonly #run: MortalRun;
  readonly #handler: string;
  readonly #last: number | undefined;
  #taken = 0;

  /** @param handler such as `the create of "test/test/a"`. @param last after which the run is killed */
  constructor(run: MortalRun, handler: string, last: number | undefined) {
    this.#run = run;
    this.#handler = handler;
    this.#last = last;
  }

  take(call: () => unknown): unknown {
    // A killed process calls nothing.
    if (this.#run.isDead()) throw dead();
    if (this.#last === 0) this.#die();
    const answer = call();
    this.#taken += 1;
    if (this.#taken !== this.#last) return answer;
    if (!(answer instanceof Promise)) this.#die();
    const die = (): never => this.#die();
    return answer.then(die, die);
  }

  #die(): never {
    const when = this.#taken === 0 ? "before the first step" : `after step ${this.#taken}`;
    this.#run.die(`${when} of ${this.#handler}`);
    throw dead();
  }
}

function dead(): Error {
  return new Error("The process that called this was killed.");
}

/** @param step makes a call, or does not */
function steppingClient<T extends object>(client: T, step: (call: () => unknown) => unknown): T {
  const known = new WeakMap<object, object>();
  const wrapped = (member: unknown, owner: object | undefined): unknown => {
    if (typeof member === "function") {
      return new Proxy(member, { apply: (target, _, args) => step(() => Reflect.apply(target, owner, args)) });
    }
    if (typeof member !== "object" || member === null || member instanceof Promise) return member;
    const made = known.get(member) ?? holding(member);
    known.set(member, made);
    return made;
  };
  // Not the object itself: of one that is frozen a proxy could show no other members.
  const holding = (target: object): object =>
    new Proxy(Object.create(target), {
      get: (_, name) => wrapped(Reflect.get(target, name), target),
      set: (_, name, value) => Reflect.set(target, name, value),
    });
  return wrapped(client, undefined) as T;
}

/** A client of a store that can die, as a client does with its process. */
interface MortalStore {
  readonly store: StateStore;
  /** From now on nothing that is written through this client takes effect, and nothing is answered. */
  die(): void;
}

/** Members of a store that change what is in it. */
export const WRITES: ReadonlySet<string | symbol> = new Set(["set", "deleteMany", "create", "append"]);

export function mortalStore(inner: StateStore): MortalStore {
  let isDead = false;
  const dead = (): Promise<never> => Promise.reject(new Error("The process that wrote this was killed."));
  // Not the store itself: of one that is frozen a proxy could show no other members.
  const store: StateStore = new Proxy(Object.create(inner), {
    get(_, name) {
      const member: unknown = Reflect.get(inner, name);
      if (typeof member !== "function") return member;
      if (!WRITES.has(name)) return member.bind(inner);
      return (...args: unknown[]): unknown => {
        if (isDead) return dead();
        const answer: unknown = Reflect.apply(member, inner, args);
        // What was under way when the process died may have taken effect; nobody will ever hear of it.
        return answer instanceof Promise ? answer.then((value) => (isDead ? dead() : value)) : answer;
      };
    },
  });
  return {
    store,
    die: () => {
      isDead = true;
    },
  };
}
