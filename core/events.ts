/** The event table and its guarded bus: observers hear, and can neither change, delay nor fail a run. */
import mitt, { type Emitter } from "mitt";
import { EngineError, messageOf } from "./errors.js";
import { frozen, redacted } from "./event-payload.js";
import type { FailureNote } from "./failure-note.js";
import type { Plan } from "./plan/plan.js";
import type { Redact } from "./redaction.js";
import { timeOfDay } from "./state/wall-clock.js";
import type { Action, Phase, ResourceRef, RunSummary } from "./vocabulary.js";

/** A resource whose handler was called, and how long that took. */
export interface Finished extends ResourceRef {
  /** Milliseconds that its handler took; all calls together, where it was called again. */
  readonly duration: number;
  /** Milliseconds from `resource:queued` to `resource:started`. */
  readonly waited: number;
}

/** Each event has its time. */
export interface Timed {
  /** ISO 8601, in UTC, to the millisecond; for people, nothing is decided by it. */
  readonly time: string;
}

/** Whose run it is, and where it runs. */
export interface RunOwner {
  /** Name of the user at the system. */
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** Address of the CI run, where it is one. */
  readonly ci?: string;
}

/** A run: from `engine()`, or a later generation of `app.run()`, to its end. */
export interface RunInfo {
  /** Made anew for each run. */
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  readonly phase: Phase;
  /** True where nothing will be done: it is told what would be, by `plan:made`. */
  readonly planned: boolean;
  /** Whose run it is. */
  readonly by: RunOwner;
}

/** A command or a process of a scope. */
export interface ProcessRef {
  readonly id: string;
  readonly fqn: string;
  readonly pid: number;
}

/** Payloads are plain, serialisable, and never hold props, outputs or secrets. Observers get each with its time. */
export interface EngineEvents {
  "run:started": RunInfo;
  "run:finished": RunInfo & {
    readonly ok: boolean;
    /** It was told to end, by Ctrl-C, its `signal` or a watch session, and has failed at nothing else. */
    readonly interrupted: boolean;
    readonly summary: RunSummary;
    /** Milliseconds since the run started. */
    readonly duration: number;
    /** All that it failed at, what was told by `resource:failed` included. */
    readonly errors: readonly FailureNote[];
  };
  /** `engine()` rejects: the program has no scope to work with, and `run:finished` does not come. */
  "run:failed": RunInfo & FailureNote;
  /**
   * Another run has changed what this one had read, before this one changed anything: the program is run again, as a run of its
   * own. `run:finished` does not come.
   */
  "run:repeated": RunInfo;
  /** What a run would do; instead of doing it. */
  "plan:made": Plan;
  /** `engine()` will not resolve: the process is about to end, for all that was asked of it is destroyed. */
  "program:ended": { readonly app: string; readonly stage: string };
  "scope:created": { readonly fqn: string };
  /** It is known what is to be done, and waits for its turn. An update may yet turn out to be a replace. */
  "resource:queued": ResourceRef & { readonly action: Action };
  "resource:started": ResourceRef & {
    readonly action: Action;
    /** Milliseconds since `resource:queued`. */
    readonly waited: number;
  };
  "resource:created": Finished;
  "resource:updated": Finished;
  "resource:replaced": Finished;
  "resource:adopted": Finished;
  "resource:deleted": Finished;
  "resource:read": ResourceRef & {
    /** Always 0: no handler is called. */
    readonly duration: number;
  };
  "resource:skipped": ResourceRef;
  "resource:retained": ResourceRef & { readonly reason: string };
  "resource:failed": ResourceRef & { readonly action: Action } & FailureNote;
  /** Its handler was at work when the run was interrupted, and has ended because of that. The next run goes on from there. */
  "resource:stopped": ResourceRef & { readonly action: Action };
  /** Before anything is compared, what is there was looked at. Where it was asked for: by `refresh`, or `engine.drift()`. */
  "resource:looked": ResourceRef & {
    /** So many are looked at in all. */
    readonly total: number;
  };
  /** What is really there is not what is recorded. Where it was asked for: by `refresh`, or `engine.drift()`. */
  "resource:drifted": ResourceRef & {
    /** Nothing is there. */
    readonly gone: boolean;
    /** JSON Pointers of the members of the output that differ. */
    readonly paths: readonly string[];
  };
  /** A handler failed, and is called again. */
  "resource:retrying": ResourceRef & {
    readonly action: Action;
    /** Number of the next call in this run, from 2. */
    readonly attempt: number;
    readonly attempts: number;
    /** Milliseconds until then. */
    readonly delay: number;
    readonly message: string;
  };
  /** A line that a handler wrote with `this.log`. */
  "resource:log": ResourceRef & { readonly message: string };
  /** Waiting for another run's session to end. */
  "state:waiting": { readonly owner: string; readonly since: string };
  /** That wait is over: the session has ended, was found dead, or the time for it was up. */
  "state:waited": { readonly owner: string; readonly since: string };
  "state:locked": { readonly session: string };
  "state:taken-over": { readonly owner: string; readonly since: string };
  "state:committed": { readonly seq: number; readonly changes: number };
  "state:unlocked": { readonly session: string };
  "process:started": ProcessRef;
  /** The exit code is `null` where a signal ended it, or where another run had started it. */
  "process:exited": ProcessRef & { readonly exitCode: number | null };
  "tunnel:opened": { readonly host: string; readonly port: number; readonly url: string };
  /** With `fqns` where it is told once of several resources. */
  warning: {
    readonly code: string;
    readonly message: string;
    readonly fqn?: string;
    readonly fqns?: readonly string[];
  };
}

