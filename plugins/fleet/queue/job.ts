/** The jobs of a fleet, and their outcomes, as a queue stores them. They hold codes and digests, never messages. */
import type { JobText, QueueServer } from "../../../adapters/bullmq/queue.js";
import { errorCodes, nameProblem, nodeCrypto } from "../../../core/base/index.js";
import { causeIn, isCause } from "../cause.js";
import { LONGEST_INPUT } from "../conductor/listing.js";
import type { DriftedName, FleetCommand, Outcome, StageDrift, StageOutcome } from "../contract.js";
import type { RunRecord } from "../record.js";
import { RESERVED } from "../reserved.js";

/** A stage to run, as a job. */
export interface Job {
  /** See {@link runName}. */
  readonly run: string;
  readonly command: FleetCommand;
  readonly stage: string;
  /** Its encoded input, as JSON text. */
  readonly input: string;
}

const COMMANDS: readonly string[] = ["up", "plan", "drift", "destroy"] satisfies FleetCommand[];
const OUTCOMES: readonly string[] = ["changed", "unchanged", "failed", "skipped", "stopped"] satisfies Outcome[];

/** Longest job, in UTF-16 units: the input, and room for the names. */
const LONGEST = LONGEST_INPUT + 4_096;

/** Returns the name of a run in its jobs. A run that is continued by hand has other jobs. */
export function runName({ id, attempt }: Pick<RunRecord, "id" | "attempt">): string {
  return `${id}.${attempt}`;
}

/**
 * Returns the id of a job, the same each time it is added. It is not a number and has no ":", as BullMQ requires.
 *
 * @param run see {@link runName}
 */
export function jobId(run: string, stage: string): string {
  return `s${nodeCrypto().createHash("sha256").update(`${run}\0${stage}`).digest("hex").slice(0, 32)}`;
}

/**
 * Times that a job may fail. A failed stage is a result, so a job fails only if the server refused to take its result.
 * Then its stage runs again, as one whose worker died does.
 */
const ATTEMPTS = 10;

/** Returns a job as BullMQ adds it. */
export function addedJob(id: string, text: JobText, kept: QueueServer["kept"]) {
  const opts = { jobId: id, attempts: ATTEMPTS, removeOnComplete: kept, removeOnFail: kept };
  return { name: "stage", data: text, opts };
}

export function jobText({ run, command, stage, input }: Job): JobText {
  return JSON.stringify({ v: 1, run, command, stage, input });
}

/** Returns the job; undefined for a text that no conductor wrote. */
export function parseJob(text: unknown): Job | undefined {
  if (typeof text !== "string" || text.length > LONGEST) return undefined;
  const { v, run, command, stage, input } = membersOf(text);
  if (v !== 1 || typeof run !== "string" || typeof input !== "string" || typeof stage !== "string") return undefined;
  if (!isCommand(command) || nameProblem(stage) !== undefined || stage.startsWith(RESERVED)) return undefined;
  return { run, command, stage, input };
}

function isCommand(value: unknown): value is FleetCommand {
  return typeof value === "string" && COMMANDS.includes(value);
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns the outcome of a stage as the result of a job, which has a digest instead of the message. */
export function resultOf(stage: string, { message, ...outcome }: StageOutcome): StageOutcome {
  return message === undefined ? outcome : { ...outcome, cause: causeIn(message, stage) };
}

/** Returns the outcome in the result of a job; a failure for a result that no worker of ours returned. */
export function parseResult(result: unknown): StageOutcome {
  const { outcome, duration, resources, code, resource, cause, drift, refs } =
    typeof result === "object" && result !== null ? ({ ...result } as Partial<StageOutcome>) : {};
  const known = OUTCOMES.find((one) => one === outcome) as Outcome | undefined;
  if (known === undefined) return { outcome: "failed", duration: 0, code: "QUEUE_FAILED" };
  const counts = Object.entries(resources ?? {}).filter(([, count]) => Number.isSafeInteger(count));
  return {
    outcome: known,
    duration: Number.isFinite(duration) ? Number(duration) : 0,
    ...(counts.length > 0 && { resources: Object.fromEntries(counts) }),
    ...(code !== undefined && { code: errorCodes.find((one) => one === code) ?? "RUN_FAILED" }),
    ...(typeof resource === "string" && { resource: resource.slice(0, LONGEST_NAME) }),
    ...(isCause(cause) && { cause }),
    ...(drift !== undefined && { drift: driftIn(drift) }),
    ...(Array.isArray(refs) && { refs: refs.filter((ref) => nameProblem(ref) === undefined) }),
  };
}

const LONGEST_NAME = 1_000;

function driftIn(given: unknown): StageDrift {
  const { resources, more }: Partial<StageDrift> = Object(given);
  const named = (Array.isArray(resources) ? resources : []).map((one: unknown) => {
    const { resource, kind, gone }: Partial<DriftedName> = Object(one);
    const [name, type] = [resource, kind].map((text) => String(text).slice(0, LONGEST_NAME));
    return { resource: name ?? "", kind: type ?? "", ...(gone === true && { gone }) };
  });
  return { resources: named.slice(0, 5), ...(Number.isSafeInteger(more) && { more: Number(more) }) };
}
