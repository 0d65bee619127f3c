/** The state of a fleet run, and its record. */
import { ignore } from "../../../core/base/index.js";
import type { FleetState } from "../contract.js";
import { type FleetRecord, isOutdated, type RunRecord, type StageRecord } from "../record.js";
import type { Conducting } from "./conducting.js";
import type { Tally } from "./tally.js";

export class RunState {
  readonly #record: FleetRecord;
  readonly #onFailure: (error: unknown) => void;
  #run: RunRecord;
  #state: FleetState = "running";
  #reason: string | undefined;
  /** True from the time at which the next wave began to wait, also if the run is paused or cancelled since. */
  isAtGate = false;

  /** @param onFailure called if the run cannot be recorded */
  constructor(run: RunRecord, record: FleetRecord, onFailure: (error: unknown) => void) {
    this.#run = run;
    this.#record = record;
    this.#onFailure = onFailure;
  }

  get run(): RunRecord {
    return this.#run;
  }

  get now(): FleetState {
    return this.#state;
  }

  /** Changes the state. Resolves when it is recorded. */
  set(state: FleetState, reason?: string): Promise<void> {
    this.#state = state;
    this.#reason = reason;
    return this.save({});
  }

  /** Resolves when it is recorded. */
  async save(more: Partial<RunRecord>): Promise<void> {
    const { reason: _, isAtGate: __, ...run } = this.#run;
    const reason = this.#reason === undefined ? {} : { reason: this.#reason };
    this.#run = { ...run, ...more, state: this.#state, ...reason, ...(this.isAtGate && { isAtGate: true }) };
    await this.#record.setRun(this.#run).catch(this.#onFailure);
  }
}

/** Counts a stage that an earlier process of the run has ended. Its wave may be another one now. */
export function keep({ record, run }: Conducting, tally: Tally, stage: string, known: StageRecord, wave: number): void {
  if (isOutdated(run, known)) tally.addOutdated(stage);
  // The signal of the record reports a failure.
  if (known.wave !== wave) record.setStage(stage, { ...known, wave }).catch(ignore);
}

/** True if a stage ended since failed stages were last begun again. */
export function isOfLastRetry({ retried = 0 }: RunRecord, ended: StageRecord | undefined): boolean {
  return (ended?.attempt ?? 0) >= retried;
}
