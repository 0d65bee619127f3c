/** The fleets of a store, in the form that the page requests. */
import { checkName, EngineError, messageOf, type Redact } from "../../../core/base/index.js";
import type { EngineOptions, StateStore } from "../../../core/contract/index.js";
import { type StageAdmin, stageAdmin, stagesOf } from "../../admin/index.js";
import type { FleetReport } from "../../fleet/index.js";
import type { FleetRecord } from "../../fleet/record.js";
import { RESERVED } from "../../fleet/reserved.js";
import type { RecordedStage } from "../../fleet/status.js";
import { compare } from "../../internal/text/name-order.js";
import { type FleetOrder, type FleetStage, type FleetStages, type FleetView, STAGE_OUTCOMES } from "../api/index.js";
import { Missing } from "./missing.js";
import { SharedReads, whileAwaited } from "./requests.js";

/** Answers requests about the fleets of a store, and sends requests to their conductors. */
export interface FleetSource {
  /** @throws EngineError `NOT_RECORDED` if the fleet has no recorded run; `STATE_CORRUPT` */
  view(app: string): Promise<FleetView>;
  /** @param after name of the last known stage: others may have been recorded since */
  stages(app: string, after: string | undefined): Promise<FleetStages>;
  /** Returns null if no fleet has recorded the stage. */
  stage(app: string, name: string): Promise<FleetStage | null>;
  /** Resolves once the request is sent, or the run has begun. */
  request(app: string, order: FleetOrder): Promise<void>;
  close(): Promise<void>;
}

/** A fleet whose program the server has. */
export interface OwnFleet {
  readonly name: string;
  /** File of the program as it was named. */
  readonly file: string | undefined;
  /** Options that its record is opened with. */
  readonly options: EngineOptions;
  /** Continues the last run in this process. Resolves once it has begun. */
  conduct(command: "resume" | "retry"): Promise<void>;
  /** Failure of the last run in this process. */
  failure(): Error | undefined;
}

export interface FleetSourceOptions {
  readonly rootDir?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly own?: OwnFleet | undefined;
  /** Masks secrets in messages. */
  readonly redact?: Redact;
}

/** Records of large fleets take much memory, and their names come from requests. */
const MOST_KEPT = 2;
const MOST_FAILURES = 100;
const MOST_EXAMPLES = 3;
/** Characters of a message. */
const LONGEST = 2_000;
/** Characters of the names in one answer, of up to three bytes each. */
const MOST_TEXT = 1_400_000;
/** Characters of JSON for each name. */
const SEPARATORS = 4;

interface Kept {
  readonly mark: string;
  readonly record: FleetRecord;
  /** Computed once it is needed. */
  stages?: readonly RecordedStage[];
}

/** @param store belongs to the caller */
export function fleetSource(store: StateStore, options: FleetSourceOptions = {}): FleetSource {
  return new StoreFleets(store, options);
}

class StoreFleets implements FleetSource {
  readonly #store: StateStore;
  readonly #options: FleetSourceOptions;
  readonly #admins = new Map<string, StageAdmin>();
  readonly #kept = new Map<string, Kept>();
  readonly #reading = new SharedReads<string, Kept>();

  constructor(store: StateStore, options: FleetSourceOptions) {
    this.#store = whileAwaited(store);
    this.#options = options;
  }

  async view(app: string): Promise<FleetView> {
    const { statusIn } = await import("../../fleet/status.js");
    const { mark, record } = await this.#present(app);
    const status = statusIn(app, record);
    if (!status) throw await this.#missing(app);
    const { report, isHeld } = status;
    const own = this.#own(app);
    const failure = own?.failure();
    const { redact = String } = this.#options;
    return {
      report: boundedReport(report),
      left: Math.max(0, report.failures.length - MOST_FAILURES),
      isHeld,
      mark,
      ...(own && {
        program: {
          ...(own.file !== undefined && { file: own.file }),
          ...(failure && {
            failure: {
              code: failure instanceof EngineError ? failure.code : "FAILED",
              message: cut(redact(messageOf(failure))),
            },
          }),
        },
      }),
    };
  }

  async stages(app: string, after?: string): Promise<FleetStages> {
    const { stagesIn } = await import("../../fleet/status.js");
    const kept = await this.#present(app);
    kept.stages ??= stagesIn(app, kept.record);
    const first = after === undefined ? 0 : kept.stages.findIndex(({ stage }) => compare(stage, after) > 0);
    const names: string[] = [];
    let outcomes = "";
    let size = 0;
    for (const { stage, outcome } of first < 0 ? [] : kept.stages.slice(first)) {
      if (size > MOST_TEXT) break;
      names.push(stage);
      outcomes += STAGE_OUTCOMES.indexOf(outcome);
      size += stage.length + SEPARATORS;
    }
    const isLast = first < 0 || first + names.length === kept.stages.length;
    return { mark: kept.mark, total: kept.stages.length, names, outcomes, isLast };
  }

