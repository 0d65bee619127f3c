/** Reads the last run of a fleet, and its stages, from a state store. The program is not needed. */
import { EngineError, isRecord, nameProblem, timeOfDay } from "../../core/base/index.js";
import { byName } from "../internal/text/name-order.js";
import { Tally } from "./conductor/tally.js";
import type { FleetReport, FleetState, Outcome, WaveReport } from "./contract.js";
import { readFailure } from "./notes.js";
import {
  FleetRecord,
  isDestroyed,
  isOutdated,
  type RecordOptions,
  type RunRecord,
  type StageRecord,
  stillLeft,
} from "./record.js";

/** The last `up` or `destroy` of a fleet. */
export interface FleetStatus {
  readonly report: FleetReport;
  /** True if a process conducts the run, as far as this machine knows. */
  readonly isHeld: boolean;
}

/**
 * A stage of the record. `open`: it has not ended in the last run. `left`: it is not in the list of stages any more.
 */
export interface RecordedStage {
  readonly stage: string;
  readonly outcome: Outcome | "open" | "left";
}

/**
 * Returns the last run of a fleet; undefined if there was none. Takes no lock.
 *
 * @throws EngineError `STATE_CORRUPT` if the record is damaged, and as `engine()` does
 */
export async function fleetStatus(fleet: string, options: RecordOptions): Promise<FleetStatus | undefined> {
  const record = await FleetRecord.read(fleet, options);
  try {
    return statusIn(fleet, record);
  } finally {
    await record.close();
  }
}

/** @throws EngineError `STATE_CORRUPT` */
export function statusIn(fleet: string, record: FleetRecord): FleetStatus | undefined {
  const run = runIn(fleet, record);
  if (!run) return undefined;
  const tally = new Tally(run.waves);
  for (const [stage, known] of record.stages()) {
    checkStage(fleet, stage, known);
    if (known.run !== run.id) continue;
    tally.add(stage, known.wave, known, false);
    if (isOutdated(run, known)) tally.addOutdated(stage);
  }
  const { id, command, version, began, left, reason, duration, workersLost, ended } = run;
  const { isHeld } = record;
  const report: FleetReport = {
    fleet,
    run: id,
    command,
    version,
    state: run.state === "running" && !isHeld ? "interrupted" : run.state,
    ...(reason === undefined ? {} : { reason }),
    ...(workersLost === undefined ? {} : { workersLost }),
    began,
    duration: duration ?? Math.max(0, Date.parse(timeOfDay()) - Date.parse(began)),
    left: stillLeft(record, left),
    ...tally.part(),
    ...ended,
  };
  return { report, isHeld };
}

/** Returns the recorded stages, sorted by name. @throws EngineError `STATE_CORRUPT` */
export function stagesIn(fleet: string, record: FleetRecord): readonly RecordedStage[] {
  const run = runIn(fleet, record);
  const left = new Set(run?.left);
  // A run that has ended well has run all stages of its list.
  const isWhole = run?.state === "done" || run?.state === "failed";
  const outcomeOf = (stage: string, known: StageRecord): RecordedStage["outcome"] => {
    if (known.run === run?.id) return known.outcome;
    return isWhole || left.has(stage) ? "left" : "open";
  };
  const found: RecordedStage[] = [];
  for (const [stage, known] of record.stages()) {
    checkStage(fleet, stage, known);
    const isGone = isDestroyed(known) && known.run !== run?.id;
    if (!isGone) found.push({ stage, outcome: outcomeOf(stage, known) });
  }
  return byName(found, ({ stage }) => stage);
}

/** Returns a stage, as the last run that ended it recorded it. @throws EngineError `STATE_CORRUPT` */
export function stageIn(fleet: string, record: FleetRecord, name: string): StageRecord | undefined {
  const known = record.stage(name);
  if (known) checkStage(fleet, name, known);
  return known;
}

/**
 * Returns the message of a failed stage: from the record, or from the state of the stage, where the worker that ran it
 * left it.
 *
 * @throws EngineError as `engine()` does
 */
