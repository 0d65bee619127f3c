/** Conducts a fleet run: begins stages as waves, order and limits allow, records outcomes, and obeys requests. */
import { ignore, monotonicNow, waitAtMost, withResolvers } from "../../../core/base/index.js";
import type { FleetReport, FleetState, StageOutcome } from "../contract.js";
import { stillLeft } from "../record.js";
import { type Asked, type Conducting, crewPart, explained, isGood, isLook, totals } from "./conducting.js";
import { FailureLimit } from "./failure-limit.js";
import { ordered } from "./order.js";
import { followRequests } from "./requests.js";
import { isOfLastRetry, keep, RunState } from "./run-state.js";
import { Schedule, type ScheduleItem } from "./schedule.js";
import { Tally } from "./tally.js";
import { whyNotYet } from "./waves.js";

const REPORT_EVERY = 250;

export class Conductor {
  readonly #given: Conducting;
  readonly #items: readonly ScheduleItem[];
  readonly #schedule: Schedule;
  readonly #tally: Tally;
  readonly #began = monotonicNow();
  readonly #state: RunState;
  #failure: { readonly error: unknown } | undefined;
  #isEnding = false;
  readonly #failureLimit: FailureLimit;
  /** Wave that begins in any case, because it was resumed. */
  #resumed: number | undefined;
  #wake = withResolvers<void>();
  readonly #halt = withResolvers<void>();
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(given: Conducting) {
    this.#given = given;
    this.#items = ordered(given.entries, given.run.command === "destroy");
    const waves = totals(given.waves, this.#items);
    const { ended: _, ...run } = given.run;
    this.#state = new RunState({ ...run, waves }, given.record, (error) => this.#fail(error));
    this.#schedule = new Schedule(this.#items, waves.length, given.limits);
    this.#tally = new Tally(waves);
    this.#failureLimit = new FailureLimit(given.maxFailures, this.#tally);
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
      const following = followRequests(this.#given, (asked) => this.#obey(asked), over.signal);
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
    const { fleet, record, lanes, run } = this.#given;
    const { id, command, version, began, reason: why } = this.#state.run;
    const left = stillLeft(record, this.#state.run.left);
    const duration = Math.round(monotonicNow() - this.#began) + (run.duration ?? 0);
    const more = { ...(why !== undefined && { reason: why }), ...(run.duration && { earlier: run.duration }) };
    const base = { fleet, run: id, command, version, state: this.#state.now, ...more, began, duration, left };
    return { ...base, ...crewPart(lanes, this.#tally, run.workersLost) };
  }

  /** Counts the stages that an earlier process of this run has finished, and those whose input is not valid. */
  #recall(): void {
    const { entries, record, run, forgives } = this.#given;
    const lost = new Set<number>();
    for (const [index, { stage, digest, command, settled }] of entries.entries()) {
      const known = record.stage(stage);
      const ended = settled ?? (known?.run === run.id && known.command === command ? known : undefined);
      if (!ended || lost.has(index)) continue;
      const well = isGood(ended);
      const isEnded = well ? known?.input !== undefined && known.input === digest : isOfLastRetry(run, known);
      if (!settled && !isEnded) continue;
      if (settled) this.#write(index, settled);
      else if (known) keep(this.#given, this.#tally, stage, known, this.#waveAt(index));
      const others = this.#schedule.skip(index, well);
      for (const other of others) lost.add(other);
      this.#count(index, ended, others, settled === undefined);
    }
    for (let wave = 0; wave < run.begun; wave++) this.#schedule.beginWave();
    if (forgives) this.#failureLimit.forgive();
    this.#checkFailures(false);
  }

  /** Does what can be done now, then waits. Returns true at the end. */
  async #step(): Promise<boolean> {
    this.#wake = withResolvers();
    const rest = this.#fill();
    const next = this.#tally.begun > 0 ? "wait" : await this.#next();
    this.#tell();
    this.#countLost();
    if (next === "wait") await waitAtMost(Math.min(rest ?? REPORT_EVERY, REPORT_EVERY), this.#wake.promise);
    return next === "end";
  }

  /** Begins stages. Returns the milliseconds until a limit allows another one. */
  #fill(): number | undefined {
    const { lanes } = this.#given;
    while (this.#state.now === "running" && !this.#isEnding && this.#tally.begun < lanes.window) {
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
    this.#tally.begun++;
    try {
      const ended = await explained(lanes, this.#tally, entry.stage, await lanes.run(entry, this.#state.run));
      if (ended.outcome !== "stopped") this.#finish(index, ended);
      else if (this.#state.now === "cancelled") this.#count(index, ended, this.#schedule.end(index, false));
      else this.#schedule.giveBack(index);
    } catch (error) {
      this.#schedule.giveBack(index);
      this.#fail(error);
    } finally {
      this.#tally.begun--;
      this.#wake.resolve();
    }
  }

  #finish(index: number, ended: StageOutcome): void {
    this.#write(index, ended);
    this.#count(index, ended, this.#schedule.end(index, isGood(ended)));
    this.#checkFailures(false);
  }

  #write(index: number, ended: StageOutcome): void {
    const { entries, record } = this.#given;
    const entry = entries[index];
    if (!entry) return;
    const { stage, command, digest: input } = entry;
    const { id: run, attempt } = this.#state.run;
    const recorded = { ...ended, run, attempt: attempt || undefined, command, wave: this.#waveAt(index), input };
    // The signal of the record reports a failure.
    record.setStage(stage, recorded).catch(ignore);
  }

  /** @param lost stages that cannot begin because of it @param isOld true if it ended in an earlier process */
  #count(index: number, ended: StageOutcome, lost: readonly number[], isOld = false): void {
    const { entries, options } = this.#given;
    const names = isLook(this.#state.run.command);
    const skipped: StageOutcome = { outcome: "skipped", duration: 0 };
    for (const at of [index, ...lost]) {
      const stage = entries[at]?.stage ?? "";
      const wave = this.#waveAt(at);
      const outcome = at === index ? ended : skipped;
      this.#tally.add(stage, wave, outcome, names);
      if (at !== index || !isOld) this.#call(() => options.onStage?.({ ...outcome, stage, wave: wave + 1 }));
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
    if (this.#state.now !== "running") return;
    const reason = this.#failureLimit.exceeded(isAtEnd);
    if (reason !== undefined) void this.#change("stopped", reason);
  }

  /** Decides what follows if no stage is running. */
  async #next(): Promise<"again" | "wait" | "end"> {
    const state = this.#state.now;
    if (this.#isEnding) return "end";
    if (state === "paused" || state === "waiting") {
      return this.#given.asked && this.#given.options.wait !== false ? "wait" : "end";
    }
    if (state !== "running") return "end";
    if (!this.#schedule.isWaveOver) return "wait";
    if (!this.#schedule.isLastWave) {
      if (this.#schedule.wave >= 0) this.#checkFailures(true);
      if (this.#state.now === "running") await this.#beginWave();
      return "again";
    }
    if (this.#hasFailures) await this.#change("failed");
    else await this.#change("done", this.#items.length === 0 ? "the list of stages is empty" : undefined);
    return "end";
  }

  async #beginWave(): Promise<void> {
    const wave = this.#schedule.wave + 1;
    const isPrune = this.#state.run.waves[wave]?.prune === true;
    if (isPrune && this.#hasFailures)
      return this.#change("failed", "stages that left the list were not destroyed, because other stages failed");
    const start = isPrune || wave === this.#resumed ? "auto" : (this.#given.waves[wave]?.start ?? "auto");
    const name = `wave ${wave + 1} of ${this.#state.run.waves.length}`;
    const why = await whyNotYet(start, name, () => this.report(), this.#halt.promise);
    if (this.#isEnding || this.#state.now !== "running") return;
    if (why !== undefined) {
      this.#state.isAtGate = true;
      return this.#change("waiting", why);
    }
    this.#state.isAtGate = false;
    this.#schedule.beginWave();
    await this.#state.save({ begun: this.#schedule.wave + 1 });
  }

  async #obey({ request, by }: Asked): Promise<void> {
    const state = this.#state.now;
    switch (request) {
      case "pause":
        if (state === "running" || state === "waiting") await this.#change("paused", `by ${by}`);
        break;
      case "resume":
        if (this.#state.isAtGate) this.#resumed = this.#schedule.wave + 1;
        if (state === "waiting" || state === "paused") await this.#change("running");
        break;
      case "cancel":
        await this.#change("cancelled", `by ${by}`);
        this.#given.lanes.interrupt(this.#state.run);
        this.#halt.resolve();
        break;
    }
    this.#wake.resolve();
  }

  #interrupt(): void {
    const { record, lanes } = this.#given;
    if (record.signal.aborted) return this.#fail(record.signal.reason);
    this.#isEnding = true;
    lanes.interrupt(this.#state.run);
    // A run that is paused or waits stays so, for the process that resumes it.
    if (this.#state.now === "running") void this.#change("interrupted");
    this.#halt.resolve();
    this.#wake.resolve();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isEnding = true;
    this.#given.lanes.interrupt(this.#state.run);
    this.#halt.resolve();
    this.#wake.resolve();
  }

  async #change(state: FleetState, reason?: string): Promise<void> {
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    await this.#state.set(state, reason);
    this.#tell();
  }

  #tell(): void {
    const { onProgress } = this.#given.options;
    const now = monotonicNow();
    if (!onProgress || now - this.#reportedAt < REPORT_EVERY) return;
    this.#reportedAt = now;
    this.#call(() => onProgress(this.report()));
  }

  /** Records each lost worker, so that other processes can report it. */
  #countLost(): void {
    const { lanes, run } = this.#given;
    const workersLost = (run.workersLost ?? 0) + (lanes.crew?.lost ?? 0);
    if (workersLost !== (this.#state.run.workersLost ?? 0)) void this.#state.save({ workersLost });
  }

  async #end(): Promise<FleetReport> {
    const { record, options } = this.#given;
    const report = this.report();
    const { duration, stages, waves, resources, slowest } = report;
    await this.#state.save({ duration, ended: { stages, waves, resources, slowest } });
    if (this.#state.now === "done") record.dropDestroyed().catch(ignore);
    await record.drain().catch((error: unknown) => this.#fail(error));
    if (!this.#failure) this.#call(() => options.onProgress?.(report));
    if (this.#failure) throw this.#failure.error;
    return report;
  }

  get #hasFailures(): boolean {
    return this.#tally.failed + this.#tally.skipped > 0;
  }

  #waveAt(index: number): number {
    return this.#items[index]?.wave ?? 0;
  }
}
