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
  /** Lets a call of a handler throw, before its work or after it. */
  fail(kind: string, handler: FaultyHandler, options?: FailureOptions): void;
  /**
   * Kills the run when a call of a handler has taken effect and its result is not recorded. Nothing that happens later is
   * recorded either, and no other handler starts; those that run go on to their end, as requests do that a killed
   * process has sent.
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

export class Faults implements FaultInjection {
  readonly #failures = new Set<Fault>();
  readonly #kills = new Set<Fault>();

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

  /** The call of a handler, with the fault that is due at it. */
  around(kind: string, handler: FaultyHandler, call: () => Promise<unknown>): () => Promise<unknown> {
    return async () => {
      const fault = next(this.#failures, `${handler} of ${kind}`);
      if (!fault) return call();
      // Whatever the work comes to.
      if (fault.after) await call().catch(() => {});
      throw fault.error;
    };
  }
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
