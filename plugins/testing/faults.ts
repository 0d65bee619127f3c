/** Injects faults into the handlers of resource types, for tests of failures. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { StateStore } from "../../core/contract/index.js";

/** A handler of a resource type. */
export type FaultyHandler = "create" | "read" | "plan" | "update" | "delete";

/** The call of a handler at which a fault happens. */
export interface FaultOptions {
  /** Number of the call, counted from now: 1 is the next one. Default: 1. */
  readonly call?: number;
}

/** The call of a handler that fails, and how. */
export interface FailureOptions extends FaultOptions {
  /** True: the handler does its work first, and fails then. Default: false. */
  readonly after?: boolean;
  /** The thrown value. Default: an error that names the test. */
  readonly error?: unknown;
}

/** The call of a handler at which the run is killed, and the step within that call. */
export interface KillOptions extends FaultOptions {
  /**
   * Number of calls on {@link FaultInjection.client | clients} that the handler has made: 0 for none, 1 for when the
   * first has taken effect, … If the handler makes fewer calls, nothing happens. Default: the handler has done
   * everything.
   */
  readonly step?: number;
}

/** Sets faults; each happens once. */
export interface FaultInjection {
  /** Makes a call of a handler throw, before its work or after it. */
  fail(kind: string, handler: FaultyHandler, options?: FailureOptions): void;
  /**
   * Kills the run when a call of a handler has taken effect and its result is not recorded, or between two of its
   * `step`s. The state records nothing that happens later, and no other handler starts. Running handlers continue to
   * their end, like the requests of a killed process, but make no further call on a client.
   */
  kill(kind: string, handler: Exclude<FaultyHandler, "read" | "plan">, options?: KillOptions): void;
  /**
   * Returns a client whose calls in a handler are steps: its methods, those of the objects in it, and the client itself
   * if it is a function. Pass it to the type under test instead of the original.
   */
  client<T extends object>(client: T): T;
  /** Removes all faults that have not happened. */
  clear(): void;
}

interface Fault {
  readonly at: string;
  /** Calls until the fault happens. */
  left: number;
}

interface Failure extends Fault {
  readonly after: boolean;
  readonly error: unknown;
}

interface Interruption extends Fault {
  readonly step: number;
}

/** The call of a handler. */
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
    this.#failures.add({ ...fault, error: error ?? new Error(`The test makes the ${fault.at} fail.`) });
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

  /** Returns true if the run must be killed after this call. */
  isFatal(kind: string, handler: FaultyHandler): boolean {
    return next(this.#kills, `${handler} of ${kind}`) !== undefined;
  }

  /** Calls a handler, with the fault that is due. */
  async around<T>(run: MortalRun, { kind, phase, fqn }: CalledHandler, call: () => Promise<T>): Promise<T> {
    const at = `${phase} of ${kind}`;
    const steps = new Steps(run, `the ${phase} of "${fqn}"`, next(this.#interruptions, at)?.step);
    const fault = next(this.#failures, at);
    const work = (): Promise<T> => this.#steps.run(steps, call);
    if (!fault) return work();
    // The fault replaces the outcome of the work.
    if (fault.after) await work().catch(() => {});
    throw fault.error;
  }
}

/** Counts a call, and returns the fault that is due. */
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

/** A run that faults can kill. */
export interface MortalRun {
  isDead(): boolean;
  /** @param when such as `after step 1 of the create of "test/test/a"` */
  die(when: string): void;
}

/** The steps of one call of a handler. */
class Steps {
  readonly #run: MortalRun;
  readonly #handler: string;
  readonly #last: number | undefined;
  #taken = 0;

  /**
   * @param handler such as `the create of "test/test/a"`
   * @param last the step after which the run is killed
   */
  constructor(run: MortalRun, handler: string, last: number | undefined) {
    this.#run = run;
    this.#handler = handler;
    this.#last = last;
  }

  take(call: () => unknown): unknown {
    // A killed process makes no calls.
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

/** @param step makes the call, or does not */
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
  // A copy, because a proxy of a frozen object cannot show other members.
  const holding = (target: object): object =>
    new Proxy(Object.create(target), {
      get: (_, name) => wrapped(Reflect.get(target, name), target),
      set: (_, name, value) => Reflect.set(target, name, value),
    });
  return wrapped(client, undefined) as T;
}

/** A client of a store that can die, like a client whose process is killed. */
interface MortalStore {
  readonly store: StateStore;
  /** From now on, no write through this client takes effect, and no call is answered. */
  die(): void;
}

/** Members of a store that write. */
export const WRITES: ReadonlySet<string | symbol> = new Set(["set", "deleteMany", "create", "append"]);

export function mortalStore(inner: StateStore): MortalStore {
  let isDead = false;
  const dead = (): Promise<never> => Promise.reject(new Error("The process that wrote this was killed."));
  // A copy, because a proxy of a frozen store cannot show other members.
  const store: StateStore = new Proxy(Object.create(inner), {
    get(_, name) {
      const member: unknown = Reflect.get(inner, name);
      if (typeof member !== "function") return member;
      if (!WRITES.has(name)) return member.bind(inner);
      return (...args: unknown[]): unknown => {
        if (isDead) return dead();
        const answer: unknown = Reflect.apply(member, inner, args);
        // A call that was running when the process died may have taken effect, but its answer is lost.
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
