/** The parts that a conductor is given. */
import { ignore } from "../../../core/base/index.js";
import { causeIn } from "../cause.js";
import type { FleetCommand, FleetReport, FleetRequest, FleetRunOptions, StageOutcome } from "../contract.js";
import type { FleetRecord, RunRecord } from "../record.js";
import type { Entry } from "./listing.js";
import type { Schedule, ScheduleItem } from "./schedule.js";
import type { Tally } from "./tally.js";
import type { Wave } from "./waves.js";

/** The workers that run stages elsewhere. */
export interface LaneCrew {
  /** Number of stages that they run now. */
  readonly running: number;
  readonly workers: number;
  /** Number of workers that died while they ran stages. */
  readonly lost: number;
}

/** Runs stages, in this process or elsewhere. */
export interface Lanes {
  /** Number of stages to hand over at once. */
  readonly window: number;
  /** Runs a stage. Rejects only if no more stages can be run. */
  run(entry: Entry, run: RunRecord): Promise<StageOutcome>;
  /** Interrupts the stages of a run: those that run elsewhere only if it is cancelled. */
  interrupt(run: RunRecord): void;
  /** Undefined if this process runs the stages. */
  readonly crew?: LaneCrew;
  /** Returns the message of a failure whose outcome has none. */
  messageOf?(stage: string): Promise<string | undefined>;
  close?(): Promise<void>;
}

/** A request to the conductor of a run. */
export interface Asked {
  readonly id: string;
  readonly request: FleetRequest;
  readonly by: string;
}

export interface Conducting {
  readonly fleet: string;
  readonly entries: readonly Entry[];
  /** The run to begin or to continue. */
  readonly run: RunRecord;
  /** True if failures of an earlier process of the run do not count for `maxFailures`. */
  readonly forgives: boolean;
  readonly waves: readonly Wave[];
  readonly limits: ConstructorParameters<typeof Schedule>[2];
  readonly maxFailures: number | string;
  readonly record: FleetRecord;
  readonly lanes: Lanes;
  readonly options: FleetRunOptions;
  /** Id of the last request before this process; it is not obeyed. */
  readonly seen?: string;
  /** Returns the last request to this run, if any. */
  asked?(): Promise<Asked | undefined>;
}

/** True for a command that changes nothing. */
export function isLook(command: FleetCommand): boolean {
  return command === "plan" || command === "drift";
}

/** True if a stage ended well. */
export function isGood({ outcome }: Pick<StageOutcome, "outcome">): boolean {
  return outcome === "changed" || outcome === "unchanged";
}

/** Counts the stages of each wave, and of the additional wave that destroys stages which left the list. */
export function totals(waves: readonly Wave[], items: readonly ScheduleItem[]): RunRecord["waves"] {
  const counts: number[] = waves.map(() => 0);
  for (const { wave } of items) counts[wave] = (counts[wave] ?? 0) + 1;
  return counts.map((total, wave) => {
    const to = waves[wave]?.to;
    return to === undefined ? { to: "100%", total, prune: true } : { to, total };
  });
}

/** Returns the part of a report that workers change. @param before number of workers that died in earlier processes */
export function crewPart({ crew }: Lanes, tally: Tally, before = 0): ReturnType<Tally["part"]> & CrewPart {
  const part = tally.part();
  if (!crew) return part;
  const running = Math.min(crew.running, tally.begun);
  const stages = { ...part.stages, running, queued: tally.begun - running };
  return { ...part, stages, workers: crew.workers, workersLost: before + crew.lost };
}

type CrewPart = Pick<FleetReport, "workers" | "workersLost">;

/** Adds the message of a failure if none of its cause is known. */
export async function explained(lanes: Lanes, tally: Tally, stage: string, ended: StageOutcome): Promise<StageOutcome> {
  if (ended.outcome !== "failed" || ended.message !== undefined || !tally.wants(stage, ended)) return ended;
  const message = await lanes.messageOf?.(stage).catch(ignore);
  // Otherwise it is the message of an earlier failure: a plan, for example, records none.
  const isOwn = typeof message === "string" && causeIn(message, stage) === ended.cause;
  return isOwn ? { ...ended, message } : ended;
}
