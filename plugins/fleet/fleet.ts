/** Makes fleets: checks their definitions, and starts, continues and inspects their runs. */
import {
  callback,
  checkGiven,
  checkName,
  EngineError,
  either,
  flag,
  hasFunctions,
  isEngineError,
  isRecord,
  record as object,
  type Rule,
  type RulesOf,
  text,
  timeOfDay,
  uuid,
  wholeFrom,
} from "../../core/base/index.js";
import { askConductor, notRecorded, UNFINISHED } from "./ask-conductor.js";
import { BRAND, type Branded } from "./brand.js";
import { type Conducting, Conductor } from "./conductor.js";
import type {
  FleetCommand,
  FleetOptions,
  FleetReport,
  FleetRequest,
  FleetRunOptions,
  FleetWorker,
  FleetWorkOptions,
} from "./contract.js";
import { withDefaults } from "./defaults.js";
import { type Entry, listStages } from "./listing.js";
import { localLanes } from "./local.js";
import { FleetRecord, isDestroyed, type RecordOptions, type RunRecord, readRequest } from "./record.js";
import { fleetStatus } from "./status.js";
import { Tally } from "./tally.js";
import { amountOf, fractionOf, parseWaves, type Wave } from "./waves.js";

/** A fleet: one program over many stages. Each method resolves with a report; its `state` says how the run ended. */
export interface Fleet {
  readonly name: string;
  /**
   * Applies the program to all stages. Continues the last run if that was an `up` of the same version that has not
   * ended.
   *
   * @throws EngineError `STATE_LOCKED` if another process conducts the fleet; `INVALID_OPTION`, `INVALID_NAME` for a
   * list that cannot be run, before the first stage begins; `STORE_FAILED`, `FENCED`
   */
  up(options?: FleetRunOptions): Promise<FleetReport>;
  /** Plans all stages, and changes nothing. @throws EngineError as {@link up} does */
  plan(options?: FleetRunOptions): Promise<FleetReport>;
  /** Compares the recorded resources of all stages with the real ones. @throws EngineError as {@link up} does */
  drift(options?: FleetRunOptions): Promise<FleetReport>;
  /** Deletes the resources of all stages, listed or recorded. @throws EngineError as {@link up} does */
  destroy(options?: FleetRunOptions): Promise<FleetReport>;
  /**
   * Continues the last run: begins a wave that waits, or the stages that have not ended. If another process conducts
   * it, that process continues, and the report is the one so far.
   *
   * @throws EngineError `NOT_RECORDED` if there is nothing to continue
   */
  resume(options?: FleetRunOptions): Promise<FleetReport>;
  /** Continues the last run, and begins failed stages again. @throws EngineError as {@link resume} does */
  retry(options?: FleetRunOptions): Promise<FleetReport>;
  /** Lets running stages end, and begins no more. @throws EngineError `NOT_RECORDED` if no run is in progress */
  pause(options?: FleetRunOptions): Promise<FleetReport>;
  /** Ends the run, and interrupts running stages. @throws EngineError `NOT_RECORDED` if no run is in progress */
  cancel(options?: FleetRunOptions): Promise<FleetReport>;
  /** Returns the report of the last `up` or `destroy` so far; undefined if there was none. Takes no lock. */
  status(options?: FleetRunOptions): Promise<FleetReport | undefined>;
  /**
   * Starts a worker, which runs the stages that conductors of the same version put into the queue.
   *
   * @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED` if the queue cannot be used
   */
  work(options: FleetWorkOptions): Promise<FleetWorker>;
}

const share: Rule = {
  allowed: 'a whole number of at least 0, or a percentage such as "5%"',
  accepts: (value) => wholeFrom(0).accepts(value) || fractionOf(value) !== undefined,
  showable: true,
};

