import type { Action, FailureNote, Phase, ResourceRef, RunSummary, StageHolder } from "../../base/index.js";
import type { Plan } from "../plan.js";
import type { FailedDeletion } from "../record.js";

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

/** A run: from `engine()`, or from a later `app.run()`, to its end. */
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

/** A stage that another run has, or had. */
export interface Held {
  /** Its holder in one text, for people. */
  readonly owner: string;
  readonly since: string;
  /** The same as data. */
  readonly holder: StageHolder;
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
  "resource:unchanged": ResourceRef;
  "resource:retained": ResourceRef & { readonly reason: string };
  "resource:failed": ResourceRef & { readonly action: Action } & FailureNote & {
      /** Of a delete after which the resource is still there, as far as the engine knows. */
      readonly deleteFailed?: FailedDeletion;
    };
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
  "state:waiting": Held;
  /** That wait is over: the session has ended, was found dead, or the time for it was up. */
  "state:waited": Held;
  "state:locked": { readonly session: string };
  "state:taken-over": Held;
  "state:committed": { readonly seq: number; readonly changes: number };
  "state:unlocked": { readonly session: string };
  "process:started": ProcessRef;
  /** The exit code is `null` where a signal ended it, or where another run had started it. */
  "process:exited": ProcessRef & { readonly exitCode: number | null };
  /** A line that it wrote, without known secrets; so much of each process, all of it is in its log. */
  "process:log": ProcessRef & { readonly message: string };
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

/** An event as observers get it: with its name as `type`. */
export type EventOf<N extends EventName> = { readonly type: N } & Timed & EngineEvents[N];

/** Any event. */
export type AnyEvent = { [N in EventName]: EventOf<N> }[EventName];

/** What observers see of the bus, as of one of mitt's. */
export interface EventSource {
  on<N extends EventName>(type: N, handler: (event: EventOf<N>) => void): void;
  on(type: "*", handler: (type: EventName, event: AnyEvent) => void): void;
  /** Without a handler it does nothing: a plugin cannot end the hearing of others. */
  off<N extends EventName>(type: N, handler: (event: EventOf<N>) => void): void;
  off(type: "*", handler: (type: EventName, event: AnyEvent) => void): void;
}

export interface EventBus {
  readonly source: EventSource;
  /** The event is the observers' from now on: it is frozen with all that it holds. */
  emit<N extends EventName>(name: N, event: EngineEvents[N]): void;
  warn(code: string, message: string, fqn?: string): void;
}
