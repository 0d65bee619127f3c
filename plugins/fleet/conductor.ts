/** Conducts a fleet run: begins stages as waves, order and limits allow, records outcomes, and obeys requests. */
import { ignore, messageOf, monotonicNow, sleep, withResolvers } from "../../core/base/index.js";
import type { FleetReport, FleetRequest, FleetRunOptions, FleetState, StageOutcome } from "./contract.js";
import type { Entry } from "./listing.js";
import { ordered } from "./order.js";
import type { FleetRecord, RunRecord } from "./record.js";
import { Schedule, type ScheduleItem } from "./schedule.js";
import { Tally } from "./tally.js";
import { amountOf, fractionOf, type Wave } from "./waves.js";

/** Runs stages, in this process or elsewhere. */
export interface Lanes {
  /** Number of stages to hand over at once. */
  readonly window: number;
  /** Runs a stage. Rejects only if no more stages can be run. */
  run(entry: Entry, run: RunRecord): Promise<StageOutcome>;
  /** Called when the outcome of a stage is durable. */
  recorded?(entry: Entry, run: RunRecord): void;
  /** Interrupts the stages of a run: those that run elsewhere only if it is cancelled. */
  interrupt(run: RunRecord): void;
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
  /** True if stages that failed in an earlier process of the run begin again. */
  readonly retries: boolean;
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

/** A percentage counts from this number of finished stages on. */
const ENOUGH = 50;
const REPORT_EVERY = 250;
const ASK_EVERY = 1_000;

export class Conductor {
  readonly #given: Conducting;
  readonly #items: readonly ScheduleItem[];
  readonly #schedule: Schedule;
  readonly #tally: Tally;
  readonly #began = monotonicNow();
  #run: RunRecord;
  #state: FleetState = "running";
  #reason: string | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** True once this process begins no more stages. */
  #isEnding = false;
  /** Failures and finished stages that do not count for `maxFailures`. */
  #forgiven = { failed: 0, finished: 0 };
  /** Wave that begins in any case, because it was resumed. */
  #resumed: number | undefined;
  #wake = withResolvers<void>();
  /** Resolves when the run is cancelled, or this process begins no more stages. */
  readonly #halt = withResolvers<void>();
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(given: Conducting) {
    this.#given = given;
    this.#items = ordered(given.entries, given.run.command === "destroy");
    const waves = totals(given.waves, this.#items);
    const { ended: _, ...run } = given.run;
    this.#run = { ...run, waves };
    this.#schedule = new Schedule(this.#items, waves.length, given.limits);
    this.#tally = new Tally(waves);
  }

  /** Resolves when the run has ended, or this process ends it early. @throws EngineError if the record is lost */
  async conduct(): Promise<FleetReport> {
    const { options, record } = this.#given;
    const stop = (): void => this.#interrupt();
    const over = new AbortController();
    for (const signal of [options.signal, record.signal]) signal?.addEventListener("abort", stop);
    try {
      await this.#change("running");
      this.#recall();
      if (options.signal?.aborted) stop();
      const following = this.#follow(over.signal);
      while (!(await this.#step()));
      over.abort();
      await following;
      return await this.#end();
    } finally {
      over.abort();
      for (const signal of [options.signal, record.signal]) signal?.removeEventListener("abort", stop);
    }
  }

  report(): FleetReport {
    const { fleet } = this.#given;
    const { id, command, version, began, left } = this.#run;
    const duration = Math.round(monotonicNow() - this.#began) + (this.#given.run.duration ?? 0);
    const reason = this.#reason === undefined ? {} : { reason: this.#reason };
    const base = { fleet, run: id, command, version, state: this.#state, ...reason, began, duration, left };
    return { ...base, ...this.#tally.part() };
  }

  /** Counts the stages that an earlier process of this run has finished, and those whose input is not valid. */
  #recall(): void {
    const { entries, record, run, retries, forgives } = this.#given;
    const lost = new Set<number>();
    for (const [index, { stage, digest, command, refusal }] of entries.entries()) {
      const known = record.stage(stage);
      const ended = refusal ?? (known?.run === run.id && known.command === command ? known : undefined);
      if (!ended || lost.has(index)) continue;
      const well = isGood(ended);
      if (!refusal && !(well ? known?.input !== undefined && known.input === digest : !retries)) continue;
      if (refusal) this.#write(index, refusal);
      const others = this.#schedule.skip(index, well);
      for (const other of others) lost.add(other);
      this.#count(index, ended, others, refusal === undefined);
    }
    for (let wave = 0; wave < run.begun; wave++) this.#schedule.beginWave();
    if (forgives) this.#forgiven = { failed: this.#tally.failed, finished: this.#tally.finished };
    this.#checkFailures(false);
  }

  /** Does what can be done now, then waits. Returns true at the end. */
  async #step(): Promise<boolean> {
    this.#wake = withResolvers();
    const rest = this.#fill();
    const next = this.#tally.running > 0 ? "wait" : await this.#next();
    this.#tell();
    if (next === "wait") await this.#wait(rest);
    return next === "end";
  }

  /** Begins stages. Returns the milliseconds until a limit allows another one. */
  #fill(): number | undefined {
    const { lanes } = this.#given;
    while (this.#state === "running" && !this.#isEnding && this.#tally.running < lanes.window) {
      const now = monotonicNow();
      const index = this.#schedule.take(now);
      if (index === undefined) return this.#schedule.restsFor(now);
      void this.#begin(index);
    }
    return undefined;
  }

  async #begin(index: number): Promise<void> {
    const { entries, lanes } = this.#given;
    const entry = entries[index];
    if (!entry) return;
    this.#tally.running++;
    try {
      const ended = await this.#explained(entry.stage, await lanes.run(entry, this.#run));
      if (ended.outcome !== "stopped") this.#finish(index, ended);
      else if (this.#state === "cancelled") this.#count(index, ended, this.#schedule.end(index, false));
      else this.#schedule.giveBack(index);
    } catch (error) {
      this.#schedule.giveBack(index);
      this.#fail(error);
    } finally {
      this.#tally.running--;
      this.#wake.resolve();
    }
  }

  async #explained(stage: string, ended: StageOutcome): Promise<StageOutcome> {
    if (ended.outcome !== "failed" || ended.message !== undefined || !this.#tally.wants(ended)) return ended;
    const message = await this.#given.lanes.messageOf?.(stage).catch(ignore);
    return typeof message === "string" ? { ...ended, message } : ended;
  }

  #finish(index: number, ended: StageOutcome): void {
    this.#write(index, ended);
    this.#count(index, ended, this.#schedule.end(index, isGood(ended)));
    this.#checkFailures(false);
  }

  /** Records the outcome of a stage. */
  #write(index: number, ended: StageOutcome): void {
    const { entries, record } = this.#given;
    const entry = entries[index];
    if (!entry) return;
    const { stage, command, digest } = entry;
    const input = digest === undefined ? {} : { input: digest };
    const recorded = { ...ended, run: this.#run.id, command, wave: this.#waveAt(index), ...input };
    const run = this.#run;
    // The signal of the record reports a failure.
    record.setStage(stage, recorded).then(() => this.#given.lanes.recorded?.(entry, run), ignore);
  }

  /**
   * @param lost stages that cannot begin because of it
   * @param isOld whether it ended in an earlier process
   */
  #count(index: number, ended: StageOutcome, lost: readonly number[], isOld = false): void {
    const { entries, options } = this.#given;
    const names = this.#run.command === "plan" || this.#run.command === "drift";
    const skipped: StageOutcome = { outcome: "skipped", duration: 0 };
    for (const at of [index, ...lost]) {
      const stage = entries[at]?.stage ?? "";
      const wave = this.#waveAt(at);
      const outcome = at === index ? ended : skipped;
      this.#tally.add(stage, wave, outcome, names);
      if (at !== index || !isOld) this.#call(() => options.onStage?.({ ...outcome, stage, wave }));
    }
  }

  /** Calls a function of the program. If it throws, the run ends with its error. */
  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param isAtEnd true if a wave has ended, so that a percentage counts however few stages have finished */
  #checkFailures(isAtEnd: boolean): void {
    if (this.#state !== "running") return;
    const { maxFailures } = this.#given;
    const failed = this.#tally.failed - this.#forgiven.failed;
    const finished = this.#tally.finished - this.#forgiven.finished;
    const counts = fractionOf(maxFailures) === undefined || isAtEnd || finished >= ENOUGH;
    if (!counts || failed <= amountOf(maxFailures, finished)) return;
    void this.#change("stopped", `${failed} of ${finished} stages failed, and maxFailures is ${maxFailures}`);
  }

  /** Decides what follows if no stage is running. */
  async #next(): Promise<"again" | "wait" | "end"> {
    if (this.#isEnding) return "end";
    if (this.#state === "paused" || this.#state === "waiting") {
      return this.#given.asked && this.#given.options.wait !== false ? "wait" : "end";
    }
    if (this.#state !== "running") return "end";
    if (!this.#schedule.isWaveOver) return "wait";
    if (!this.#schedule.isLastWave) {
      if (this.#schedule.wave >= 0) this.#checkFailures(true);
      if (this.#hasState("running")) await this.#beginWave();
      return "again";
    }
    await this.#change(this.#hasFailures ? "failed" : "done");
    return "end";
  }

  async #beginWave(): Promise<void> {
    const wave = this.#schedule.wave + 1;
    const isPrune = this.#run.waves[wave]?.prune === true;
    if (isPrune && this.#hasFailures)
      return this.#change("failed", "stages that left the list were not destroyed, because other stages failed");
    const why = isPrune ? undefined : await this.#whyNot(wave);
    if (this.#isEnding || this.#hasState("cancelled")) return;
    if (why !== undefined) return this.#change("waiting", why);
    this.#schedule.beginWave();
    await this.#save({ begun: this.#schedule.wave + 1 });
  }

  /** Returns why a wave does not begin yet. */
  async #whyNot(wave: number): Promise<string | undefined> {
    const start = this.#given.waves[wave]?.start ?? "auto";
    if (wave === this.#resumed || start === "auto") return undefined;
    const name = `wave ${wave + 1} of ${this.#run.waves.length}`;
    if (start === "manual") return `${name} begins by hand`;
    try {
      // A check that does not end must not delay a cancel.
      const isSo = await Promise.race([start(this.report()), this.#halt.promise]);
      return isSo === true ? undefined : `the check before ${name} did not return true`;
    } catch (error) {
      return `the check before ${name} failed: ${messageOf(error)}`;
    }
  }

  async #wait(rest: number | undefined): Promise<void> {
    const stop = new AbortController();
    await Promise.race([this.#wake.promise, sleep(Math.min(rest ?? REPORT_EVERY, REPORT_EVERY), stop.signal)]);
    stop.abort();
  }

  /** Reads requests once a second. */
  async #follow(over: AbortSignal): Promise<void> {
    const { asked, options } = this.#given;
    let { seen } = this.#given;
    while (asked && !over.aborted) {
      try {
        const found = await asked();
        if (over.aborted) return;
        if (found && found.id !== seen) await this.#obey(found);
        seen = found?.id ?? seen;
      } catch (error) {
        options.onWarning?.("STORE_FAILED", `Requests to the fleet could not be read: ${messageOf(error)}`);
      }
      await sleep(ASK_EVERY, over);
    }
  }

  async #obey({ request, by }: Asked): Promise<void> {
    const state = this.#state;
    switch (request) {
      case "pause":
        if (state === "running" || state === "waiting") await this.#change("paused", `by ${by}`);
        break;
      case "resume":
        if (state === "waiting") this.#resumed = this.#schedule.wave + 1;
        if (state === "waiting" || state === "paused") await this.#change("running");
        break;
      case "cancel":
        await this.#change("cancelled", `by ${by}`);
        this.#given.lanes.interrupt(this.#run);
        this.#halt.resolve();
        break;
    }
    this.#wake.resolve();
  }

  #interrupt(): void {
    const { record, lanes } = this.#given;
    if (record.signal.aborted) return this.#fail(record.signal.reason);
    this.#isEnding = true;
    lanes.interrupt(this.#run);
    // A run that is paused or waits stays so, for the process that resumes it.
    if (this.#state === "running") void this.#change("interrupted");
    this.#halt.resolve();
    this.#wake.resolve();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isEnding = true;
    this.#given.lanes.interrupt(this.#run);
    this.#halt.resolve();
    this.#wake.resolve();
  }

  async #change(state: FleetState, reason?: string): Promise<void> {
    this.#state = state;
    this.#reason = reason;
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    await this.#save({});
    this.#tell();
  }

  async #save(more: Partial<RunRecord>): Promise<void> {
    const { reason: _, ...run } = this.#run;
    this.#run = { ...run, ...more, state: this.#state, ...(this.#reason !== undefined && { reason: this.#reason }) };
    await this.#given.record.setRun(this.#run).catch((error: unknown) => this.#fail(error));
  }

  #tell(): void {
    const { onProgress } = this.#given.options;
    const now = monotonicNow();
    if (!onProgress || now - this.#reportedAt < REPORT_EVERY) return;
    this.#reportedAt = now;
    this.#call(() => onProgress(this.report()));
  }

  async #end(): Promise<FleetReport> {
    const { record, options } = this.#given;
    const report = this.report();
    const { duration, stages, waves, resources, slowest } = report;
    await this.#save({ duration, ended: { stages, waves, resources, slowest } });
    if (this.#state === "done") record.dropDestroyed().catch(ignore);
    await record.drain().catch((error: unknown) => this.#fail(error));
    if (!this.#failure) this.#call(() => options.onProgress?.(report));
    if (this.#failure) throw this.#failure.error;
    return report;
  }

  /** The state may have changed meanwhile, which the compiler does not see. */
  #hasState(state: FleetState): boolean {
    return this.#state === state;
  }

  get #hasFailures(): boolean {
    return this.#tally.failed + this.#tally.skipped > 0;
  }

  #waveAt(index: number): number {
    return this.#items[index]?.wave ?? 0;
  }
}

function isGood({ outcome }: StageOutcome): boolean {
  return outcome === "changed" || outcome === "unchanged";
}

/** Counts the stages of each wave, and of the additional wave that destroys stages which left the list. */
function totals(waves: readonly Wave[], items: readonly ScheduleItem[]): RunRecord["waves"] {
  const counts: number[] = waves.map(() => 0);
  for (const { wave } of items) counts[wave] = (counts[wave] ?? 0) + 1;
  return counts.map((total, wave) => {
    const to = waves[wave]?.to;
    return to === undefined ? { to: "100%", total, prune: true } : { to, total };
  });
}