const isLimit = (value: unknown): boolean => {
  const { concurrency, rate } = Object(value);
  const isRate = rate === undefined || (isRecord(rate) && [Object(rate).max, Object(rate).duration].every(isPositive));
  return hasFunctions(value, "key") && (concurrency === undefined || isPositive(concurrency)) && isRate;
};

const isPositive = (value: unknown): boolean => wholeFrom(1).accepts(value);

const rules: RulesOf<FleetOptions<unknown>> = {
  stages: {
    allowed: "a list, an async iterable, or a function that returns one",
    accepts: (value) => typeof value === "function" || (typeof value === "object" && value !== null),
    isRequired: true,
  },
  input: { allowed: "a Standard Schema", accepts: (value) => isRecord(Object(value)["~standard"]) },
  program: { ...callback, isRequired: true },
  concurrency: wholeFrom(1),
  limit: {
    allowed: "{ key, concurrency, rate: { max, duration } } with whole numbers of at least 1",
    accepts: isLimit,
  },
  after: callback,
  waves: { allowed: "a list", accepts: Array.isArray },
  maxFailures: share,
  prune: either(flag, { allowed: "{ max }", accepts: (value) => isRecord(value) && share.accepts(Object(value).max) }),
  options: object,
  histories: wholeFrom(0),
  checkpoints: wholeFrom(1),
  version: text,
};

const signal: Rule = { allowed: "an AbortSignal", accepts: (value) => hasFunctions(value, "addEventListener") };

const workRules: RulesOf<FleetWorkOptions> = {
  queue: { ...text, isRequired: true },
  concurrency: wholeFrom(1),
  signal,
  grace: wholeFrom(0),
  version: text,
  onStage: callback,
  onWarning: callback,
  defaults: object,
};

const runRules: RulesOf<FleetRunOptions> = {
  queue: text,
  signal,
  lockTimeout: wholeFrom(0),
  version: text,
  wait: flag,
  confirm: callback,
  defaults: object,
  onProgress: callback,
  onStage: callback,
  onWarning: callback,
};

const CONCURRENCY = 16;
const MAX_FAILURES = "10%";

/** Implements `fleet()`. @throws EngineError `INVALID_NAME`, `INVALID_OPTION` */
export function makeFleet(name: string, definition: FleetOptions<unknown>): Fleet {
  checkName("app name", name);
  checkGiven("fleet", definition, rules);
  const waves = parseWaves(definition.waves ?? ["100%"]);
  const parts: Parts = { name, definition, waves };
  const given = ({ defaults }: Pick<FleetRunOptions, "defaults">): Parts => {
    return { ...parts, definition: withDefaults(definition, defaults) };
  };
  const made: Fleet & Branded = {
    [BRAND]: definition.options ?? {},
    name,
    up: async (options = {}) => begin(given(options), "up", options),
    plan: async (options = {}) => begin(given(options), "plan", options),
    drift: async (options = {}) => begin(given(options), "drift", options),
    destroy: async (options = {}) => begin(given(options), "destroy", options),
    resume: async (options = {}) => resume(given(options), options),
    retry: async (options = {}) => goOn(given(options), options, { retries: true }),
    pause: async (options = {}) => request(given(options), "pause", options),
    cancel: async (options = {}) => request(given(options), "cancel", options),
    status: async (options = {}) => status(given(options), options),
    work: async (options) => work(given(options), options),
  };
  return made;
}

interface Parts {
  readonly name: string;
  readonly definition: FleetOptions<unknown>;
  readonly waves: readonly Wave[];
}

function recordOptions({ definition }: Parts, { lockTimeout, onWarning }: FleetRunOptions): RecordOptions {
  const { password, key, profile, rootDir, stateStore, strictState, env, plugins } = definition.options ?? {};
  const given = { password, key, profile, rootDir, stateStore, strictState, env, plugins };
  return { ...given, lockTimeout: lockTimeout ?? 0, onWarning };
}

