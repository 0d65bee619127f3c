/** The closed sets of words that options, hooks, events and records share. */

export type Phase = "up" | "destroy" | "read";

/** Order of deletes: one at a time, latest first, or in parallel as far as the order allows. */
export type DestroyStrategy = "sequential" | "parallel";

/** Action of the engine on one resource. */
export type Action = "create" | "update" | "replace" | "adopt" | "read" | "unchanged" | "delete";

/** Phase of a handler that changes a resource. */
export type HandlerPhase = "create" | "update" | "delete";

/** Phase of any handler, including those that only read. */
export type AnyHandlerPhase = HandlerPhase | "read" | "plan";

/** The resource that a hook or an event is about. */
export interface ResourceRef {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  /** Set if its scope is quiet: no message is printed about its actions. */
  readonly quiet?: true;
}

export interface RunSummary {
  readonly created: number;
  readonly updated: number;
  readonly replaced: number;
  readonly adopted: number;
  readonly read: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly retained: number;
  /**
   * Resources that are no longer declared but still recorded. Either it is unknown whether an interrupted create took
   * effect (`UNRESOLVED`), or they may be a dependency of such a resource. The run is then incomplete, although nothing
   * has failed.
   */
  readonly left: number;
  readonly failed: number;
  /**
   * Resources whose handlers were running when the run was interrupted, or aborted by another failure, and ended
   * because of that.
   */
  readonly stopped: number;
  /**
   * Resources that were to be declared or deleted, as far as the run knew, when it was interrupted or failed as a
   * whole.
   */
  readonly notBegun: number;
}

/** Past participle of each action, as a summary counts it. */
export const DONE = {
  create: "created",
  update: "updated",
  replace: "replaced",
  adopt: "adopted",
  read: "read",
  unchanged: "unchanged",
  delete: "deleted",
} as const satisfies Readonly<Record<Action, keyof RunSummary>>;

export const NOTHING_DONE: RunSummary = Object.freeze({
  created: 0,
  updated: 0,
  replaced: 0,
  adopted: 0,
  read: 0,
  unchanged: 0,
  deleted: 0,
  retained: 0,
  left: 0,
  failed: 0,
  stopped: 0,
  notBegun: 0,
});

/**
 * A `Buffer`. Like {@link HostProcess}, it is Node's own type if the project has `@types/node`, and a similar one if
 * not.
 */
export type Bytes = typeof globalThis extends { Buffer: { isBuffer(value: unknown): value is infer B } }
  ? B
  : Uint8Array;

type Watched = "on" | "off" | "exit" | "exitCode" | "stdout" | "stderr";

/** The members of the process that the engine uses to watch its end and to print. */
export type HostProcess = typeof globalThis extends { process: infer P } ? Pick<P, Watched & keyof P> : unknown;

/** Name of the platform, as in `process.platform`, e.g. `linux`, `darwin` or `win32`. */
export type PlatformName = string;

/** Name of a signal, e.g. `SIGTERM`. */
export type SignalName = `SIG${string}`;

/** Key of the method that `util.inspect` calls. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The holder of a stage: data of its session, and what this machine knows about its process. */
export interface StageHolder extends ProcessName {
  /** Random id of the session. */
  readonly session: string;
  /** Purpose of the session: a phase such as `up`, or a command that changes the state, such as `restore`. */
  readonly command: string;
  /** Start time in ISO 8601 format. It is for people; the engine decides nothing by it. */
  readonly since: string;
  /** URL of the CI run, if it is one. */
  readonly ci?: string;
  /** State of its process, if this machine knows it; `unknown` for a process on another machine. */
  readonly process: "gone" | "runs" | "stopped" | "unknown";
  /** Milliseconds without a sign of life after which the session counts as dead and the next run takes over. */
  readonly ttl: number;
  /** Version of the library that wrote the session. */
  readonly version: string;
}

/** The user, host and pid of a process, for people. */
export interface ProcessName {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}

export interface ProcessIdentity extends ProcessName {
  readonly started?: string;
  readonly machine?: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
}

/** State of a process, as seen from outside. */
export type ProcessFate = "gone" | "runs" | "stopped" | "unknown";
