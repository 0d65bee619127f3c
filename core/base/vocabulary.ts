/** The closed sets of words that options, hooks, events and records share. */

export type Phase = "up" | "destroy" | "read";

/** Deletes one at a time, latest first, or as wide as the order allows. */
export type DestroyStrategy = "sequential" | "parallel";

/** What the engine does about one resource. */
export type Action = "create" | "update" | "replace" | "adopt" | "read" | "unchanged" | "delete";

/** What a handler is called for. */
export type HandlerPhase = "create" | "update" | "delete";

/** And those in which it only looks. */
export type AnyHandlerPhase = HandlerPhase | "read" | "plan";

/** Which resource a hook or an event is about. */
export interface ResourceRef {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  /** Set where its scope is quiet: no message is printed about what is done to it. */
  readonly quiet?: true;
}

// How many resources ended in each way.

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
   * Not declared any more, and still recorded: nobody can tell whether an interrupted create took effect (`UNRESOLVED`), or they may be
   * what such a resource was made from. The work of the run is unfinished then, though nothing has failed.
   */
  readonly left: number;
  readonly failed: number;
  /** Their handlers were at work when the run was interrupted, and ended because of that: nothing is wrong with them. */
  readonly stopped: number;
  /** Declared or to be deleted, as far as the run knew, when it was interrupted or ended by a failure of its own. */
  readonly notBegun: number;
}

/** What an action has done, in a word: as a summary counts it. */
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

/** A `Buffer`. As {@link HostProcess} it is Node's own type where a project has `@types/node`, and the like where it has not. */
export type Bytes = typeof globalThis extends { Buffer: { isBuffer(value: unknown): value is infer B } }
  ? B
  : Uint8Array;

type Watched = "on" | "off" | "exit" | "exitCode" | "stdout" | "stderr";

/** Of the process what watches over its end, or prints. */
export type HostProcess = typeof globalThis extends { process: infer P } ? Pick<P, Watched & keyof P> : unknown;

/** As `process.platform` has it, e.g. `linux`, `darwin` or `win32`. */
export type PlatformName = string;

/** By name, e.g. `SIGTERM`. */
export type SignalName = `SIG${string}`;

/** The method that `util.inspect` asks for. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Who has a stage: what the session says of itself, and what this machine knows of its process. */
export interface StageHolder extends ProcessName {
  /** Made anew for each session. */
  readonly session: string;
  /** What the session is for: a phase such as `up`, or a command that changes the state, such as `restore`. */
  readonly command: string;
  /** ISO 8601, for people; nothing is decided by it. */
  readonly since: string;
  /** Address of the CI run, where it is one. */
  readonly ci?: string;
  /** What this machine knows of its process; `unknown` of one that runs elsewhere. */
  readonly process: "gone" | "runs" | "stopped" | "unknown";
  /** Milliseconds of silence after which it counts as dead, and the next run takes over. */
  readonly ttl: number;
  /** Version of the library that it writes with. */
  readonly version: string;
}

/** Whose process it is, for people. */
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

/** What can be said of a process from outside. */
export type ProcessFate = "gone" | "runs" | "stopped" | "unknown";
