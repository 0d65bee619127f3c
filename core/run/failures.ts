/** The failures of a run, and its warnings, with several of one kind folded into one. */
import { type Cancel, platform, RunFailedError } from "../base/index.js";
import type { EventBus } from "../contract/index.js";

/** A failure of one or more scopes of a run. */
export interface Failure {
  readonly error: unknown;
  /** Paths of the scopes that it failed. */
  readonly paths: Set<string>;
  /** Key of the only resource in whose handler it occurred; undefined if it occurred in the program itself. */
  home: string | undefined;
}

export class Failures {
  readonly #all = new Map<unknown, Failure>();
  /** Homes of the failures that have one. */
  readonly #homes = new Set<string>();

  /** Adds each of several errors separately. Returns true if any of them is new. */
  add(path: string, error: unknown, home: string | undefined): boolean {
    const parts = partsOf(error);
    if (parts.length > 0) return parts.filter((part) => this.add(path, part, home)).length > 0;
    const known = this.#all.get(error);
    if (home !== undefined) this.#homes.add(home);
    if (!known) this.#all.set(error, { error, paths: new Set([path]), home });
    else {
      known.paths.add(path);
      if (known.home !== home) known.home = undefined;
    }
    return !known;
  }

  get all(): readonly Failure[] {
    return [...this.#all.values()];
  }

  /** Removes the failures of a handler's last call, because the handler runs again. */
  forget(home: string): void {
    if (!this.#homes.delete(home)) return;
    for (const [error, failure] of this.#all) if (failure.home === home) this.#all.delete(error);
  }
}

/** Returns the errors that another one only carries. */
function partsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError || error instanceof RunFailedError ? error.errors : [];
}

/** Maximum number of resources that a warning names. */
const NAMED = 5;

interface FoldedWarning {
  readonly code: string;
  readonly fqn: string;
  /** The whole message if it is the only one. */
  readonly one: string;
  /** The message for several; warnings with the same text are emitted as one. */
  several(count: number): string;
}

export class FoldedWarnings {
  readonly #waiting = new Map<string, [FoldedWarning, ...FoldedWarning[]]>();
  #scheduled: Cancel | undefined;

  /** Emits a warning in the next turn of the event loop, together with those of resources declared at the same time. */
  add(events: EventBus, warning: FoldedWarning): void {
    const key = `${warning.code} ${warning.several(0)}`;
    const alike = this.#waiting.get(key);
    if (alike) alike.push(warning);
    else this.#waiting.set(key, [warning]);
    this.#scheduled ??= platform().nextTurn(() => this.emit(events));
  }

  emit(events: EventBus): void {
    this.#scheduled?.();
    this.#scheduled = undefined;
    const groups = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const group of groups) {
      const [{ code, fqn, one, several }] = group;
      const fqns = group.map((warning) => warning.fqn);
      if (fqns.length === 1) events.warn(code, one, fqn);
      else events.emit("warning", { code, message: `${several(fqns.length)} ${namesOf(fqns)}`, fqns });
    }
  }
}

function namesOf(fqns: readonly string[]): string {
  const names = fqns.slice(0, NAMED).map((fqn) => `"${fqn}"`);
  const more = fqns.length - NAMED;
  if (more > 0) return `Resources: ${names.join(", ")} and ${more} more.`;
  return `Resources: ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}
