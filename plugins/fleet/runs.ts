/** Starts, continues and inspects the runs of a fleet. */
import { checkGiven, EngineError, isEngineError, timeOfDay, uuid } from "../../core/base/index.js";
import { askConductor, neverRan, notRecorded, UNFINISHED } from "./ask-conductor.js";
import { type Conducting, isGood, isLook, type Lanes } from "./conductor/conducting.js";
import { Conductor } from "./conductor/conductor.js";
import { type Entry, extraEntries, leftIn, listStages } from "./conductor/listing.js";
import { Tally } from "./conductor/tally.js";
import type { Wave } from "./conductor/waves.js";
import type {
  FleetCommand,
  FleetOptions,
  FleetReport,
  FleetRequest,
  FleetRunOptions,
  FleetWorker,
  FleetWorkOptions,
} from "./contract.js";
import { localLanes } from "./local.js";
import { readRequest } from "./notes.js";
import { continued, FleetRecord, type RecordOptions, type RunRecord } from "./record.js";
import { runRules, workRules } from "./rules.js";
import { begunOf, MAX_FAILURES, namesText, settingsOf } from "./settings.js";
import { fleetStatus } from "./status.js";
import { calmed, warnOfFiles } from "./warnings.js";

const CONCURRENCY = 16;

export interface Parts {
  readonly name: string;
  readonly definition: FleetOptions<unknown>;
  readonly waves: readonly Wave[];
}

function recordOptions({ definition }: Parts, { lockTimeout, onWarning }: FleetRunOptions): RecordOptions {
  const { password, key, profile, rootDir, stateStore, strictState, env, plugins } = definition.options ?? {};
  const given = { password, key, profile, rootDir, stateStore, strictState, env, plugins };
  return { ...given, lockTimeout: lockTimeout ?? 0, onWarning };
}

export async function work(parts: Parts, given: FleetWorkOptions): Promise<FleetWorker> {
  const { name, definition } = parts;
  checkGiven("fleet.work", given, workRules);
  const options = { ...given, onWarning: calmed(given.onWarning) };
  const { startWorker } = await import("./queue/work.js");
  const { concurrency = CONCURRENCY } = definition;
  const version = versionOf(parts, options);
  const { onWarning } = options;
  return startWorker({ name, definition, version, concurrency, look: recordOptions(parts, { onWarning }) }, options);
}

/** Begins a run, or continues an equal one that has not ended. */
export async function begin(parts: Parts, command: FleetCommand, options: FleetRunOptions): Promise<FleetReport> {
  const version = versionOf(parts, options);
  const looks = isLook(command);
  return withRecord(parts, options, looks ? undefined : command, async (record, calm) => {
    const last = record.run;
    const isUnfinished = last !== undefined && UNFINISHED.has(last.state);
    const continues = isUnfinished && !looks && last.command === command && last.version === version;
    const run = continues ? last : newRun(command, version);
    if (!continues && !looks) await record.dropDestroyed();
    if (continues) warnOfEnded(parts, record, last, calm);
    return conduct(parts, calm, { record, run, forgives: false });
  });
}

/** Options of the command line that only stages obey which begin now. */
const STAGE_OPTIONS = { force: "force", adopt: "adopt", refresh: "refresh", maxDeletes: "max-deletes" } as const;

/** Warns of options that do not reach the stages which have ended in a run that is continued. */
function warnOfEnded(
  { name }: Parts,
  record: FleetRecord,
  run: RunRecord,
  { defaults = {}, onWarning }: FleetRunOptions,
): void {
  const given = Object.entries(STAGE_OPTIONS).filter(([option]) => Object(defaults)[option] !== undefined);
  if (given.length === 0) return;
  let ended = 0;
  for (const [, known] of record.stages()) if (known.run === run.id && isGood(known)) ended++;
  if (ended === 0) return;
  const flags = given.map(([, flag]) => `--${flag}`).join(", ");
  onWarning?.(
    "CONTINUED",
    `This continues the ${run.command} of the fleet "${name}" that began at ${run.began}. ${flags} does not reach the ${ended} stages that have ended well in it, because they do not run again. To run all stages, cancel that run first: engine fleet cancel`,
  );
}

function newRun(command: FleetCommand, version: string): RunRecord {
  const began = timeOfDay();
  return { id: uuid(), command, version, attempt: 0, state: "running", began, begun: 0, waves: [], left: [] };
}

/** Continues the last run. */
export async function goOn(
  parts: Parts,
  options: FleetRunOptions,
  { retries }: { readonly retries: boolean },
): Promise<FleetReport> {
  return withRecord(parts, options, retries ? "retry" : "resume", async (record, calm) => {
    const { run } = record;
    if (!run) throw neverRan(parts.name, record.store);
    const isOver = run.state === "done" || (run.state === "failed" && !retries);
    if (isOver) throw notRecorded(parts.name, `has nothing to continue: its last run (${run.command}) is ${run.state}`);
    const next = continued(run, versionOf(parts, options), retries);
    return conduct(parts, calm, { record, run: next, forgives: true });
  });
}

export async function resume(parts: Parts, options: FleetRunOptions): Promise<FleetReport> {
  try {
    return await goOn(parts, options, { retries: false });
  } catch (error) {
    if (!isEngineError(error, "STATE_LOCKED")) throw error;
    return request(parts, "resume", options);
  }
}

