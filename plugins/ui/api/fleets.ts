/** The part of the contract between server and page that is about fleets; its paths are in `index.ts`. */
import type { StageOutcome as Ended, FleetCommand, FleetReport, Outcome } from "../../fleet/index.js";
import type { Failure } from "./index.js";

/** The last `up` or `destroy` of a fleet, as its record in the store says. */
export interface FleetView {
  /** With at most 100 groups of failures, and long texts cut. */
  readonly report: FleetReport;
  /** Number of further groups of failures. */
  readonly left: number;
  /** True if a process conducts the run, as far as the server's machine knows. */
  readonly isHeld: boolean;
  /** Changes whenever anything is recorded. */
  readonly mark: string;
  /** Set if the server was started with the program of this fleet. */
  readonly program?: FleetProgram;
}

/** The program of a fleet. */
export interface FleetProgram {
  /** Its file as it was named; absent if it was found in the current folder. */
  readonly file?: string;
  /** Failure of the last run that this server conducted. */
  readonly failure?: Failure;
}

/** The recorded stages sorted by name, as columns: a fleet may have a hundred thousand of them. */
export interface FleetStages {
  readonly mark: string;
  /** Number of recorded stages. */
  readonly total: number;
  /** As many names as one answer may hold. */
  readonly names: readonly string[];
  /** One digit for each name: an index in {@link STAGE_OUTCOMES}. */
  readonly outcomes: string;
  /** True if these are the last names. */
  readonly isLast: boolean;
}

/** The outcome of one stage in the last run of the fleet that ended it. */
export interface FleetStage extends Pick<Ended, "outcome" | "duration" | "code" | "resource" | "message"> {
  readonly command: FleetCommand;
}

/** `open`: it has not ended in this run. `left`: it is not in the list of stages any more. */
export type StageOutcome = Outcome | "open" | "left";

export const STAGE_OUTCOMES = [
  "failed",
  "skipped",
  "stopped",
  "changed",
  "unchanged",
  "open",
  "left",
] as const satisfies readonly StageOutcome[];

/** A request to the process that conducts a fleet run, or to the server if it has the program. */
export interface FleetOrder {
  /** Id of the run that the page shows: a later run does not get the request. */
  readonly run: string;
  readonly request: (typeof FLEET_REQUESTS)[number];
}

export const FLEET_REQUESTS = ["pause", "resume", "cancel", "retry"] as const;
