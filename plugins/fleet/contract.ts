/** The public types of fleets: their definition, their commands and their workers. */
import type { EngineOptions, Scope, StandardSchema } from "../../core/contract/index.js";
import type { EndedStage, FleetCommand, FleetReport, Percentage } from "./report.js";

export type {
  DriftedName,
  EndedStage,
  FailureGroup,
  FleetCommand,
  FleetReport,
  FleetState,
  Outcome,
  Percentage,
  StageDrift,
  StageOutcome,
  WaveReport,
} from "./report.js";

/** A stage of a fleet, and the input of the program in it. */
export interface FleetStage<Input> {
  /** Name of the stage, as the option `stage` of `engine()`. Names that begin with `@fleet` are reserved. */
  readonly stage: string;
  readonly input: Input;
}

/** The stages of a fleet: a list, or values that arrive over time, such as the rows of a query. */
export type FleetStages<Input> = Iterable<FleetStage<Input>> | AsyncIterable<FleetStage<Input>>;

/** Limits for stages that share something, such as a database server or an account. */
export interface FleetLimit<Input> {
  /** Returns the name of the shared thing. The limits count for each name separately. */
  key(input: Input, stage: string): string;
  /** Number of stages with one key that run at once. Default: no limit. */
  readonly concurrency?: number;
  /** At most `max` stages with one key begin within `duration` milliseconds. Default: no limit. */
  readonly rate?: { readonly max: number; readonly duration: number };
}

/** A wave: a share of the stages that runs before the next wave begins. */
export interface FleetWave {
  /** Share of all stages up to and including this wave. The last wave has `"100%"`. */
  readonly to: Percentage;
  /**
   * Decides when the wave begins, once the wave before it has ended. `"auto"`: at once. `"manual"`: when
   * {@link Fleet.resume} is called. A function: at once if it returns `true`, otherwise or if it throws, as `"manual"`.
   * It gets the report so far. Default: `"auto"`.
   */
  readonly start?: "auto" | "manual" | ((report: FleetReport) => boolean | Promise<boolean>);
}

/**
 * Definition of a fleet.
 *
 * @typeParam Input what the program gets
 * @typeParam Given what `stages` yields; differs from `Input` if the schema changes the type
 */
export interface FleetOptions<Input, Given = Input> {
  /** The stages, or a function that returns them. A fleet run asks for them once, before its first stage begins. */
  readonly stages: FleetStages<Given> | (() => FleetStages<Given> | Promise<FleetStages<Given>>);
  /** Any Standard Schema. It validates the input of each stage and fills in defaults. */
  readonly input?: StandardSchema<Given, Input>;
  /** Declares the resources of one stage. It runs in the root scope of the stage, as in `engine.up()`. */
  program(app: Scope, input: Input): unknown;
  /** Number of stages that run at once in one process. Default: 16. */
  readonly concurrency?: number;
  /** Limits for stages that share something. */
  readonly limit?: FleetLimit<Input>;
  /**
   * Returns the stages that must be up before this one begins. A destroy runs in the opposite order. Stages whose
   * outputs a stage read with `engine.ref()` in an earlier run are added.
   */
  after?(input: Input, stage: string): string | readonly string[] | undefined;
  /**
   * Shares of the stages that run one after the other, e.g. `["5%", "25%", "100%"]`. A hash of its name decides which
   * wave a stage belongs to, so it is the same in every run. Default: one wave.
   */
  readonly waves?: readonly (Percentage | FleetWave)[];
  /**
   * Failed stages after which no more stages begin. A number, or a percentage of the finished stages, which counts at
   * the end of a wave and from 50 finished stages on. Default: `"10%"`.
   */
  readonly maxFailures?: number | Percentage;
  /**
   * Destroy the recorded stages that left the list. With `max`, a number of stages or a percentage of the recorded
   * ones: if more stages left the list, the run fails before its first stage begins. Default: false.
   */
  readonly prune?: boolean | { readonly max: number | Percentage };
  /** Options for each stage, and the state store of the fleet. */
  readonly options?: FleetEngineOptions;
  /** Number of closed checkpoints that each stage keeps for display. Default: 1. */
  readonly histories?: number;
  /** Number of checkpoints that each stage keeps. Default: 1. */
  readonly checkpoints?: number;
  /**
   * Version of the program: workers run only the jobs of their own version. Default: a digest of the program and the
   * files that it imports if the `engine` command runs it, otherwise `"0"`. Files that it reads, or imports by a
   * computed path, do not count: set the version if they change.
   */
  readonly version?: string;
}