/** The name of an event. */
export type EventName = keyof EngineEvents;
/** Any event, with its name as `type`, as observers of `*` get it. */
export type AnyEvent = { [N in EventName]: { readonly type: N } & Timed & EngineEvents[N] }[EventName];

/** What observers see of the bus. */
export interface EventSource {
  on<N extends EventName>(name: N, observer: (event: EngineEvents[N] & Timed) => void): void;
  on(name: "*", observer: (event: AnyEvent) => void): void;
  off<N extends EventName>(name: N, observer: (event: EngineEvents[N] & Timed) => void): void;
  off(name: "*", observer: (event: AnyEvent) => void): void;
}

export interface EventBus {
  readonly source: EventSource;
  /** The event is the observers' from now on: it is frozen with all that it holds. */
  emit<N extends EventName>(name: N, event: EngineEvents[N]): void;
  warn(code: string, message: string, fqn?: string): void;
}

type Observer = (event: never) => void;
type Guarded = (event: unknown) => void;

/** @param redact takes out of texts for people what must not be seen */
export function createEventBus(redact: Redact = (text) => text): EventBus {
  // Under NodeNext mitt's default export is typed as a module: the one cast that it needs.
  const emitter = (mitt as unknown as () => Emitter<Record<string, unknown>>)();
  const reported = new WeakSet<Observer>();
  const guards = new WeakMap<Observer, Map<string, Guarded>>();

  const isHeard = (channel: string): boolean => {
    const handlers = emitter.all.get(channel);
    return handlers !== undefined && handlers.length > 0;
  };
  const emit = <N extends EventName>(name: N, event: EngineEvents[N]): void => {
    if (!isHeard(name) && !isHeard(everything)) return;
    const time = timeOfDay();
    const safe = redacted(event, redact);
    if (isHeard(name)) emitter.emit(name, frozen({ time, ...safe }));
    if (isHeard(everything)) emitter.emit(everything, frozen({ type: name, time, ...safe }));
  };
  const report = (observer: Observer, name: string, error: unknown): void => {
    // Once each: an observer of "warning" that throws would otherwise be told of its own failure for ever.
    if (reported.has(observer)) return;
    reported.add(observer);
    emit("warning", { code: "OBSERVER_FAILED", message: `An observer of "${name}" failed: ${messageOf(error)}` });
  };
  const guard = (observer: Observer, name: string): Guarded => {
    const known = guards.get(observer) ?? new Map<string, Guarded>();
    guards.set(observer, known);
    const guarded = known.get(name) ?? guarding(observer, (error) => report(observer, name, error));
    known.set(name, guarded);
    return guarded;
  };
  const source: EventSource = {
    on(name: string, observer: Observer) {
      if (typeof observer !== "function") {
        throw new EngineError("INVALID_DEFINITION", `An observer of "${name}" must be a function.`);
      }
      emitter.on(channelOf(name), guard(observer, name));
    },
    off(name: string, observer: Observer) {
      const guarded = guards.get(observer)?.get(name);
      // Without a handler mitt would remove everybody's.
      if (guarded) emitter.off(channelOf(name), guarded);
    },
  };
  return {
    source: Object.freeze(source),
    emit,
    warn: (code, message, fqn) => emit("warning", fqn === undefined ? { code, message } : { code, message, fqn }),
  };
}

// mitt hands "*" the name and the payload; ours hears one object, so it is a channel of its own.
const everything = "all";

function channelOf(name: string): string {
  return name === "*" ? everything : name;
}

/** The observer, with what it throws or rejects handed to `failed`. */
function guarding(observer: Observer, failed: (error: unknown) => void): Guarded {
  return (event) => {
    try {
      const answer: unknown = (observer as Guarded)(event);
      if (typeof answer === "object" && answer !== null && "then" in answer) Promise.resolve(answer).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
