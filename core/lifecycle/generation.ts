/** What one generation of declarations has declared, done and failed at: from `engine()` to `finalize()`. */
import { EngineError } from "../errors.js";
import type { PendingResource } from "../resource/pending.js";
import { DeferredQueue } from "../scope/deferred.js";
import { NOTHING_DONE, type RunSummary } from "../vocabulary.js";
import type { Contents } from "../state/change.js";
import { Placement } from "./positions.js";

interface Declared {
  readonly pending: PendingResource<unknown>;
  /** Its stack says where it was declared. */
  readonly site: Error | undefined;
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
  readonly #unsettled = new Map<PendingResource<unknown>, string>();
  readonly #counts = { ...NOTHING_DONE };

  /** Remembers a declaration. @throws EngineError `DUPLICATE_ID`, naming both places in the program */
  claim(key: string, fqn: string, reapply: boolean): { readonly before: Promise<unknown> | undefined } {
    const earlier = this.#declared.get(key);
    if (!earlier) return { before: undefined };
    if (reapply) return { before: earlier.pending };
    throw new EngineError(
      "DUPLICATE_ID",
      `"${fqn}" is declared twice:\n  first ${callSite(earlier.site)}\n  again ${callSite(captureSite())}\nGive one of them another id, or declare it in another scope.`,
      { fqn },
    );
  }

  add(key: string, path: string, pending: PendingResource<unknown>): void {
    this.#declared.set(key, { pending, site: captureSite() });
    this.#unsettled.set(pending, path);
    const settled = (): void => {
      this.#unsettled.delete(pending);
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
      const waiting = [...this.#unsettled].filter(([, path]) => isBelow(path)).map(([pending]) => pending);
      if (waiting.length === 0) return;
      await Promise.allSettled(waiting);
    }
  }
}

/** Frames of the engine that stand above the program's own in a stack. */
const OWN_FRAMES = 8;

function captureSite(): Error | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = OWN_FRAMES;
  try {
    return new Error("declared");
  } finally {
    Error.stackTraceLimit = before;
  }
}

const HERE = new URL("..", import.meta.url).pathname;

/** `at file:line:column` of the first frame outside the engine. */
function callSite(site: Error | undefined): string {
  const frames = site?.stack?.split("\n").slice(1) ?? [];
  return (frames.find((frame) => !frame.includes(HERE)) ?? frames.at(-1) ?? "somewhere").trim();
}