  async stage(app: string, name: string): Promise<FleetStage | null> {
    const { messageIn, stageIn } = await import("../../fleet/status.js");
    const found = stageIn(app, (await this.#present(app)).record, name);
    if (!found) return null;
    const { command, outcome, duration, code, resource } = found;
    const message = await messageIn(app, name, found, this.#recordOptions(app));
    return {
      command,
      outcome,
      duration,
      ...(code !== undefined && { code }),
      ...(resource !== undefined && { resource }),
      ...(message !== undefined && { message: cut(message) }),
    };
  }

  async request(app: string, { run, request }: FleetOrder): Promise<void> {
    const { report, isHeld } = await this.view(app);
    if (report.run !== run)
      throw new EngineError("INVALID_CALL", `The fleet "${app}" has begun another run since. Look at it first.`);
    const isHere = request === "retry" || (request === "resume" && !isHeld);
    if (!isHere) {
      const { askConductor } = await import("../../fleet/ask-conductor.js");
      await askConductor(app, this.#recordOptions(app), request);
      return;
    }
    const own = this.#own(app);
    if (own) return own.conduct(request);
    throw new EngineError(
      "INVALID_CALL",
      `To ${request} the run, the server needs the program of the fleet. Start it with the program's file: engine ui FILE --allow-changes. Or use: engine fleet ${request} FILE`,
    );
  }

  async close(): Promise<void> {
    const admins = [...this.#admins.values()];
    this.#admins.clear();
    this.#kept.clear();
    await Promise.allSettled(admins.map((admin) => admin.close()));
  }

  /** Returns the present record: one small request if nothing was recorded since. Concurrent calls share one read. */
  async #present(app: string): Promise<Kept> {
    checkName("app name", app);
    return this.#reading.once(app, () => this.#read(app));
  }

  async #read(app: string): Promise<Kept> {
    const mark = await this.#admin(app).mark();
    const known = this.#kept.get(app);
    const kept = known?.mark === mark ? known : { mark, record: await this.#readRecord(app) };
    this.#kept.delete(app);
    this.#kept.set(app, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #readRecord(app: string): Promise<FleetRecord> {
    const { FleetRecord } = await import("../../fleet/record.js");
    const record = await FleetRecord.read(app, this.#recordOptions(app));
    // It can still be read.
    await record.close();
    return record;
  }

  /** Returns the failure for a fleet without a run. Names others only if nothing shows that this one exists. */
  async #missing(app: string): Promise<EngineError> {
    const { rootDir, env } = this.#options;
    const where = { ...(rootDir === undefined ? {} : { rootDir }), ...(env && { env }) };
    const rows = await stagesOf(this.#store, { all: true, ...where });
    const fleets = rows.flatMap((row) => (row.stage === RESERVED ? row.app : []));
    if (this.#own(app) || fleets.includes(app))
      return new EngineError("NOT_RECORDED", `The fleet "${app}" has no recorded run.`);
    return new Missing(`There is no fleet "${app}" in this store.`, app, fleets);
  }

  #own(app: string): OwnFleet | undefined {
    const { own } = this.#options;
    return own?.name === app ? own : undefined;
  }

  #recordOptions(app: string): EngineOptions {
    const { rootDir, env } = this.#options;
    const where = { ...(rootDir === undefined ? {} : { rootDir }), ...(env && { env }) };
    return { ...where, ...this.#own(app)?.options, stateStore: this.#store };
  }

  #admin(app: string): StageAdmin {
    const { rootDir, env } = this.#options;
    const where = { ...(rootDir === undefined ? {} : { rootDir }), ...(env && { env }) };
    const admin = this.#admins.get(app) ?? stageAdmin(this.#store, { app, stage: RESERVED, ...where });
    this.#admins.delete(app);
    this.#admins.set(app, admin);
    const [oldest] = this.#admins.keys();
    if (this.#admins.size > MOST_KEPT && oldest !== undefined) this.#admins.delete(oldest);
    return admin;
  }
}

function boundedReport({ reason, failures, ...report }: FleetReport): FleetReport {
  return {
    ...report,
    ...(reason === undefined ? {} : { reason: cut(reason) }),
    failures: failures.slice(0, MOST_FAILURES).map(({ message, stages, ...group }) => ({
      ...group,
      stages: stages.slice(0, MOST_EXAMPLES),
      ...(message === undefined ? {} : { message: cut(message) }),
    })),
  };
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