async function work(parts: Parts, options: FleetWorkOptions): Promise<FleetWorker> {
  const { name, definition } = parts;
  checkGiven("fleet.work", options, workRules);
  const { startWorker } = await import("./queue/work.js");
  const { concurrency = CONCURRENCY } = definition;
  const version = versionOf(parts, options);
  const { onWarning } = options;
  return startWorker({ name, definition, version, concurrency, look: recordOptions(parts, { onWarning }) }, options);
}

/** Begins a run, or continues an equal one that has not ended. */
async function begin(parts: Parts, command: FleetCommand, options: FleetRunOptions): Promise<FleetReport> {
  const version = versionOf(parts, options);
  const isLook = command === "plan" || command === "drift";
  return withRecord(parts, options, isLook ? undefined : command, async (record) => {
    const last = record.run;
    const isUnfinished = last !== undefined && UNFINISHED.has(last.state);
    const continues = isUnfinished && !isLook && last.command === command && last.version === version;
    const run = continues ? last : newRun(command, version);
    if (!continues && !isLook) await record.dropDestroyed();
    return conduct(parts, options, { record, run, retries: false, forgives: false });
  });
}

function newRun(command: FleetCommand, version: string): RunRecord {
  const began = timeOfDay();
  return { id: uuid(), command, version, attempt: 0, state: "running", began, begun: 0, waves: [], left: [] };
}

/** Continues the last run. */
async function goOn(
  parts: Parts,
  options: FleetRunOptions,
  { retries }: Pick<Conducting, "retries">,
): Promise<FleetReport> {
  return withRecord(parts, options, retries ? "retry" : "resume", async (record) => {
    const { run } = record;
    if (!run) throw notRecorded(parts.name, "has no recorded run");
    const isOver = run.state === "done" || (run.state === "failed" && !retries);
    if (isOver) throw notRecorded(parts.name, `has nothing to continue: its last run (${run.command}) is ${run.state}`);
    const next: RunRecord = {
      ...run,
      attempt: run.attempt + 1,
      version: versionOf(parts, options),
      begun: run.state === "waiting" ? run.begun + 1 : run.begun,
    };
    return conduct(parts, options, { record, run: next, retries, forgives: true });
  });
}

async function resume(parts: Parts, options: FleetRunOptions): Promise<FleetReport> {
  try {
    return await goOn(parts, options, { retries: false });
  } catch (error) {
    if (!isEngineError(error, "STATE_LOCKED")) throw error;
    return request(parts, "resume", options);
  }
}

/** Sends a request to the process that conducts the fleet. */
async function request(parts: Parts, what: FleetRequest, options: FleetRunOptions): Promise<FleetReport> {
  checkGiven(`fleet.${what}`, options, runRules);
  return askConductor(parts.name, recordOptions(parts, options), what);
}

async function status(parts: Parts, options: FleetRunOptions): Promise<FleetReport | undefined> {
  checkGiven("fleet.status", options, runRules);
  return (await fleetStatus(parts.name, recordOptions(parts, options)))?.report;
}

/** @param command of the session; undefined to read only */
async function withRecord<T>(
  parts: Parts,
  options: FleetRunOptions,
  command: string | undefined,
  work: (record: FleetRecord) => Promise<T>,
): Promise<T> {
  checkGiven(`fleet.${command ?? "plan"}`, options, runRules);
  const given = recordOptions(parts, options);
  const record = await (command === undefined
    ? FleetRecord.read(parts.name, given)
    : FleetRecord.open(parts.name, given, command));
  let result: T;
  try {
    result = await work(record);
  } catch (error) {
    await record.close("failed").catch(() => {});
    throw error;
  }
  await record.close();
  return result;
}

