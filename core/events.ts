/** The event table and its guarded bus: observers hear, and can neither change, delay nor fail a run. */
import mitt, { type Emitter } from "mitt";
import type { Action, Phase, ResourceRef, RunSummary } from "./vocabulary.js";

interface Finished extends ResourceRef {
  /** Milliseconds from the intent to the result. */
  readonly duration: number;
}

/** Payloads are plain, serialisable, and never hold props, outputs or secrets. */
export interface EngineEvents {
  "run:started": { readonly app: string; readonly stage: string; readonly phase: Phase };
  "run:finished": {
    readonly app: string;
    readonly stage: string;
    readonly phase: Phase;
    readonly ok: boolean;
    readonly summary: RunSummary;
    /** Milliseconds since the run started. */
    readonly duration: number;
  };
  "scope:created": { readonly fqn: string };
  "resource:started": ResourceRef & { readonly action: Action };
  "resource:created": Finished;
  "resource:updated": Finished;
  "resource:replaced": Finished;
  "resource:adopted": Finished;
  "resource:deleted": Finished;
  "resource:read": Finished;
  "resource:skipped": ResourceRef;
  "resource:retained": ResourceRef & { readonly reason: string };
  "resource:failed": ResourceRef & { readonly action: Action; readonly code: string; readonly message: string };
  /** A line that a handler wrote with `this.log`. */
  "resource:log": ResourceRef & { readonly message: string };
  /** Waiting for another run's session to end. */
  "state:waiting": { readonly owner: string; readonly since: string };
  "state:locked": { readonly session: string };
  "state:taken-over": { readonly owner: string; readonly since: string };
  "state:committed": { readonly seq: number; readonly changes: number };
  "state:unlocked": { readonly session: string };
  "process:started": { readonly id: string; readonly pid: number };
  "process:exited": { readonly id: string; readonly pid: number; readonly exitCode: number | null };
  warning: { readonly code: string; readonly message: string; readonly fqn?: string };
}

export type EventName = keyof EngineEvents;
export type AnyEvent = { [N in EventName]: { readonly type: N } & EngineEvents[N] }[EventName];

/** What observers see of the bus. */
export interface EventSource {
  on<N extends EventName>(name: N, observer: (event: EngineEvents[N]) => void): void;
  on(name: "*", observer: (event: AnyEvent) => void): void;
  off<N extends EventName>(name: N, observer: (event: EngineEvents[N]) => void): void;
  off(name: "*", observer: (event: AnyEvent) => void): void;
}

export interface EventBus {
  readonly source: EventSource;
  emit<N extends EventName>(name: N, event: EngineEvents[N]): void;
  warn(code: string, message: string, fqn?: string): void;
}

type Observer = (event: never) => void;
type Table = Record<string, unknown>;

export function createEventBus(): EventBus {
  // Under NodeNext mitt's default export is typed as a module: the one cast that it needs.
  const emitter = (mitt as unknown as () => Emitter<Table>)();
  const guarded = new Map<Observer, (event: unknown) => void>();
  const reported = new Set<Observer>();

  const report = (observer: Observer, error: unknown): void => {
    if (reported.has(observer)) return;
    reported.add(observer);
    const what = error instanceof Error ? error.message : String(error);
    emit("warning", { code: "OBSERVER_FAILED", message: `An event observer threw: ${what}` });
  };
  const guard = (observer: Observer) => (event: unknown) => {
    try {
      const answer: unknown = (observer as (event: unknown) => unknown)(event);
      if (answer instanceof Promise) answer.catch((error: unknown) => report(observer, error));
    } catch (error) {
      report(observer, error);
    }
  };
  const emit = <N extends EventName>(name: N, event: EngineEvents[N]): void => {
    if (emitter.all.size === 0) return;
    if (emitter.all.has(name)) emitter.emit(name, Object.freeze({ ...event }));
    if (emitter.all.has("all")) emitter.emit("all", Object.freeze({ type: name, ...event }));
  };
  // mitt hands "*" the name and the payload; ours hears one object, so it is a channel of its own.
  const channel = (name: string): string => (name === "*" ? "all" : name);
  const source: EventSource = {
    on(name: string, observer: Observer) {
      const wrapped = guarded.get(observer) ?? guard(observer);
      guarded.set(observer, wrapped);
      emitter.on(channel(name), wrapped);
    },
    off(name: string, observer: Observer) {
      const wrapped = guarded.get(observer);
      if (wrapped) emitter.off(channel(name), wrapped);
    },
  };
  return {
    source: Object.freeze(source),
    emit,
    warn: (code, message, fqn) => emit("warning", fqn === undefined ? { code, message } : { code, message, fqn }),
  };
}
