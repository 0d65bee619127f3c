import type { Action, FailureNote, Phase, ResourceRef, RunSummary, StageHolder } from "../../base/index.js";
import type { Plan } from "../plan.js";
import type { FailedDeletion } from "../record.js";

/** A resource whose handler was called, and the duration of the call. */
export interface Finished extends ResourceRef {
  /** Milliseconds that its handler took; the sum of all calls, if it was called again. */
  readonly duration: number;
  /** Milliseconds from `resource:queued` to `resource:started`. */
  readonly waited: number;
}

/** The time of an event. */
export interface Timed {
  /** Time in ISO 8601 format, UTC, to the millisecond. It is for people; the engine decides nothing by it. */
  readonly time: string;
}

/** Owner of a run, and the machine it runs on. */
export interface RunOwner {
  /** Name of the operating-system user. */
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** URL of the CI run, if it is one. */
  readonly ci?: string;
}

/** A run: from `engine()`, or from a later `app.run()`, to its end. */
export interface RunInfo {
  /** Random id of the run. */
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  readonly phase: Phase;
  /** True if the run only makes a plan, which is reported by `plan:made`. */
  readonly planned: boolean;
  /** Owner of the run. */
  readonly by: RunOwner;
}

/** A stage that another run holds or held. */
export interface Held {
  /** Description of its holder, for people. */
  readonly owner: string;
  readonly since: string;
  /** The holder as data. */
  readonly holder: StageHolder;
}

/** A command or a process of a scope. */
export interface ProcessRef {
  readonly id: string;
  readonly fqn: string;
  readonly pid: number;
}

/**
 * Payloads of all events. They are plain and serialisable, and never hold props, outputs or secrets. Observers also get
 * the time of each event.
 */
export interface EngineEvents {
  "run:started": RunInfo;
  "run:finished": RunInfo & {
    readonly ok: boolean;
    /** True if the run was interrupted by Ctrl-C, its `signal` or a watch session, and nothing else failed. */
    readonly interrupted: boolean;
    readonly summary: RunSummary;
    /** Milliseconds since the run started. */
    readonly duration: number;
    /** All errors of the run, including those that `resource:failed` has reported. */
    readonly errors: readonly FailureNote[];
  };
  /** `engine()` rejects: the program gets no scope, and no `run:finished` follows. */
  "run:failed": RunInfo & FailureNote;
  /**
   * Another run has changed the state that this run had read, before this run changed anything. The program runs again,
   * as a new run. No `run:finished` follows.
   */
  "run:repeated": RunInfo;
  /** The plan of a run, which does nothing else. */
  "plan:made": Plan;
  /** `engine()` will not resolve: everything requested is destroyed, so the process is about to end. */
  "program:ended": { readonly app: string; readonly stage: string };
  "scope:created": { readonly fqn: string };
  /** The action of a resource is known, and waits for its turn. An update may still turn out to be a replace. */
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
    /** Always 0, because no handler is called. */
    readonly duration: number;
  };
  "resource:unchanged": ResourceRef;
  "resource:retained": ResourceRef & { readonly reason: string };
  "resource:failed": ResourceRef & { readonly action: Action } & FailureNote & {
      /** Set for a delete after which the resource still exists, as far as the engine knows. */
      readonly deleteFailed?: FailedDeletion;
    };
  /**
   * The resource's handler was running when the run was interrupted, and ended because of that. The next run continues
   * from there.
   */
  "resource:stopped": ResourceRef & { readonly action: Action };
  /** The real resource was read before the comparison, because `refresh` or `engine.drift()` requested it. */
  "resource:looked": ResourceRef & {
    /** Total number of resources to read. */
    readonly total: number;
  };
  /** The real resource differs from the state. Emitted if `refresh` or `engine.drift()` requested the check. */
  "resource:drifted": ResourceRef & {
    /** True if the real resource does not exist. */
    readonly gone: boolean;
    /** JSON Pointers of the members of the output that differ. */
    readonly paths: readonly string[];
  };
  /** A handler failed, and the engine retries it. */
  "resource:retrying": ResourceRef & {
    readonly action: Action;
    /** Number of the next call in this run, from 2. */
    readonly attempt: number;
    readonly attempts: number;
    /** Milliseconds until the next call. */
    readonly delay: number;
    readonly message: string;
  };
  /** A line that a handler wrote with `this.log`. */
  "resource:log": ResourceRef & { readonly message: string };
  /** The run waits for the session of another run to end. */
  "state:waiting": Held;
  /** The wait is over: the session has ended, was found dead, or the time limit was reached. */
  "state:waited": Held;
  "state:locked": { readonly session: string };
  "state:taken-over": Held;
  "state:committed": { readonly seq: number; readonly changes: number };
  "state:unlocked": { readonly session: string };
  "process:started": ProcessRef;
  /** The exit code is `null` if a signal ended the process, or if another run had started it. */
  "process:exited": ProcessRef & { readonly exitCode: number | null };
  /**
   * A line that the process wrote, without known secrets. The number of lines for each process is limited; its log
   * holds all of them.
   */
  "process:log": ProcessRef & { readonly message: string };
  "tunnel:opened": { readonly host: string; readonly port: number; readonly url: string };
  /** `fqns` is set if one warning is about several resources. */
  warning: {
    readonly code: string;
    readonly message: string;
    readonly fqn?: string;
    readonly fqns?: readonly string[];
  };
}

/** The name of an event. */
export type EventName = keyof EngineEvents;

/** An event as observers get it, with its name as `type`. */
export type EventOf<N extends EventName> = { readonly type: N } & Timed & EngineEvents[N];

/** Any event. */
export type AnyEvent = { [N in EventName]: EventOf<N> }[EventName];

/** The observers' side of the event bus, which is based on mitt. */
export interface EventSource {
  on<N extends EventName>(type: N, handler: (event: EventOf<N>) => void): void;
  on(type: "*", handler: (type: EventName, event: AnyEvent) => void): void;
  /** Removes a handler. Without a handler it does nothing, so that a plugin cannot remove other observers. */
  off<N extends EventName>(type: N, handler: (event: EventOf<N>) => void): void;
  off(type: "*", handler: (type: EventName, event: AnyEvent) => void): void;
}

export interface EventBus {
  readonly source: EventSource;
  /** Emits an event. The event belongs to the observers afterwards: it is frozen with everything it holds. */
  emit<N extends EventName>(name: N, event: EngineEvents[N]): void;
  warn(code: string, message: string, fqn?: string): void;
}
