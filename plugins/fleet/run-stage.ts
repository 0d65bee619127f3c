/** Runs the command of a fleet in one stage. */
import {
  EngineError,
  errorCodes,
  failureNote,
  isEngineError,
  monotonicNow,
  RunFailedError,
  type RunSummary,
  withDeadline,
  withResolvers,
} from "../../core/base/index.js";
import type { PlanError, Scope, StateStore } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";
import type {
  FleetCommand,
  FleetEngineOptions,
  FleetOptions,
  FleetRunOptions,
  StageDrift,
  StageOutcome,
} from "./contract.js";
import { stageEngine, stagesReadBy } from "./parts.js";

/** One stage to run. */
export interface StageJob {
  readonly command: FleetCommand;
  readonly stage: string;
  readonly input: unknown;
}

export interface StageRunner {
  /**
   * Runs a stage to its end. Never rejects. A stage that ignores its signal counts as stopped after
   * {@link INTERRUPT_LIMIT}, although its program still runs.
   */
  run(job: StageJob, signal: AbortSignal): Promise<StageOutcome>;
}

/** Longer than a lease, so that the run waits until a killed run of the same stage counts as dead. */
const LOCK_TIMEOUT = 60_000;

/** Milliseconds that an interrupted stage may take to end. */
export const INTERRUPT_LIMIT = 10_000;

/** @param store shared by all stages; the caller closes it */
export function stageRunner(
  fleet: string,
  {
    program,
    options,
    histories = 1,
    checkpoints = 1,
  }: Pick<FleetOptions<unknown>, "program" | "options" | "histories" | "checkpoints">,
  store: StateStore,
  onWarning: FleetRunOptions["onWarning"],
): StageRunner {
  const engine = stageEngine({ histories, checkpoints });
  const given = { lockTimeout: LOCK_TIMEOUT, ...options, stateStore: store, argv: [], telemetry: false } as const;
  return {
    run(job, signal) {
      const began = monotonicNow();
      return endedOrLeft(runStage({ fleet, engine, program, given }, job, signal), signal, () => {
        onWarning?.("STAGE_LEFT", leftMessage(job.stage));
        return { ...STOPPED, duration: Math.round(monotonicNow() - began) };
      });
    },
  };
}

/** @param leave returns the outcome of a stage that does not end after its interruption */
async function endedOrLeft(
  running: Promise<StageOutcome>,
  signal: AbortSignal,
  leave: () => StageOutcome,
): Promise<StageOutcome> {
  const left = withResolvers<StageOutcome>();
  const onAbort = (): void => {
    withDeadline(INTERRUPT_LIMIT, running, leave).catch((outcome: unknown) => left.resolve(outcome as StageOutcome));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([running, left.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function leftMessage(stage: string): string {
  return `The stage "${stage}" still runs ${INTERRUPT_LIMIT / 1_000} s after it was interrupted, and is left to itself. Its program ignores its signal: pass app.signal, or the signal of a handler, to the calls that take long.`;
}

interface Parts {
  readonly fleet: string;
  readonly engine: ReturnType<typeof stageEngine>;
  readonly program: FleetOptions<unknown>["program"];
  readonly given: FleetEngineOptions;
}

async function runStage(parts: Parts, job: StageJob, signal: AbortSignal): Promise<StageOutcome> {
  const began = monotonicNow();
  const refs: string[] = [];
  const duration = (): number => Math.round(monotonicNow() - began);
  const read = () => (refs.length > 0 ? { refs } : {});
  try {
    const { counts, drift } = await done(parts, job, signal, refs);
    const resources = countsIn(counts);
    const outcome = Object.keys(resources).some((action) => !SAME.has(action)) ? "changed" : "unchanged";
    return { outcome, duration: duration(), resources, ...(drift && { drift }), ...read() };
  } catch (error) {
    return { ...(signal.aborted ? STOPPED : failure(parts.fleet, job.stage, error)), duration: duration(), ...read() };
  }
}

const STOPPED = { outcome: "stopped" } as const;

type Counts = Readonly<Record<string, number>>;

/** Counts that do not make a stage a changed one. */
const SAME: ReadonlySet<string> = new Set(["unchanged", "unread"]);

/** Drifted resources that are named. */
const MOST_DRIFTED = 5;

interface Done {
  /** Numbers of resources by outcome. */
  readonly counts: Counts;
  readonly drift?: StageDrift;
}

async function done(
  { fleet, engine, program, given }: Parts,
  { command, stage, input }: StageJob,
  signal: AbortSignal,
  refs: string[],
): Promise<Done> {
  const options = { ...given, stage, signal };
  const body = async (scope: Scope): Promise<void> => {
    try {
      await program(scope, input);
    } finally {
      refs.push(...stagesReadBy(appOf(scope)));
    }
  };
  switch (command) {
    case "up":
      return { counts: named((await engine.up(fleet, options, body)).summary) };
    case "destroy":
      return { counts: named((await engine.down(fleet, options)).summary) };
    case "plan": {
      const { counts, uncertain, errors, stopped } = await engine.plan(fleet, options, body);
      if (errors[0]) throw asError(errors[0]);
      if (stopped !== undefined) throw new EngineError("PLAN_FAILED", stopped);
      return { counts: sum(counts, uncertain) };
    }
    case "drift": {
      const { resources, same, unread, errors } = await engine.drift(fleet, options);
      if (errors[0]) throw asError(errors[0]);
      const gone = resources.filter((one) => one.gone).length;
      const counts = { drifted: resources.length - gone, gone, unread: unread.length, unchanged: same };
      if (resources.length === 0) return { counts };
      const names = resources.slice(0, MOST_DRIFTED).map(({ fqn, kind, gone: isGone }) => {
        return { resource: fqn.slice(`${fleet}/${stage}/`.length), kind, ...(isGone && { gone: true as const }) };
      });
      const more = resources.length - names.length;
      return { counts, drift: { resources: names, ...(more > 0 && { more }) } };
    }
  }
}

function named({ left, failed, stopped, notBegun, ...done }: RunSummary): Counts {
  return done;
}

function sum(counts: Counts, others: Counts): Counts {
  const names = [...new Set([...Object.keys(counts), ...Object.keys(others)])];
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (others[name] ?? 0)]));
}

/** Leaves out what did not happen, and reads, which change nothing. */
function countsIn(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([action, count]) => count > 0 && action !== "read"));
}

function asError({ code, message, fqn }: PlanError): EngineError {
  return new EngineError(errorCodes.find((known) => known === code) ?? "PLAN_FAILED", message, { fqn });
}

/** Returns the codes and the message of a failure. A run with several failures reports the first. */
function failure(fleet: string, stage: string, error: unknown): Omit<StageOutcome, "duration"> {
  const first = error instanceof RunFailedError ? error.errors[0] : error;
  const root = `${fleet}/${stage}/`;
  const { message, fqn } = failureNote(first);
  return {
    outcome: "failed",
    code: isEngineError(first) ? first.code : "RUN_FAILED",
    message,
    ...(fqn?.startsWith(root) && { resource: fqn.slice(root.length) }),
  };
}