/** Sends a request to the process that conducts the fleet. */
export async function request(parts: Parts, what: FleetRequest, options: FleetRunOptions): Promise<FleetReport> {
  checkGiven(`fleet.${what}`, options, runRules);
  return askConductor(parts.name, recordOptions(parts, options), what);
}

export async function status(parts: Parts, options: FleetRunOptions): Promise<FleetReport | undefined> {
  checkGiven("fleet.status", options, runRules);
  return (await fleetStatus(parts.name, recordOptions(parts, options)))?.report;
}

/** @param command of the session; undefined to read only */
async function withRecord<T>(
  parts: Parts,
  options: FleetRunOptions,
  command: string | undefined,
  work: (record: FleetRecord, calm: FleetRunOptions) => Promise<T>,
): Promise<T> {
  checkGiven(`fleet.${command ?? "plan"}`, options, runRules);
  const calm = { ...options, onWarning: calmed(options.onWarning) };
  const given = recordOptions(parts, calm);
  const record = await (command === undefined
    ? FleetRecord.read(parts.name, given)
    : FleetRecord.open(parts.name, given, command));
  let result: T;
  try {
    result = await work(record, calm);
  } catch (error) {
    await record.close("failed").catch(() => {});
    throw record.safe(error);
  }
  await record.close();
  return result;
}

async function conduct(
  parts: Parts,
  options: FleetRunOptions,
  { record, run: given, forgives }: Pick<Conducting, "record" | "run" | "forgives">,
): Promise<FleetReport> {
  const { name, definition, waves: all } = parts;
  const { command } = given;
  const looks = isLook(command);
  // Nothing can break, so nothing has to be tried on a few first.
  const waves = looks ? all.map(({ to }): Wave => ({ to, start: "auto" })) : all;
  const before = looks ? undefined : await askedOf(parts, options, given.id, record);
  const listed = await listStages(name, definition, { waves, record, command, signal: options.signal });
  if (!listed) return notStarted(name, given);
  const left = leftIn(record, listed);
  const entries =
    options.stage === undefined
      ? [...listed, ...extraEntries(definition, { command, left, record, waves: waves.length, listed })]
      : onlyStage(name, command, options.stage, listed);
  if ((await options.confirm?.(entries.length)) === false) {
    throw new EngineError(
      "NOT_CONFIRMED",
      `The ${command} of the fleet "${name}" was not confirmed. Nothing was started.`,
    );
  }
  const lanes = await lanesOf(parts, options, record, given.version);
  const settings = { ...settingsOf(definition, all), stages: namesText(listed.map(({ stage }) => stage)) };
  const begun = begunOf(name, given, settings, options);
  const run: RunRecord = { ...given, begun, settings, left: left.slice(0, MOST_NAMES) };
  const conducting: Conducting = {
    fleet: name,
    entries,
    run,
    forgives,
    waves,
    limits: definition.limit,
    maxFailures: definition.maxFailures ?? MAX_FAILURES,
    record,
    lanes,
    options,
    seen: before?.id,
    asked: looks ? undefined : () => askedOf(parts, options, run.id, record),
  };
  try {
    return await new Conductor(conducting).conduct();
  } finally {
    await lanes.close?.();
  }
}

/** @throws EngineError `INVALID_OPTION` for a run that changes something, and for a stage that is not in the list */
function onlyStage(fleet: string, command: FleetCommand, stage: string, listed: readonly Entry[]): readonly Entry[] {
  const refused = (why: string) => new EngineError("INVALID_OPTION", `Option "stage" ${why} Nothing was started.`);
  if (!isLook(command)) throw refused(`is for plan and drift: ${command} runs all stages. Leave it out.`);
  const found = listed.filter((one) => one.stage === stage).map((one) => ({ ...one, after: [] }));
  if (found.length === 0) throw refused(`is ${JSON.stringify(stage)}, which is not a stage of the fleet "${fleet}".`);
  return found;
}

async function lanesOf(parts: Parts, options: FleetRunOptions, record: FleetRecord, version: string): Promise<Lanes> {
  const { name, definition } = parts;
  const { queue: url, concurrency = definition.concurrency ?? CONCURRENCY } = options;
  if (url === undefined || options.stage !== undefined)
    return localLanes(name, definition, record, { concurrency, onWarning: options.onWarning });
  warnOfFiles(record.store, options.onWarning);
  const { queueLanes } = await import("./queue/lanes.js");
  const look = { ...recordOptions(parts, options), stateStore: record.store };
  return queueLanes(name, record, { url, version, options, look });
}

const MOST_NAMES = 100;

/** Returns the report of a run that was interrupted while its stages were listed. */
function notStarted(fleet: string, { id, command, version, began, left }: RunRecord): FleetReport {
  const reason = "its stages were being listed, and none was started";
  return {
    fleet,
    run: id,
    command,
    version,
    state: "interrupted",
    reason,
    began,
    duration: 0,
    left,
    ...new Tally([]).part(),
  };
}

async function askedOf(parts: Parts, options: FleetRunOptions, run: string, { store }: FleetRecord) {
  const found = await readRequest(parts.name, { ...recordOptions(parts, options), stateStore: store });
  return found?.run === run ? found : undefined;
}

function versionOf({ definition }: Parts, { version }: Pick<FleetRunOptions, "version">): string {
  return definition.version ?? version ?? "0";
}