export async function messageIn(
  fleet: string,
  stage: string,
  { outcome, message, run }: StageRecord,
  options: RecordOptions,
): Promise<string | undefined> {
  if (outcome !== "failed" || message !== undefined) return message;
  const found = await readFailure(fleet, stage, options);
  return found?.run.startsWith(`${run}.`) ? found.message : undefined;
}

/** Other programs may write to the store, also a later version of this one. */
function runIn(fleet: string, record: FleetRecord): RunRecord | undefined {
  const { run } = record;
  if (run === undefined) return undefined;
  const { began, waves, left, ended, reason, duration, workersLost, retried, ...texts }: Fields<RunRecord> =
    Object(run);
  if ([texts.id, texts.command, texts.version, texts.state].some((text) => typeof text !== "string"))
    throw damaged(fleet, "its run is invalid");
  if (!STATES.has(texts.state)) throw damaged(fleet, "the state of its run is not known to this version");
  if (Number.isNaN(Date.parse(String(began)))) throw damaged(fleet, "the start of its run is not a time");
  if (!isMaybe(reason, "string") || ![duration, workersLost, retried].every((value) => isMaybe(value, "number")))
    throw damaged(fleet, "its run is invalid");
  if (texts.versions !== undefined && !isListOf(texts.versions, (one) => typeof one === "string"))
    throw damaged(fleet, "its versions are invalid");
  if (texts.settings !== undefined && !isRecordOfTexts(texts.settings))
    throw damaged(fleet, "the options of its run are invalid");
  if (!isListOf(waves, isWave)) throw damaged(fleet, "its waves are invalid");
  if (!isListOf(left, isName)) throw damaged(fleet, "its list of stages that left is invalid");
  if (ended !== undefined && !isEnded(ended)) throw damaged(fleet, "the counts of its run are invalid");
  return run;
}

type Fields<T> = Partial<Record<keyof T, unknown>>;

const STATES: ReadonlySet<unknown> = new Set<FleetState>([
  "running",
  "waiting",
  "paused",
  "stopped",
  "cancelled",
  "interrupted",
  "failed",
  "done",
]);

const OUTCOMES: ReadonlySet<unknown> = new Set<Outcome>(["changed", "unchanged", "failed", "skipped", "stopped"]);

function checkStage(fleet: string, stage: string, known: unknown): asserts known is StageRecord {
  const {
    outcome,
    wave,
    duration,
    run,
    code,
    resource,
    message,
    cause,
    attempt,
    resources = {},
  }: Fields<StageRecord> = Object(known);
  const isValid =
    isName(stage) &&
    OUTCOMES.has(outcome) &&
    [wave, duration].every(Number.isFinite) &&
    typeof run === "string" &&
    [code, resource, message, cause].every((text) => isMaybe(text, "string")) &&
    isMaybe(attempt, "number") &&
    isCounts(resources);
  if (!isValid) throw damaged(fleet, `its stage ${JSON.stringify(stage)} is invalid`);
}

function isMaybe(value: unknown, type: "string" | "number"): boolean {
  return value === undefined || typeof value === type;
}

function isName(value: unknown): boolean {
  return nameProblem(value) === undefined;
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isWave(value: unknown): boolean {
  const { to, total }: Fields<WaveReport> = Object(value);
  return typeof to === "string" && Number.isSafeInteger(total);
}

function isRecordOfTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

function isCounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(Number.isFinite);
}

function isEnded(value: unknown): boolean {
  const { stages, waves, resources, slowest }: Fields<FleetReport> = Object(value);
  const isSlow = (one: unknown): boolean => isName(Object(one).stage) && Number.isFinite(Object(one).duration);
  const isCounted = (one: unknown): boolean => isWave(one) && Number.isSafeInteger(Object(one).finished);
  return isCounts(stages) && isListOf(waves, isCounted) && isCounts(resources) && isListOf(slowest, isSlow);
}

function damaged(fleet: string, why: string): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `The record of the fleet "${fleet}" is damaged: ${why}. A new run replaces it: engine fleet up.`,
  );
}
