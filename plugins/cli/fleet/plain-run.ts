/** Prints a fleet run as lines: its waves, its first failed stages, and its progress from time to time. */
import { monotonicNow } from "../../../core/base/index.js";
import { wholeSeconds } from "../../console-output/run-lines.js";
import type { Theme } from "../../console-output/theme.js";
import type { EndedStage, FleetReport } from "../../fleet/index.js";
import { writeLine } from "../../internal/terminal/standard-streams.js";
import { counted } from "../../internal/text/counted.js";
import { finishedIn, Pace, rateText } from "../../internal/text/pace.js";
import { plainLine } from "../../internal/text/plain-text.js";
import { crewText, failedStageLines, outcomesText, waveText } from "./report-lines.js";

/** Milliseconds between two lines about the progress. */
const EVERY = 10_000;
/** Failed stages of one cause, and of all causes, that get a line of their own. */
const MOST_OF_CAUSE = 3;
const MOST = 20;

export class PlainRun {
  readonly #theme: Theme;
  readonly #quiet: boolean;
  readonly #resume: string;
  readonly #pace = new Pace();
  #last: FleetReport | undefined;
  #ended = 0;
  #failed = 0;
  readonly #causes = new Map<string, number>();
  /** Failed stages that have no line. */
  #untold = 0;
  readonly #held: EndedStage[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param resume command that continues the run */
  constructor(theme: Theme, quiet: boolean, resume: string) {
    this.#resume = resume;
    this.#theme = theme;
    this.#quiet = quiet;
    this.#timer = setInterval(() => this.#tellProgress(), EVERY);
    this.#timer.unref();
  }

  progress(report: FleetReport): void {
    const isFirst = this.#last === undefined;
    const before = this.#last?.state ?? report.state;
    this.#last = report;
    this.#pace.add(report, monotonicNow());
    if (isFirst) {
      const { fleet, command, stages, waves } = report;
      const inWaves = waves.length > 1 ? ` in ${waves.length} waves` : "";
      this.#print(`${fleet} ${command}: ${counted(stages.total, "stage")}${inWaves}`);
    }
    this.#tellFailures();
    this.#tellWaves(report);
    if (report.state !== before) this.#tellState(report);
  }

  stage(ended: EndedStage): void {
    if (ended.outcome !== "failed") return;
    const cause = `${ended.code} ${ended.resource}`;
    const ofCause = (this.#causes.get(cause) ?? 0) + 1;
    if (ofCause <= MOST_OF_CAUSE) this.#failed++;
    // Beyond all limits, causes need not be told apart.
    if (this.#failed <= MOST) this.#causes.set(cause, ofCause);
    if (ofCause > MOST_OF_CAUSE || this.#failed > MOST) this.#untold++;
    else {
      this.#held.push(ended);
      this.#tellFailures();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tellFailures();
    if (this.#last) this.#tellWaves(this.#last);
  }

  /** The name of the fleet is known from the first report on. */
  #tellFailures(): void {
    const fleet = this.#last?.fleet;
    if (fleet === undefined) return;
    for (const ended of this.#held.splice(0))
      for (const line of failedStageLines(fleet, ended, this.#theme.err)) writeLine("stderr", line);
  }

  /** Prints the waves that have ended. */
  #tellWaves(report: FleetReport): void {
    const { waves } = report;
    if (waves.length < 2) return;
    for (let wave = waves[this.#ended]; wave && wave.finished === wave.total; wave = waves[this.#ended]) {
      if (wave.total > 0) this.#print(waveText(report, this.#ended));
      this.#ended++;
    }
  }

  /** Tells why nothing happens, and that it goes on. */
  #tellState({ fleet, command, state, reason }: FleetReport): void {
    const why = reason === undefined ? "" : ` (${plainLine(reason)})`;
    if (state === "waiting" || state === "paused")
      this.#print(`${fleet} ${command}: ${state}${why}; continue with: ${this.#resume}`);
    else if (state === "running") this.#print(`${fleet} ${command}: continues`);
  }

  #tellProgress(): void {
    const report = this.#last;
    if (report?.state !== "running") return;
    const { perSecond, left } = this.#pace.rate(report);
    const parts = [
      `progress: ${finishedIn(report)} of ${counted(report.stages.total, "stage")}`,
      outcomesText(report.stages, report.command),
      crewText(report),
      ...(perSecond === undefined ? [] : [rateText(perSecond)]),
      ...(left === undefined ? [] : [`${wholeSeconds(left + 999)} left`]),
    ];
    this.#print(parts.filter((part) => part !== "").join(", "));
    if (this.#untold === 0) return;
    writeLine("stderr", `FAILED   ${counted(this.#untold, "more stage")}; the summary groups them by cause`);
    this.#untold = 0;
  }

  #print(line: string): void {
    if (!this.#quiet) writeLine("stdout", line);
  }
}
