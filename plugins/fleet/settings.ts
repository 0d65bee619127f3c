/** Compares the definition of a fleet with the one that an unfinished run began with. */
import { nodeCrypto } from "../../core/base/index.js";
import type { Wave } from "./conductor/waves.js";
import type { FleetOptions, FleetRunOptions } from "./contract.js";
import type { RunRecord } from "./record.js";

export const MAX_FAILURES = "10%";

type Settings = NonNullable<RunRecord["settings"]>;

/** Returns the options that a record depends on, as texts. Functions are not compared. */
export function settingsOf(
  { maxFailures = MAX_FAILURES, limit, prune = false }: FleetOptions<unknown>,
  waves: readonly Wave[],
): Settings {
  const { concurrency, rate } = limit ?? {};
  const limits = [
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
    ...(rate === undefined ? [] : [`${rate.max} in ${rate.duration} ms`]),
  ];
  return {
    waves: waves.map(({ to, start }) => `${to}${STARTS[typeof start === "function" ? "check" : start]}`).join(", "),
    maxFailures: String(maxFailures),
    limit: limits.join(", ") || "none",
    prune: typeof prune === "object" ? `at most ${prune.max}` : String(prune),
  };
}

const STARTS = { auto: "", manual: " by hand", check: " after a check" } as const;

/** Returns the text that stands for the names of the stages. */
export function namesText(names: readonly string[]): string {
  const digest = nodeCrypto().createHash("sha256").update(JSON.stringify(names.toSorted())).digest("base64url");
  return `${names.length} ${digest.slice(0, 22)}`;
}

/** Returns the options that differ, e.g. `maxFailures (10% → 2%)`. A run of an earlier release has recorded none. */
function changedSettings({ settings: before = {} }: Pick<RunRecord, "settings">, now: Settings): string[] {
  return Object.entries(now).flatMap(([name, text]) => {
    const old = before[name];
    return old === undefined || old === text
      ? []
      : [`${name} (${name === "stages" ? counts(old, text) : `${old} → ${text}`})`];
  });
}

function counts(old: string, now: string): string {
  const [before, after] = [old, now].map((text) => text.split(" ", 1)[0]);
  return before === after ? "other names" : `${before} → ${after}`;
}

/**
 * Warns if the definition has changed since a run began that is continued. Returns the waves that have begun: none if
 * there are other ones, because none of these was approved.
 */
export function begunOf(fleet: string, run: RunRecord, now: Settings, { onWarning }: FleetRunOptions): number {
  const changed = changedSettings(run, now);
  if (changed.length === 0) return run.begun;
  const hasOtherWaves = changedSettings(run, { waves: now.waves ?? "" }).length > 0;
  const again = hasOtherWaves ? ", and its waves begin again from the first one" : "";
  onWarning?.(
    "CONTINUED",
    `This continues the ${run.command} of the fleet "${fleet}" that began at ${run.began}, and the definition has changed since then: ${changed.join("; ")}. The run goes on with the new definition${again}. Stages that have ended well do not run again. To run all stages, cancel that run first: engine fleet cancel`,
  );
  return hasOtherWaves ? 0 : run.begun;
}
