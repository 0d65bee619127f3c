import type { DestroyStrategy, Phase } from "../base/index.js";
import type { PendingResource } from "./pending.js";
import type { EnginePlugin } from "./plugin/plugin.js";
import type { StateStoreOption } from "./store.js";

/** A command that prints a key, e.g. that of a password manager or of a key service. */
export interface KeyCommand {
  /** A line for the shell, or a program and its arguments, which no shell sees. Prints one key, and ends with 0. */
  readonly command: string | readonly [program: string, ...args: string[]];
}

/** Options of `engine()`. One that is present but `undefined` counts as absent. */
export interface EngineOptions {
  /** What the run does with the resources it declares. Default: `"up"`. */
  readonly phase?: Phase;
  /** Name under which the state is kept. Default: `ENGINE_STAGE`, `STAGE`, `USER`, `USERNAME`, else `"dev"`. */
  readonly stage?: string;
  /** Passphrase for secrets. Default: `ENGINE_PASSWORD`. */
  readonly password?: string;
  /**
   * Key for secrets, in place of a passphrase: one that `engine secrets generate-key` printed (`scope-engine-key-1-…`), an
   * identity of age (`AGE-SECRET-KEY-1…`), or a command that prints one of both. Default: `ENGINE_KEY`, or what
   * `ENGINE_KEY_COMMAND` prints.
   */
  readonly key?: string | KeyCommand;
  /** Profile that resources and stores use for authorizing requests. */
  readonly profile?: string;
  /** Root folder of the project. Default: the current working directory. */
  readonly rootDir?: string;
  /** Simulate resources locally where they can be. Default: false; true in dev mode. */
  readonly local?: boolean;
  /** Push local changes reactively. Default: false; true in dev and watch mode. */
  readonly watch?: boolean;
  /** Give resources that support it a tunnel. Default: false. */
  readonly tunnel?: boolean;
  /** Update resources even if nothing changed. Default: false. */
  readonly force?: boolean;
  /** Print no create, update and delete messages. Default: false. */
  readonly quiet?: boolean;
  /** Adopt what exists but is not recorded. Default: false. */
  readonly adopt?: boolean;
  /** Send no telemetry. Default: false. */
  readonly noTrack?: boolean;
  /** Prune at finalize what is no longer declared. Default: true. */
  readonly destroyOrphans?: boolean;
  /** Delete one at a time, latest first, or as wide as the order allows. Default: `"sequential"`. */
  readonly destroyStrategy?: DestroyStrategy;
  /**
   * Where the state lives: a store, a function that makes one, a URL (`s3://BUCKET/PREFIX`, `redis://HOST:PORT`, `rediss://HOST:PORT`,
   * `file:FOLDER`), or a Keyv with `throwOnErrors: true`, which serves one run at a time. Default: what `--state` or `ENGINE_STATE` says, else
   * files in `.engine` below `rootDir`.
   */
  readonly stateStore?: StateStoreOption;
  /**
   * What cannot be proven of the state is an error: a sealed one that is older than what this machine has seen of it
   * (`STATE_WENT_BACK`). Default: false, a warning.
   */
  readonly strictState?: boolean;
  /** A destroy deletes also the protected resources that `target` names in full, without a wildcard. Default: false. */
  readonly unprotect?: boolean;
  /** Treat recorded secrets as undefined, after a lost password; needs `force`. Default: false. */
  readonly eraseSecrets?: boolean;
  /** Installed after the built-in plugins. */
  readonly plugins?: readonly EnginePlugin[];
  /** Handlers running at once. Default: 64. */
  readonly concurrency?: number;
  /** Milliseconds to wait for a living owner of the stage; a dead one is replaced in any case. Default: 0. */
  readonly lockTimeout?: number;
  /**
   * `"eager"`: the run takes its turn before the program runs, so that nobody else changes the stage meanwhile; it writes even
   * where nothing changes. Default: `"lazy"`, with the first change.
   */
  readonly lock?: "lazy" | "eager";
  /** `"full"`: an awaited resource resolves only when its result is durable. Default: `"normal"`: it is recorded meanwhile. */
  readonly durability?: "normal" | "full";
  /** Find out what the run would do, tell it by the event `plan:made`, and do nothing. */
  readonly plan?: boolean;
  /** A plan shows values whole, however long they are. Default: false. */
  readonly full?: boolean;
  /** File that the plan is written to; needs `plan`. */
  readonly planOut?: string;
  /** File of a plan: the run does what it holds, or stops before the first thing that it does not hold. */
  readonly planFile?: string;
  /** Read every recorded resource before comparing. */
  readonly refresh?: boolean;
  /** FQN globs of the only resources to act on, with what is below them. */
  readonly target?: readonly string[];
  /** FQN globs of resources to leave alone, with what is below them; wins over `target`. */
  readonly exclude?: readonly string[];
  /** Act on what refers to a targeted resource, too. Default: false. */
  readonly targetDependents?: boolean;
  /** Leave alone what refers to an excluded resource, too. Default: false. */
  readonly excludeDependents?: boolean;
  /** The most resources that a run may prune or delete before replacements: a number, or a part of those recorded when the run began. */
  readonly maxDeletes?: number | `${number}%`;
  /** The same id may be declared again in one run; calls on it queue. Default: false. */
  readonly reapply?: boolean;
  /** Aborting it is the same as a first Ctrl-C. */
  readonly signal?: AbortSignal;
  /** Print events as NDJSON instead of lines for people. Default: false. */
  readonly json?: boolean;
  /** Print the stacks of what fails. Default: false. */
  readonly verbose?: boolean;
  /** Where the console plugin writes. Default: the process's standard output and error. */
  readonly logger?: Logger;
  /** Where figures about the run go; `false` for nowhere. Default: nowhere, but for a project key in the environment. */
  readonly telemetry?: TelemetrySink | false;
  /** Command-line arguments, without the runtime and the script. Default: those of the process. `[]` makes a run hermetic. */
  readonly argv?: readonly string[];
  /** Environment. Default: that of the process. `{}` makes a run hermetic. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Where lines for people go. Each call is one line, without its line break. */
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

/** Options of a child scope: those that it may override, and its earlier names. */
export type ScopeOptions = InheritedOptions & {
  /**
   * Names in the same scope, or FQNs such as `app/dev/network/old`, that this scope had before: what is recorded there of its resources,
   * and of those of scopes inside, is theirs, and its data as well.
   */
  readonly aliases?: readonly string[];
};

/** Where members came from that were not given to `engine()`, e.g. `{ stage: "--stage" }`. */
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

/** Options as the engine uses them: checked, every default filled in, `rootDir` absolute. */
export type ResolvedOptions = Required<Omit<EngineOptions, Absentable>> &
  Pick<EngineOptions, Absentable> & { readonly origins: OptionOrigins };

/** Options of {@link Scope.finalize}. */
export interface FinalizeOptions {
  /** Prune a scope that is not the root, too. Default: false. */
  readonly force?: boolean;
  /** Delete nothing, and keep the records. Default: false. */
  readonly noop?: boolean;
  /**
   * Prune also where a run that `app.run()` began has declared nothing: the program wants an empty stage. Such a
   * run otherwise only looks, and deletes nothing. Default: false.
   */
  readonly empty?: boolean;
}

/**
 * Options of one resource, the third argument of its declaration.
 *
 * Paths of props are names joined by dots, `tags.team`, or JSON Pointers, `/tags/team`; `*` stands for any member, also as
 * in `disks[*].size`. A path means what it leads to with all that is in there.
 */
export interface ResourceOptions {
  /** Resources that must be there before this one, besides those that its props mention. */
  readonly dependsOn?: readonly (PendingResource<unknown> | object)[];
  /** Adopt what exists under this name already. Default: the scope's. */
  readonly adopt?: boolean;
  /**
   * Refuse to delete or replace it. Recorded: it also holds once the resource is no longer declared, until an up
   * declares it without.
   */
  readonly protect?: boolean;
  /** Deleting it only forgets it, with its children: what it stands for stays. Recorded, as `protect` is. */
  readonly retainOnDelete?: boolean;
  /**
   * Paths of props that may differ from what the program says. Neither the program's value nor one that was set elsewhere
   * causes an update. An update of other props gets the value that `read` has just found, or the recorded one. A create and a
   * replacement use the program's value.
   */
  readonly ignoreChanges?: readonly string[];
  /** Paths of props whose change replaces the resource, besides those that its type names. */
  readonly replaceOnChanges?: readonly string[];
  /** A replace deletes the old copy first. Default: false. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * Ids in the same scope, or FQNs, that this resource had before. What is recorded there becomes this resource's,
   * children included, and the thing itself is not touched.
   */
  readonly aliases?: readonly string[];
  /** Milliseconds that one call of a handler may take. Then its signal is aborted, and it has failed. */
  readonly timeout?: number;
  /** Attempts in all, or a policy, for a create, update or delete that fails. Default: one. */
  readonly retry?: number | RetryPolicy;
  /** Update it on every up, changed or not. Default: false. */
  readonly alwaysUpdate?: boolean;
  /** How its children are deleted when it is replaced. Default: the scope's. */
  readonly destroyStrategy?: DestroyStrategy;
}

/** How a handler that fails is called again. What it did may have taken effect: it is told so by `recovering`. */
export interface RetryPolicy {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** Milliseconds before the second call; doubled before each further one, and shortened at random by up to half. Default: 1000. */
  readonly delay?: number;
  /** The most milliseconds between two calls. Default: 30,000. */
  readonly maxDelay?: number;
  /** False for errors that another call would meet as well. Default: any error is worth another call. */
  readonly when?: (error: unknown) => boolean;
}

// Where figures about runs go: what a sink is given, and what is asked of it.

/** Plain and flat, so that any service can take it. */
export type TelemetryValue = string | number | boolean | readonly string[] | Readonly<Record<string, number>>;

/** One thing that is told of a run. It holds no name, id, property, path or message of anybody. */
export interface TelemetryEvent {
  readonly name: "run started" | "run finished";
  /** Random. An event that arrives twice has the same one both times. */
  readonly uuid: string;
  /** As ISO 8601. */
  readonly timestamp: string;
  /** Random, and the same for all runs of one user of one machine. */
  readonly userId: string;
  readonly properties: Readonly<Record<string, TelemetryValue>>;
}

/** What takes telemetry, such as `posthogSink` of `scope-engine/adapters/posthog`. Nothing that it does can fail a run. */
export interface TelemetrySink {
  /** Of the service and the project. What one sink could not send waits for a sink of the same name. */
  readonly name: string;
  /**
   * Called while the run is under way: loads what `send` needs.
   *
   * @param signal aborted when the run waits no longer: nothing may keep the process alive from then on
   */
  prepare?(signal: AbortSignal): Promise<void> | void;
  /**
   * Resolves when the events are taken, or refused for good; where it rejects they are sent again by a later run.
   *
   * @param signal as that of `prepare`
   */
  send(events: readonly TelemetryEvent[], signal: AbortSignal): Promise<void>;
}
