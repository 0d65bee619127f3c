/** The public types of reports about fleet runs. */
import type { ErrorCode } from "../../core/base/index.js";

/** Command of a fleet run; each stage runs the command of `engine` with the same name. */
export type FleetCommand = "up" | "plan" | "drift" | "destroy";

/** A share of stages, e.g. `"5%"` or `"0.5%"`. */
export type Percentage = `${number}%`;

/** A stage that has ended in a fleet run. */
export interface EndedStage extends StageOutcome {
  readonly stage: string;
  /** Number of its wave, from 1. */
  readonly wave: number;
}

/**
 * Outcome of one stage. `changed`: it was changed by `up` or `destroy`, would be changed (`plan`), or has drifted
 * (`drift`). `skipped`: it did not begin, because a stage that it waits for failed. `stopped`: it was interrupted.
 */
export type Outcome = "changed" | "unchanged" | "failed" | "skipped" | "stopped";

/** The outcome of one stage, in codes and counts. */
export interface StageOutcome {
  readonly outcome: Outcome;
  /** Milliseconds that it took. */
  readonly duration: number;
  /** Number of resources by action, e.g. `{ created: 3 }`; in a plan the actions that would be taken. */
  readonly resources?: Readonly<Record<string, number>>;
  /** Code of its failure. */
  readonly code?: ErrorCode;
  /** Name of the resource that failed, without app and stage, e.g. `network/db`. */
  readonly resource?: string;
  /** Message of its failure, without secrets; absent for a stage that ran elsewhere and recorded none. */
  readonly message?: string;
  /** Digest of the message without names and numbers, for a stage that ran elsewhere. */
  readonly cause?: string;
  /** What has drifted, for `drift`. */
  readonly drift?: StageDrift;
  /** Other stages of the fleet whose outputs it read. */
  readonly refs?: readonly string[];
}

/** Resources of one stage that differ from their records. */
export interface StageDrift {
  /** At most five. */
  readonly resources: readonly DriftedName[];
  /** Number of further ones. */
  readonly more?: number;
}

/** A resource that differs from its record. */
export interface DriftedName {
  /** Name without app and stage, e.g. `network/db`. */
  readonly resource: string;
  readonly kind: string;
  /** Set if it does not exist any more. */
  readonly gone?: true;
}

/**
 * State of a fleet run. `waiting`: the next wave waits for {@link Fleet.resume}. `stopped`: `maxFailures` was exceeded.
 * `interrupted`: its process was interrupted or killed. `failed`: all stages have ended, and some failed.
 */
export type FleetState = "running" | "waiting" | "paused" | "stopped" | "cancelled" | "interrupted" | "failed" | "done";

/** Report of a fleet run, finished or not. */
export interface FleetReport {
  readonly fleet: string;
  /** Random id of the fleet run. */
  readonly run: string;
  readonly command: FleetCommand;
  readonly version: string;
  readonly state: FleetState;
  /** Reason for the state, for people. */
  readonly reason?: string;
  /** Start time in ISO 8601 format. */
  readonly began: string;
  /** Milliseconds since the run began, or that it took. */
  readonly duration: number;
  /** Milliseconds of `duration` that earlier processes took, which this one continues. Absent if there were none. */
  readonly earlier?: number;
  readonly stages: Readonly<Record<Outcome, number>> & {
    readonly total: number;
    /** Number of stages that run now. Only the process that conducts the run knows it; elsewhere it is 0. */
    readonly running: number;
    /** Number of stages that are in the queue, and that no worker has begun. Known as `running` is. */
    readonly queued: number;
  };
  /** Number of workers that take stages from the queue now, known as `stages.running` is; absent without a queue. */
  readonly workers?: number;
  /** Number of workers that died while they ran stages, or lost their connection; absent without a queue. */
  readonly workersLost?: number;
  readonly waves: readonly WaveReport[];
  /** Number of resources by action in all stages, e.g. `{ created: 30 }`. */
  readonly resources: Readonly<Record<string, number>>;
  /** The stages that took longest, at most five. */
  readonly slowest: readonly { readonly stage: string; readonly duration: number }[];
  /** Failures grouped by cause, the most frequent first. */
  readonly failures: readonly FailureGroup[];
  /** Stages that would change or have drifted, for `plan` and `drift`; at most 100. */
  readonly changed: readonly string[];
  /** What has drifted in the stages of `changed`, by stage; only for `drift`. */
  readonly drifted?: Readonly<Record<string, StageDrift>>;
  /** Stages that ended with an earlier version of the program, before the run was continued; names at most five. */
  readonly outdated?: { readonly count: number; readonly stages: readonly string[] };
  /** Recorded stages that are not in the list of stages any more; at most 100. */
  readonly left: readonly string[];
}

/** The progress of one wave. */
export interface WaveReport {
  readonly to: Percentage;
  readonly total: number;
  /** Number of stages that have ended, i.e. the sum of the following ones. */
  readonly finished: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly skipped: number;
  /** Set for the additional wave that destroys the stages which left the list. */
  readonly prune?: true;
}

/**
 * Failures of one cause: the same code at the same resource, and the same message but for names and numbers. Beyond 20
 * messages at one resource, further ones share a group.
 */
export interface FailureGroup {
  readonly code: ErrorCode;
  /** Name of the resource, without app and stage; absent if the stage failed as a whole. */
  readonly resource?: string;
  /** Message of one of them. */
  readonly message?: string;
  readonly count: number;
  /** The stages, at most 100 of them. */
  readonly stages: readonly string[];
}