async function conduct(
  parts: Parts,
  options: FleetRunOptions,
  { record, run: given, retries, forgives }: Pick<Conducting, "record" | "run" | "retries" | "forgives">,
): Promise<FleetReport> {
  const { name, definition, waves: all } = parts;
  const { command } = given;
  const isLook = command === "plan" || command === "drift";
  // Nothing can break, so nothing has to be tried on a few first.
  const waves = isLook ? all.map(({ to }): Wave => ({ to, start: "auto" })) : all;
  const before = isLook ? undefined : await askedOf(parts, options, given.id);
  const listed = await listStages(name, definition, { waves, record, command, signal: options.signal });
  if (!listed) return notStarted(name, given);
  const left = leftIn(record, listed);
  const entries = [...listed, ...extraEntries(definition, { command, left, record, waves: waves.length, listed })];
  if ((await options.confirm?.(entries.length)) === false) {
    throw new EngineError(
      "NOT_CONFIRMED",
      `The ${command} of the fleet "${name}" was not confirmed. Nothing was started.`,
    );
  }
  const look = recordOptions(parts, options);
  const lanes =
    options.queue === undefined
      ? localLanes(name, definition, record, { concurrency: definition.concurrency ?? CONCURRENCY })
      : await (await import("./queue/lanes.js")).queueLanes(name, record, {
          url: options.queue,
          version: given.version,
          options,
          look: { ...look, stateStore: record.store },
        });
  const run: RunRecord = { ...given, left: left.slice(0, MOST_NAMES) };
  const conducting: Conducting = {
    fleet: name,
    entries,
    run,
    retries,
    forgives,
    waves,
    limits: definition.limit,
    maxFailures: definition.maxFailures ?? MAX_FAILURES,
    record,
    lanes,
    options,
    seen: before?.id,
    asked: isLook ? undefined : () => askedOf(parts, options, run.id),
  };
  try {
    return await new Conductor(conducting).conduct();
  } finally {
    await lanes.close?.();
  }
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

/** Returns the recorded stages that are not in the list. */
function leftIn(record: FleetRecord, listed: readonly Entry[]): readonly string[] {
  const names = new Set(listed.map(({ stage }) => stage));
  const left = [...record.stages()].filter(([stage, known]) => !names.has(stage) && !isDestroyed(known));
  return left.map(([stage]) => stage);
}

interface Extra {
  readonly command: FleetCommand;
  readonly left: readonly string[];
  readonly record: FleetRecord;
  readonly waves: number;
  readonly listed: readonly Entry[];
}

/** Returns the stages outside the list that the run destroys. @throws EngineError `TOO_MANY_DELETES` */
function extraEntries({ prune }: FleetOptions<unknown>, given: Extra): readonly Entry[] {
  const { command, left, record, waves, listed } = given;
  const entry = (stage: string, wave: number): Entry => ({
    stage,
    command: "destroy",
    wave,
    key: "",
    after: [],
    isExtra: true,
    refs: record.stage(stage)?.refs ?? [],
    input: "null",
    digest: undefined,
  });
  if (command === "destroy") return left.map((stage) => entry(stage, 0));
  if (command !== "up" || !prune || left.length === 0) return [];
  if (listed.length === 0)
    throw new EngineError(
      "TOO_MANY_DELETES",
      `The list of stages is empty, and "prune" would destroy all ${left.length} recorded stages. Nothing was started. To destroy them, use the command destroy.`,
    );
  const most = typeof prune === "object" ? prune.max : Number.POSITIVE_INFINITY;
  const recorded = [...record.stages()].filter(([, known]) => !isDestroyed(known)).length;
  const limit = Math.floor(amountOf(most, recorded));
  if (left.length > limit)
    throw new EngineError(
      "TOO_MANY_DELETES",
      `${left.length} recorded stages left the list, and "prune" allows ${limit} (max: ${most}). Nothing was started. Check the list of stages, or raise the limit.`,
    );
  return left.map((stage) => entry(stage, waves));
}

async function askedOf(parts: Parts, options: FleetRunOptions, run: string) {
  const found = await readRequest(parts.name, recordOptions(parts, options));
  return found?.run === run ? found : undefined;
}

function versionOf({ definition }: Parts, { version }: FleetRunOptions): string {
  return definition.version ?? version ?? "0";
}