/** Options of `engine()` that a fleet passes on to its stages. `stateStore` is made once and shared by all stages. */
export type FleetEngineOptions = Pick<
  EngineOptions,
  | "password"
  | "key"
  | "profile"
  | "rootDir"
  | "stateStore"
  | "strictState"
  | "plugins"
  | "force"
  | "adopt"
  | "refresh"
  | "maxDeletes"
  | "destroyStrategy"
  | "destroyOrphans"
  | "durability"
  | "lockTimeout"
  | "concurrency"
  | "env"
>;

/** Options of one fleet run. */
export interface FleetRunOptions {
  /**
   * Queue that distributes the stages to workers: `redis://HOST:PORT`, `rediss://HOST:PORT` or
   * `postgres://HOST/DATABASE`. For a Redis Cluster, the URL of one of its nodes. Default: the stages run in this
   * process.
   */
  readonly queue?: string;
  /** For `plan` and `drift`: the only stage to look at. It runs in this process, even with a queue. */
  readonly stage?: string;
  /** Number of stages that run at once in this process. Default: `concurrency` of the fleet. */
  readonly concurrency?: number;
  /** Interrupts the fleet run: no more stages begin, and running ones are interrupted. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for another run of this fleet. Default: 0. */
  readonly lockTimeout?: number;
  /** Version of the program, if the definition has none. */
  readonly version?: string;
  /** Options that the definition does not set, e.g. from a command line. */
  readonly defaults?: FleetEngineOptions;
  /**
   * Called with the number of stages before the first one begins. If it returns false, the run fails with
   * `NOT_CONFIRMED`.
   */
  confirm?(stages: number): boolean | Promise<boolean>;
  /**
   * Wait while the run is paused, or its next wave waits to be resumed. If false, the run ends with that state, and
   * {@link Fleet.resume} continues it. Default: true.
   */
  readonly wait?: boolean;
  /** Called with the report so far, at most four times a second, and at each change of its state. */
  onProgress?(report: FleetReport): void;
  /** Called when a stage has ended. */
  onStage?(ended: EndedStage): void;
  /** Called with warnings of the fleet's own record. */
  onWarning?(code: string, message: string): void;
}

/** A request to the process that conducts a fleet run. */
export type FleetRequest = "pause" | "resume" | "cancel";

/** Options of a worker: a process that runs the stages which conductors put into a queue. */
export interface FleetWorkOptions {
  /** URL of the queue; see {@link FleetRunOptions.queue}. */
  readonly queue: string;
  /** Number of stages that run at once. Default: `concurrency` of the fleet. */
  readonly concurrency?: number;
  /** Ends the worker: it takes no more jobs, and lets running stages end. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds that running stages may take once the worker is to end. After that, they are interrupted and their
   * jobs are handed back. Default: 30,000.
   */
  readonly grace?: number;
  /** Version of the program, if the definition has none. */
  readonly version?: string;
  /** Options that the definition does not set, e.g. from a command line. */
  readonly defaults?: FleetEngineOptions;
  /** Called when a stage has ended. */
  onStage?(ended: Omit<EndedStage, "wave"> & { readonly run: string; readonly command: FleetCommand }): void;
  /** Called with problems that do not end the worker, e.g. a lost connection. */
  onWarning?(code: string, message: string): void;
}

/** A worker in this process. */
export interface FleetWorker {
  /** Resolves when the worker has ended, i.e. after `signal`. @throws EngineError `QUEUE_FAILED`, `STORE_FAILED` */
  readonly done: Promise<WorkerStatus>;
  status(): WorkerStatus;
}

/** Status of a worker, e.g. for a health check. */
export interface WorkerStatus {
  readonly fleet: string;
  readonly version: string;
  readonly state: "starting" | "working" | "disconnected" | "ending" | "ended";
  /** Stages that are running now. */
  readonly running: readonly string[];
  /** Number of stages that have ended here. */
  readonly ended: number;
  readonly failed: number;
  /** Number of jobs that were refused, because they were not valid. */
  readonly refused: number;
}
