/** Warnings that say the same of many resources, emitted as one: after a killed run, many creates may be repeated. */

import { type Cancel, platform } from "../base/index.js";
import type { EventBus } from "../contract/index.js";

/** The most resources that a warning names. */
const NAMED = 5;

export interface FoldedWarning {
  readonly code: string;
  readonly fqn: string;
  /** The whole message, where it is the only one. */
  readonly one: string;
  /** The message for several; warnings with the same one are emitted as one. */
  several(count: number): string;
}

export class FoldedWarnings {
  readonly #waiting = new Map<string, [FoldedWarning, ...FoldedWarning[]]>();
  #scheduled: Cancel | undefined;

  /** Emitted in the next turn of the event loop, together with those of what was declared at the same time. */
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
  if (more > 0) return `These are ${names.join(", ")} and ${more} more.`;
  return `These are ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}
