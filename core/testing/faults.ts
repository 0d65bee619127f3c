/** Faults in the handlers of resource types, set by a test, for what happens when things go wrong. */

/** A handler of a resource type, by what it is for. */
export type FaultyHandler = "create" | "read" | "update" | "delete";

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

/** Sets faults; each happens once. */
export interface FaultInjection {
  /**
   * The definition of a resource type, in either form, with handlers that fail where `fail` says so. It counts as the
   * same definition, so the kind may be defined with and without faults.
   *
   * @example
   * ```ts
   * const Mailbox = Resource("demo:Mailbox", app.faults.inject("demo:Mailbox", mailbox));
   * ```
   */
  inject<D extends object>(kind: string, definition: D): D;
  /** Lets a call of a handler throw. The kind must be defined with `inject`. */
  fail(kind: string, handler: FaultyHandler, options?: FailureOptions): void;
  /**
   * Kills the run when a call of a handler has taken effect and its result is not recorded. Nothing that happens later is
   * recorded either, and no other handler starts; those that run go on to their end, as requests do that a killed
   * process has sent. Works for every kind, injected or not.
   */
  kill(kind: string, handler: Exclude<FaultyHandler, "read">, options?: FaultOptions): void;
  /** Takes back all faults that have not happened. */
  clear(): void;
}

interface Fault {
  readonly at: string;
  /** Calls until it happens. */
  left: number;
  readonly after: boolean;
  readonly error: unknown;
}

const HANDLERS = ["create", "read", "update", "delete"] as const;

export class Faults implements FaultInjection {
  readonly #failures = new Set<Fault>();
  readonly #kills = new Set<Fault>();

  inject<D extends object>(kind: string, definition: D): D {
    if (typeof definition === "function") return this.#injectFunction(kind, definition);
    const instead: PropertyDescriptorMap = {};
    for (const handler of HANDLERS) {
      const work: unknown = Reflect.get(definition, handler);
      if (typeof work === "function") instead[handler] = { value: this.#wrapped(kind, handler, work) };
    }
    const local: unknown = Reflect.get(definition, "local");
    if (typeof local === "object" && local !== null) instead.local = { value: this.inject(kind, local) };
    return Object.create(definition, instead);
  }

  fail(kind: string, handler: FaultyHandler, { call = 1, after = false, error }: FailureOptions = {}): void {
    const fault = { at: `${handler} of ${kind}`, left: call, after };
    this.#failures.add({ ...fault, error: error ?? new Error(`The test lets the ${fault.at} fail.`) });
  }

  kill(kind: string, handler: Exclude<FaultyHandler, "read">, { call = 1 }: FaultOptions = {}): void {
    this.#kills.add({ at: `${handler} of ${kind}`, left: call, after: true, error: undefined });
  }

  clear(): void {
    this.#failures.clear();
    this.#kills.clear();
  }

  /** True where the run is to be killed after this call. */
  isFatal(kind: string, handler: FaultyHandler): boolean {
    return next(this.#kills, `${handler} of ${kind}`) !== undefined;
  }

  #injectFunction<F extends object>(kind: string, definition: F): F {
    return new Proxy(definition, {
      apply: (work, self: { readonly phase: FaultyHandler }, args: unknown[]) =>
        this.#call(`${self.phase} of ${kind}`, () => call(work, self, args)),
      // Two definitions of one kind are compared by their text.
      get: (work, name) => (name === "toString" ? () => String(work) : Reflect.get(work, name)),
    });
  }

  #wrapped(kind: string, handler: FaultyHandler, work: object): object {
    const faults = this;
    function wrapped(this: unknown, ...args: unknown[]): unknown {
      return faults.#call(`${handler} of ${kind}`, () => call(work, this, args));
    }
    return Object.assign(wrapped, { toString: () => String(work) });
  }

  #call(at: string, work: () => unknown): unknown {
    const fault = next(this.#failures, at);
    if (!fault) return work();
    if (!fault.after) throw fault.error;
    return failAfter(work, fault.error);
  }
}

/** Whatever the work came to: a handler may also end by throwing, as `this.destroy()` does. */
async function failAfter(work: () => unknown, error: unknown): Promise<never> {
  await Promise.resolve()
    .then(work)
    .catch(() => {});
  throw error;
}

function call(work: object, self: unknown, args: readonly unknown[]): unknown {
  return typeof work === "function" ? Reflect.apply(work, self, args) : undefined;
}

/** Counts a call; gives the fault that happens at it. */
function next(faults: Set<Fault>, at: string): Fault | undefined {
  let due: Fault | undefined;
  for (const fault of faults) {
    if (fault.at !== at) continue;
    fault.left -= 1;
    if (fault.left > 0) continue;
    faults.delete(fault);
    due ??= fault;
  }
  return due;
}
