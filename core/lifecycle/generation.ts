/** What one generation of declarations has declared, done and failed at: from `engine()` to `finalize()`. */
import { EngineError } from "../errors.js";
import type { PendingResource } from "../resource/pending.js";
import { DeferredQueue } from "../scope/deferred.js";
import { NOTHING_DONE, type RunSummary } from "../vocabulary.js";
import type { Contents } from "../state/change.js";
import { Placement } from "./positions.js";
import type { Landing } from "./task.js";

interface Declared {
  readonly pending: PendingResource<unknown>;
  /** Its `stack` says where it was declared. */
  readonly site: object;
  /** Path of the scope that it was declared in. */
  readonly path: string;
  readonly landing: Landing;
}

export interface Failure {
  /** Path of the scope that it failed. */
  readonly path: string;
  readonly error: unknown;
}

export class Generation {
  readonly deferred = new DeferredQueue();
  /** Resources whose handler ran to its end, by uid. */
  readonly handled = new Set<string>();
  readonly failures: Failure[] = [];
  readonly started = performance.now();
  /** Plugins and observers have been told how it went. */
  isReported = false;
  /** Set once the state is loaded. */
  placement = new Placement([]);
  /** In the phase `destroy`: what was recorded before it began. */
  before: Contents | undefined;
  readonly #declared = new Map<string, Declared>();
  readonly #unsettled = new Set<Declared>();
  readonly #counts = { ...NOTHING_DONE };

  /**
   * What was declared under a key before, where that is allowed.
   *
   * @throws EngineError `DUPLICATE_ID`, naming both places in the program
   */
  claim(key: string, fqn: string, site: object, reapply: boolean): PendingResource<unknown> | undefined {
    const earlier = this.#declared.get(key);
    if (!earlier || reapply) return earlier?.pending;
    throw new EngineError(
      "DUPLICATE_ID",
      `"${fqn}" is declared twice:\n  first ${placeOf(earlier.site)}\n  again ${placeOf(site)}\nGive one of them another id, or declare it in another scope.`,
      { fqn },
    );
  }

  add(key: string, declared: Declared): void {
    const { pending, landing } = declared;
    this.#declared.set(key, declared);
    this.#unsettled.add(declared);
    // The first to hear of it: the program sees the output only after this.
    const settled = (): void => {
      this.#unsettled.delete(declared);
      landing.settle?.(this.placement);
    };
    pending.then(settled, settled);
  }

  isDeclared(key: string): boolean {
    return this.#declared.has(key);
  }

  /** A destroyed resource may be declared again. */
  withdraw(key: string): void {
    this.#declared.delete(key);
  }

  count(what: keyof RunSummary): void {
    this.#counts[what]++;
  }

  get summary(): RunSummary {
    return { ...this.#counts };
  }

  fail(path: string, error: unknown): void {
    if (this.failures.every((failure) => failure.error !== error)) this.failures.push({ path, error });
  }

  hasFailed(isBelow: (path: string) => boolean): boolean {
    return this.failures.some(({ path }) => isBelow(path));
  }

  /** Resolves when everything declared below a path, also meanwhile, has settled one way or the other. */
  async settled(isBelow: (path: string) => boolean): Promise<void> {
    for (;;) {
      const waiting = [...this.#unsettled].filter(({ path }) => isBelow(path));
      if (waiting.length === 0) return;
      await Promise.allSettled(waiting.map(({ pending }) => pending));
    }
  }
}

/** `at file:line:column` */
function placeOf(site: object): string {
  const stack: unknown = Reflect.get(site, "stack");
  return typeof stack === "string" ? (stack.split("\n").at(-1) ?? "").trim() : "somewhere";
}
