/** Counts the outcomes of the stages of a fleet run, and makes its report. */
import type { ErrorCode } from "../../../core/base/index.js";
import type { FailureGroup, FleetReport, Outcome, StageDrift, StageOutcome, WaveReport } from "../contract.js";

const SLOWEST = 5;
const MOST_NAMES = 100;
const MOST_OUTDATED = 5;
/** Names in a group of failures. */
const MOST_EXAMPLES = 100;
/** Causes that are told apart; further ones share a group. */
const MOST_GROUPS = 1_000;

const NONE = { finished: 0, changed: 0, unchanged: 0, failed: 0, skipped: 0 };

type Group = { -readonly [Name in keyof FailureGroup]: FailureGroup[Name] } & { stages: string[] };
type Part = Pick<
  FleetReport,
  "stages" | "waves" | "resources" | "slowest" | "failures" | "changed" | "drifted" | "outdated"
>;

export class Tally {
  readonly #waves: { -readonly [Name in keyof WaveReport]: WaveReport[Name] }[];
  readonly #outcomes: Record<Outcome, number> = { changed: 0, unchanged: 0, failed: 0, skipped: 0, stopped: 0 };
  readonly #resources = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  readonly #changed: string[] = [];
  readonly #drifted = new Map<string, StageDrift>();
  #slowest: { readonly stage: string; readonly duration: number }[] = [];
  #outdated: FleetReport["outdated"];
  readonly #total: number;
  /** Number of stages that have begun or are queued, and have not ended. */
  begun = 0;

  constructor(waves: readonly Pick<WaveReport, "to" | "total" | "prune">[]) {
    this.#waves = waves.map((wave) => ({ ...wave, ...NONE }));
    this.#total = waves.reduce((sum, { total }) => sum + total, 0);
  }

  /** Number of stages that have ended, except those that were interrupted and will begin again. */
  get finished(): number {
    const { changed, unchanged, failed, skipped } = this.#outcomes;
    return changed + unchanged + failed + skipped;
  }

  get failed(): number {
    return this.#outcomes.failed;
  }

  get skipped(): number {
    return this.#outcomes.skipped;
  }

  /** @param names whether the names of changed stages are wanted */
  add(stage: string, wave: number, ended: StageOutcome, names: boolean): void {
    const { outcome, duration, resources = {} } = ended;
    this.#outcomes[outcome]++;
    const counts = this.#waves[wave];
    if (counts && outcome !== "stopped") {
      counts.finished++;
      counts[outcome]++;
    }
    for (const [action, count] of Object.entries(resources))
      this.#resources.set(action, (this.#resources.get(action) ?? 0) + count);
    if (outcome === "failed") this.#group(stage, ended);
    if (names && outcome === "changed" && this.#changed.length < MOST_NAMES) {
      this.#changed.push(stage);
      if (ended.drift) this.#drifted.set(stage, ended.drift);
    }
    if (duration > (this.#slowest.length < SLOWEST ? 0 : (this.#slowest.at(-1)?.duration ?? 0)))
      this.#slowest = [...this.#slowest, { stage, duration }]
        .sort((one, other) => other.duration - one.duration)
        .slice(0, SLOWEST);
  }

  /** Counts a stage that ended with an earlier version of the program. */
  addOutdated(stage: string): void {
    const { count = 0, stages = [] } = this.#outdated ?? {};
    this.#outdated = { count: count + 1, stages: stages.length < MOST_OUTDATED ? [...stages, stage] : stages };
  }

  /** True if the message of this failure would be shown. */
  wants(ended: StageOutcome): boolean {
    return this.#groups.get(causeOf(ended))?.message === undefined;
  }

  part(): Part {
    return {
      stages: { total: this.#total, running: this.begun, queued: 0, ...this.#outcomes },
      waves: this.#waves.map((wave): WaveReport => ({ ...wave })),
      resources: Object.fromEntries(this.#resources),
      slowest: this.#slowest,
      failures: [...this.#groups.values()]
        .sort((one, other) => other.count - one.count)
        .map((group): FailureGroup => ({ ...group, stages: [...group.stages] })),
      changed: [...this.#changed],
      ...(this.#outdated && { outdated: this.#outdated }),
      ...(this.#drifted.size > 0 && { drifted: Object.fromEntries(this.#drifted) }),
    };
  }

  #group(stage: string, ended: StageOutcome): void {
    const { code = FALLBACK, resource, message } = ended;
    const key = causeOf(ended);
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= MOST_GROUPS && resource !== undefined)
        return this.#group(stage, { ...ended, resource: undefined });
      group = { code, ...(resource !== undefined && { resource }), count: 0, stages: [] };
      this.#groups.set(key, group);
    }
    group.count++;
    group.message ??= message;
    if (group.stages.length < MOST_EXAMPLES) group.stages.push(stage);
  }
}

const FALLBACK: ErrorCode = "RUN_FAILED";

function causeOf({ code = FALLBACK, resource = "" }: StageOutcome): string {
  return `${code} ${resource}`;
}
