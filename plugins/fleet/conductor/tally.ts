/** Counts the outcomes of the stages of a fleet run, and makes its report. */
import type { ErrorCode } from "../../../core/base/index.js";
import { causeIn } from "../cause.js";
import type { FailureGroup, FleetReport, Outcome, StageDrift, StageOutcome, WaveReport } from "../contract.js";

const SLOWEST = 5;
const MOST_NAMES = 100;
const MOST_OUTDATED = 5;
/** Names in a group of failures. */
const MOST_EXAMPLES = 100;
/** Causes that are told apart; further ones share a group. */
const MOST_GROUPS = 1_000;
/** Messages at one resource that are told apart; further ones share a group. */
const MOST_MESSAGES = 20;

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
  /** Number of causes at each resource. */
  readonly #causes = new Map<string, number>();
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
  wants(stage: string, ended: StageOutcome): boolean {
    return this.#groupOf(stage, ended).message === undefined;
  }

  part(): Part {
    return {
      stages: { total: this.#total, running: this.begun, queued: 0, ...this.#outcomes },
      waves: this.#waves.map((wave): WaveReport => ({ ...wave })),
      resources: Object.fromEntries(this.#resources),
      slowest: this.#slowest,
      failures: [...this.#groups.values()]
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count)
        .map((group): FailureGroup => ({ ...group, stages: [...group.stages] })),
      changed: [...this.#changed],
      ...(this.#outdated && { outdated: this.#outdated }),
      ...(this.#drifted.size > 0 && { drifted: Object.fromEntries(this.#drifted) }),
    };
  }

  #group(stage: string, ended: StageOutcome): void {
    const group = this.#groupOf(stage, ended);
    group.count++;
    group.message ??= ended.message;
    if (group.stages.length < MOST_EXAMPLES) group.stages.push(stage);
  }

  #groupOf(stage: string, { code = FALLBACK, resource, message, cause }: Partial<StageOutcome>): Group {
    const why = cause ?? (message === undefined ? undefined : causeIn(message, stage));
    const place = `${code} ${resource ?? ""}`;
    const key = `${place} ${why ?? ""}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const causes = this.#causes.get(place) ?? 0;
    if (why !== undefined && causes >= MOST_MESSAGES) return this.#groupOf(stage, { code, resource });
    if (resource !== undefined && this.#groups.size >= MOST_GROUPS) return this.#groupOf(stage, { code });
    const group: Group = { code, ...(resource !== undefined && { resource }), count: 0, stages: [] };
    this.#groups.set(key, group);
    this.#causes.set(place, causes + 1);
    return group;
  }
}

const FALLBACK: ErrorCode = "RUN_FAILED";
