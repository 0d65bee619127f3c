/**
 * Events about every resource. Member by member: an object that is copied and then added to, and frozen after that, is of a kind
 * of its own, and takes five times as long to make and to read.
 */
import { type Action, type Cancel, platform, type ResourceRef, RunFailedError } from "../base/index.js";
import { safePath } from "../codec/index.js";
import {
  type DefinedHandlers,
  type Encoded,
  type EventBus,
  folderOf,
  type Position,
  type ResourceRecord,
} from "../contract/index.js";
import type { Change } from "../state/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";

type Finished = "resource:created" | "resource:updated" | "resource:replaced" | "resource:adopted" | "resource:deleted";

type Times = Pick<Admission, "waited" | "duration">;

/** In a plan nothing waits. */
export function emitQueued(app: App, { kind, id, fqn, quiet }: ResourceRef, action: Action): void {
  const { events } = app.generation.performer;
  events.emit("resource:queued", quiet ? { kind, id, fqn, quiet, action } : { kind, id, fqn, action });
}

export function emitStarted(app: App, ref: ResourceRef, action: Action, { waited }: Times): void {
  const { kind, id, fqn, quiet } = ref;
  const event = quiet ? { kind, id, fqn, quiet, action, waited } : { kind, id, fqn, action, waited };
  app.events.emit("resource:started", event);
}

export function emitFinished(app: App, name: Finished, ref: ResourceRef, { duration, waited }: Times): void {
  const { kind, id, fqn, quiet } = ref;
  app.events.emit(name, quiet ? { kind, id, fqn, quiet, duration, waited } : { kind, id, fqn, duration, waited });
}

export function emitSkipped(app: App, { kind, id, fqn, quiet }: ResourceRef): void {
  app.events.emit("resource:skipped", quiet ? { kind, id, fqn, quiet } : { kind, id, fqn });
}

/** @param paths of the output, as JSON Pointers; undefined: it is gone */
export function emitDrift(app: App, ref: ResourceRef, paths: readonly string[] | undefined): void {
  const shown = (paths ?? []).map((path) => safePath(path, app.redact));
  app.events.emit("resource:drifted", { ...ref, gone: paths === undefined, paths: shown });
}

/** A ledger that can write no more ends the run by itself; the error at hand says more about the resource. */
export async function tryToRecord(app: App, changes: readonly Change[]): Promise<void> {
  await app.record(changes)?.catch(() => {});
}

// Resources whose handlers have succeeded while something that they declared or deferred is left to do. Until that is
// done they are recorded as being updated: else a run that ends before would leave a resource that looks finished,
// whose handler is not called again, and with it the parts that only this handler can bring.

/** True where a handler has succeeded and part of what it declared is left to do. False for a type without update: no later call could do it. */
export function isPartial({ generation }: App, key: string, { update }: Pick<DefinedHandlers, "update">): boolean {
  return update !== undefined && !generation.isWhole(key);
}

/** @param done absent if it has not resolved to the program, and was found to be its own */
export function partlyDone({ uid, props, claim }: ResourceRecord, output: Encoded, done?: Position): Change {
  const known = { status: "updating", output, attempt: 0, lastGood: { props } } as const;
  const set = done ? { ...known, done } : ({ ...known, claim: "own" } as const);
  return { op: "patch", uid, set, unset: done && claim !== undefined ? ["error", "claim"] : ["error"] };
}

/** Records as settled what has become whole; to be called when all below a path has settled. */
export async function settlePartial(app: App, isBelow: (path: string) => boolean): Promise<void> {
  const { generation, ledger } = app;
  const mine = [...generation.partial].filter(([key]) => isBelow(folderOf(key)));
  const changes: Change[] = [];
  // Children first: their keys are longer.
  for (const [key, uid] of mine.sort(([one], [other]) => other.length - one.length)) {
    if (!generation.isWhole(key)) continue;
    generation.partial.delete(key);
    const record = ledger.contents.at(key);
    if (record?.uid !== uid || record.status !== "updating") continue;
    changes.push({ op: "patch", uid, set: { status: "ready" }, unset: ["lastGood", "since"] });
  }
  if (changes.length > 0) await app.record(changes);
}

/** What has failed the scopes of a run. */
export interface Failure {
  readonly error: unknown;
  /** Paths of the scopes that it failed. */
  readonly paths: Set<string>;
  /** Key of the resource in whose handler it was, and nowhere else; undefined for what the program did itself. */
  home: string | undefined;
}

export class Failures {
  readonly #all = new Map<unknown, Failure>();
  /** Homes of the failures that have one. */
  readonly #homes = new Set<string>();

  /** Each of several errors by itself. True where any of it is new. */
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

  /** The handler runs again: what failed in its last call counts for nothing, as long as it does not fail this time. */
  forget(home: string): void {
    if (!this.#homes.delete(home)) return;
    for (const [error, failure] of this.#all) if (failure.home === home) this.#all.delete(error);
  }
}

/** The errors that another one only carries. */
function partsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError || error instanceof RunFailedError ? error.errors : [];
}

/** The most resources that a warning names. */
const NAMED = 5;

interface FoldedWarning {
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
