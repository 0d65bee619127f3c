import type { DestroyStrategy, Phase } from "../base/index.js";
import type { PendingResource } from "./pending.js";
import type { EnginePlugin } from "./plugin/plugin.js";
import type { StateStoreOption } from "./store.js";

/** A command that prints a key, e.g. the command of a password manager or a key service. */
export interface KeyCommand {
  /** A line for the shell, or a program and its arguments without a shell. It must print one key and exit with 0. */
  readonly command: string | readonly [program: string, ...args: string[]];
}

/** Options of `engine()`. A member that is `undefined` counts as absent. */
export interface EngineOptions {
  /**
   * Selects the phase: `"up"` applies the declared resources, `"destroy"` deletes recorded ones, `"read"` changes
   * nothing. Default: `"up"`.
   */
  readonly phase?: Phase;
  /** Name under which the state is kept. Default: `ENGINE_STAGE`, `STAGE`, `USER`, `USERNAME`, else `"dev"`. */
  readonly stage?: string;
  /** Passphrase for secrets. Default: `ENGINE_PASSWORD`. */
  readonly password?: string;
  /**
   * Key for secrets, instead of a passphrase. It is a key that `engine secrets generate-key` printed
   * (`scope-engine-key-1-…`), an age identity (`AGE-SECRET-KEY-1…`), or a command that prints either. Default:
   * `ENGINE_KEY`, or the output of `ENGINE_KEY_COMMAND`.
   */
  readonly key?: string | KeyCommand;
  /** Profile that resources and stores use to authorize requests. */
  readonly profile?: string;
  /** Root folder of the project. Default: the current working directory. */
  readonly rootDir?: string;
  /** Simulate resources locally if they support it. Default: false; true in dev mode. */
  readonly local?: boolean;
  /** Push local changes reactively. Default: false; true in dev and watch mode. */
  readonly watch?: boolean;
  /** Open tunnels for resources that support them. Default: false. */
  readonly tunnel?: boolean;
  /** Update resources even if nothing changed. Default: false. */
  readonly force?: boolean;
  /** Print no create, update and delete messages. Default: false. */
  readonly quiet?: boolean;
  /** Adopt real resources that exist but are not recorded. Default: false. */
  readonly adopt?: boolean;
  /** Send no telemetry. Default: false. */
  readonly noTrack?: boolean;
  /** Delete resources that are no longer declared, at finalize. Default: true. */
  readonly destroyOrphans?: boolean;
  /**
   * Delete resources one at a time, latest first, or in parallel as far as the order allows. Default: `"sequential"`.
   */
  readonly destroyStrategy?: DestroyStrategy;
  /**
   * Place of the state: a store, a function that makes one, a URL (`s3://BUCKET/PREFIX`, `redis://HOST:PORT`,
   * `rediss://HOST:PORT`, `postgres://HOST/DATABASE`, `file:FOLDER`), or a Keyv with `throwOnErrors: true`, which
   * serves one run at a time.
   * Default: `--state` or `ENGINE_STATE`, else files in `.engine` below `rootDir`.
   */
  readonly stateStore?: StateStoreOption;
  /**
   * Fail if the state cannot be proven, e.g. if a sealed state is older than the state that this machine has seen
   * (`STATE_WENT_BACK`). Default: false, which is a warning.
   */
  readonly strictState?: boolean;
  /**
   * Let a destroy also delete the protected resources that `target` names in full, without a wildcard. Default: false.
   */
  readonly unprotect?: boolean;
  /** Treat recorded secrets as undefined, after a lost password. Needs `force`. Default: false. */
  readonly eraseSecrets?: boolean;
  /** Plugins that are installed after the built-in ones. */
  readonly plugins?: readonly EnginePlugin[];
  /** Number of handlers that run at once. Default: 64. */
  readonly concurrency?: number;
  /** Milliseconds to wait for a live run that holds the stage. A dead run is replaced in any case. Default: 0. */
  readonly lockTimeout?: number;
  /**
   * Time of the lock. `"eager"` locks the stage before the program runs, so that no other run changes it meanwhile;
   * this writes even if nothing changes. Default: `"lazy"`, with the first change.
   */
  readonly lock?: "lazy" | "eager";
  /**
   * Durability of results. `"full"`: an awaited resource resolves only when its result is durable. Default: `"normal"`:
   * the result is recorded in the background.
   */
  readonly durability?: "normal" | "full";
  /** Compute the plan of the run, report it with the event `plan:made`, and do nothing else. */
  readonly plan?: boolean;
  /** Show values in full in a plan, however long they are. Default: false. */
  readonly full?: boolean;
  /** File to write the plan to. Needs `plan`. */
  readonly planOut?: string;
  /**
   * File of a saved plan. The run does what the plan holds, and stops before the first action that it does not hold.
   */
  readonly planFile?: string;
  /** Read every recorded resource before comparing. */
  readonly refresh?: boolean;
  /** Globs of FQNs, or of paths below the stage. Act only on these resources and the resources below them. */
  readonly target?: readonly string[];
  /** The same globs. Leave these resources, and the resources below them, alone. Takes precedence over `target`. */
  readonly exclude?: readonly string[];
  /** Also act on resources that refer to a targeted resource. Default: false. */
  readonly targetDependents?: boolean;
  /** Also leave alone resources that refer to an excluded resource. Default: false. */
  readonly excludeDependents?: boolean;
  /**
   * Maximum number of resources that a run may prune, or delete before it replaces them. A percentage counts the
   * resources recorded when the run began.
   */
  readonly maxDeletes?: number | `${number}%`;
  /** Allow the same id to be declared again in one run. Its declarations run one after the other. Default: false. */
  readonly reapply?: boolean;
  /** Signal that interrupts the run. Aborting it has the same effect as a first Ctrl-C. */
  readonly signal?: AbortSignal;
  /** Print events as NDJSON instead of lines for people. Default: false. */
  readonly json?: boolean;
  /** Print the stack traces of failures. Default: false. */
  readonly verbose?: boolean;
  /** Output of the console plugin. Default: the process's standard output and error. */
  readonly logger?: Logger;
  /**
   * Destination of telemetry about the run; `false` sends none. Default: none, unless the environment holds a project
   * key.
   */
  readonly telemetry?: TelemetrySink | false;
  /**
   * Command-line arguments, without the runtime and the script. Default: the arguments of the process. `[]` makes a run
   * hermetic.
   */
  readonly argv?: readonly string[];
  /** Environment variables. Default: the environment of the process. `{}` makes a run hermetic. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Output of lines for people. Each call passes one line, without its line break. */
export interface Logger {
  info(line: string): void;
  error(line: string): void;
}

/** Options that a child scope may override. */
export type InheritedOptions = Pick<
  EngineOptions,
  | "password"
  | "key"
  | "quiet"
  | "force"
  | "adopt"
  | "local"
  | "watch"
  | "profile"
  | "destroyStrategy"
  | "destroyOrphans"
>;

/** Options of a child scope: the inherited options that it may override, and its former names. */
export type ScopeOptions = InheritedOptions & {
  /**
   * Former names of this scope: names in the same scope, or FQNs such as `app/dev/network/old`. The scope takes over
   * the resources that are recorded there, those of its child scopes, and its data.
   */
  readonly aliases?: readonly string[];
};

/** Sources of options that were not passed to `engine()`, e.g. `{ stage: "--stage" }`. */
export type OptionOrigins = Readonly<Partial<Record<keyof EngineOptions, string>>>;

type Absentable =
  | "password"
  | "key"
  | "profile"
  | "stateStore"
  | "planOut"
  | "planFile"
  | "target"
  | "exclude"
  | "maxDeletes"
  | "signal"
  | "logger"
  | "telemetry"
  | "argv"
  | "env";

/** Options after resolution: checked, with every default filled in, and `rootDir` absolute. */
export type ResolvedOptions = Required<Omit<EngineOptions, Absentable>> &
  Pick<EngineOptions, Absentable> & { readonly origins: OptionOrigins };

/** Options of {@link Scope.finalize}. */
export interface FinalizeOptions {
  /** Also prune a scope that is not the root. Default: false. */
  readonly force?: boolean;
  /** Delete nothing and keep the records. Default: false. */
  readonly noop?: boolean;
  /**
   * Prune even if a run that `app.run()` began has declared no resource, because the program wants an empty stage.
   * Without it, such a run only reads and deletes nothing. Default: false.
   */
  readonly empty?: boolean;
}

/**
 * Options of one resource, the third argument of its declaration.
 *
 * Paths of props are names joined by dots (`tags.team`) or JSON Pointers (`/tags/team`). `*` stands for any member,
 * also as in `disks[*].size`. A path includes everything below it.
 */
export interface ResourceOptions {
  /** Resources that must exist before this one, in addition to those that its props refer to. */
  readonly dependsOn?: readonly (PendingResource<unknown> | object)[];
  /** Adopt a real resource that already has this name. Default: the scope's option. */
  readonly adopt?: boolean;
  /**
   * Refuse to delete or replace the resource. The option is recorded: it also holds after the resource is no longer
   * declared, until an up declares it without the option.
   */
  readonly protect?: boolean;
  /**
   * Only remove the resource and its children from the state when it is deleted; the real resources stay. The option is
   * recorded, as `protect` is.
   */
  readonly retainOnDelete?: boolean;
  /**
   * Paths of props whose differences are ignored: neither the program's value nor a value set elsewhere causes an
   * update. An update of other props gets the value that `read` has just found, or the recorded one. A create and a
   * replacement use the program's value.
   */
  readonly ignoreChanges?: readonly string[];
  /** Paths of props whose change replaces the resource, in addition to those that its type names. */
  readonly replaceOnChanges?: readonly string[];
  /** Delete the old copy before a replace creates the new one. Default: false. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * Former names of this resource: ids in the same scope, or FQNs. It takes over the record with that name and its
   * children. The real resource is not changed.
   */
  readonly aliases?: readonly string[];
  /** Milliseconds that one call of a handler may take. After that, its signal is aborted and the call has failed. */
  readonly timeout?: number;
  /** Number of attempts, or a policy, for a create, update or delete that fails. Default: one attempt. */
  readonly retry?: number | RetryPolicy;
  /** Update the resource in every up, even if nothing changed. Default: false. */
  readonly alwaysUpdate?: boolean;
  /** Order in which its children are deleted when it is replaced. Default: the scope's option. */
  readonly destroyStrategy?: DestroyStrategy;
}

/**
 * Policy for retrying a failed handler. The failed call may have taken effect: `recovering` is true in the next one.
 */
export interface RetryPolicy {
  /** Total number of calls, including the first. */
  readonly attempts: number;
  /**
   * Milliseconds before the second call. The delay doubles before each further call, and is shortened at random by up
   * to half. Default: 1000.
   */
  readonly delay?: number;
  /** Maximum number of milliseconds between two calls. Default: 30,000. */
  readonly maxDelay?: number;
  /** Returns false for an error that another call would not fix. Default: every error is retried. */
  readonly when?: (error: unknown) => boolean;
}

// Telemetry: the events that a sink gets, and the functions that it needs.

/** A plain, flat value that any telemetry service accepts. */
export type TelemetryValue = string | number | boolean | readonly string[] | Readonly<Record<string, number>>;

/** One telemetry event about a run. It holds no names, ids, paths or messages of a program. */
export interface TelemetryEvent {
  readonly name: "run started" | "run finished";
  /** Random id. An event that is delivered twice has the same id both times. */
  readonly uuid: string;
  /** Time in ISO 8601 format. */
  readonly timestamp: string;
  /** Random id, the same for all runs of one user on one machine. */
  readonly userId: string;
  readonly properties: Readonly<Record<string, TelemetryValue>>;
}

/** A receiver of telemetry, such as `posthogSink` of `scope-engine/adapters/posthog`. Its failures never fail a run. */
export interface TelemetrySink {
  /** Name of the service and the project. Events that one sink could not send wait for a sink of the same name. */
  readonly name: string;
  /**
   * Loads the code that `send` needs. Called while the run is in progress.
   *
   * @param signal aborted when the run stops waiting: nothing may keep the process alive after that
   */
  prepare?(signal: AbortSignal): Promise<void> | void;
  /**
   * Sends events. Resolves when the service has accepted them or refused them for good. If it rejects, a later run
   * sends them again.
   *
   * @param signal as for `prepare`
   */
  send(events: readonly TelemetryEvent[], signal: AbortSignal): Promise<void>;
}
