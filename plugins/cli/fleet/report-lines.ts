/** Formats the report of a fleet run as lines for people. */
import { linesOf, MARGIN, type Palette } from "../../console-output/theme.js";
import { isLook } from "../../fleet/conductor/conducting.js";
import type { EndedStage, FailureGroup, FleetCommand, FleetReport, FleetState, StageDrift } from "../../fleet/index.js";
import { counted } from "../../internal/text/counted.js";
import { reasonIn } from "../../internal/text/describe-error.js";
import { duration } from "../../internal/text/duration.js";
import { plainLine } from "../../internal/text/plain-text.js";

/** The commands that a summary names. */
export interface NextCommands {
  /** Returns a command line, e.g. `engine fleet retry tenants.run.ts`. */
  fleet(command: string): string;
  /** Returns a command line that shows the outcome of a stage in the last run. */
  outcome(stage: string): string;
  /** Returns a command line that plans or compares one stage in this process. */
  look(command: FleetCommand, stage: string): string;
}

/** Most groups of failures, and names of stages in a list. */
const MOST_GROUPS = 20;
const MOST_CHANGED = 100;
const MOST_LEFT = 5;
const MOST_EXAMPLES = 3;

const OUTCOMES = ["changed", "unchanged", "failed", "skipped", "stopped"] as const;

/** E.g. `9800 changed, 200 unchanged`; empty if there are none. */
export function outcomesText(
  counts: Partial<Record<(typeof OUTCOMES)[number], number>>,
  command: FleetCommand,
): string {
  const wordOf = (name: string): string => (name === "changed" ? CHANGED[command] : name);
  return OUTCOMES.flatMap((name) => ((counts[name] ?? 0) > 0 ? [`${counts[name]} ${wordOf(name)}`] : [])).join(", ");
}

const CHANGED: Readonly<Record<FleetCommand, string>> = {
  up: "changed",
  plan: "to change",
  drift: "drifted",
  destroy: "destroyed",
};

const SHOWN: Readonly<Record<FleetState, string>> = {
  running: "is running",
  waiting: "WAITING",
  paused: "PAUSED",
  stopped: "STOPPED",
  cancelled: "CANCELLED",
  interrupted: "INTERRUPTED",
  failed: "FAILED",
  done: "done",
};

/** E.g. `16 running, 1984 queued, 4 workers, 1 worker died`. */
export function crewText({ stages, workers, workersLost = 0 }: FleetReport): string {
  const parts = [
    `${stages.running} running`,
    ...(stages.queued > 0 ? [`${stages.queued} queued`] : []),
    ...(workers === undefined ? [] : [counted(workers, "worker")]),
    ...(workersLost > 0 ? [`${counted(workersLost, "worker")} died`] : []),
  ];
  return parts.join(", ");
}

/**
 * Returns the last line about a run, e.g. `tenants up done in 12.3 s: 3 stages, 3 changed`. The time of a run that was
 * continued is that of this process, and the whole one follows.
 */
export function summaryLine(
  { fleet, command, state, reason, stages, duration: taken, earlier = 0 }: FleetReport,
  palette: Palette,
): string {
  const { bold, green, red, yellow } = palette;
  const style = state === "done" ? green : state === "failed" || state === "stopped" ? red : yellow;
  const how = style(SHOWN[state]);
  const left = stages.total - stages.changed - stages.unchanged - stages.failed - stages.skipped - stages.stopped;
  const parts = [counted(stages.total, "stage"), outcomesText(stages, command), ...(left > 0 ? [`${left} left`] : [])];
  const why = reason === undefined ? "" : ` (${plainLine(reason)})`;
  const since = state === "running" ? "for" : "in";
  const time = `${duration(taken - earlier)}${earlier > 0 ? ` (${duration(taken)} in all)` : ""}`;
  return `${bold(fleet)} ${command} ${how} ${since} ${time}: ${parts.filter((part) => part !== "").join(", ")}${why}`;
}

/** Returns the lines above or below the summary that belong to the result. */
export function detailLines(report: FleetReport): readonly string[] {
  const { command, resources, slowest, changed, stages, left, drifted = {}, workersLost = 0, outdated } = report;
  const shown = (stage: string): string => `${plainLine(stage)}${driftText(drifted[stage])}`;
  const counts = Object.entries(resources)
    .filter(([, count]) => count > 0)
    .sort();
  const more = stages.changed - changed.length;
  const names = changed.slice(0, MOST_CHANGED);
  return [
    ...(isLook(command) && names.length > 0
      ? listed(CHANGED[command], [...names.map(shown), ...(more > 0 ? [`and ${more} more`] : [])])
      : []),
    ...(counts.length > 0 ? [row("resources", counts.map(([name, count]) => `${count} ${name}`).join(", "))] : []),
    ...(slowest.length > 0
      ? [row("slowest", slowest.map(({ stage, duration: taken }) => `${stage} ${duration(taken)}`).join(", "))]
      : []),
    ...(outdated ? [row("outdated", outdatedText(outdated))] : []),
    ...(workersLost > 0 ? [row("workers", `${counted(workersLost, "worker")} died while running stages`)] : []),
    ...(left.length > 0 && command === "up" ? [row("unlisted", leftText(left))] : []),
  ];
}

/** E.g. `: plan (scope:File), gone db/main (pg:Database) and 3 more`. */
function driftText(drift: StageDrift | undefined): string {
  if (!drift) return "";
  const { resources, more = 0 } = drift;
  const named = resources.map(({ resource, kind, gone }) => plainLine(`${gone ? "gone " : ""}${resource} (${kind})`));
  return `: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function outdatedText({ count, stages }: NonNullable<FleetReport["outdated"]>): string {
  const names = [...stages, ...(count > stages.length ? ["…"] : [])].map(plainLine).join(", ");
  return `${counted(count, "stage")} ended with an earlier version of the program: ${names}; a new up applies this version to all`;
}

function leftText(left: readonly string[]): string {
  const named = left.length > MOST_LEFT ? [...left.slice(0, MOST_LEFT), "…"] : left;
  return `${counted(left.length, "recorded stage")} not in the list of stages: ${named.join(", ")}`;
}

function listed(word: string, names: readonly string[]): readonly string[] {
  return [`${word}:`, ...names.map((name) => `  ${name}`)];
}

function row(word: string, text: string): string {
  return `${word.padEnd(10)} ${text}`;
}

/** E.g. `wave 1 of 3 (5%): 500 of 500 stages, 500 changed`. */
export function waveText({ waves, command }: FleetReport, index: number): string {
  const wave = waves[index];
  if (!wave) return "";
  const name = wave.prune ? "stages not in the list" : `wave ${index + 1} of ${waves.length} (${wave.to})`;
  const outcomes = outcomesText(wave, command);
  return `${name}: ${wave.finished} of ${counted(wave.total, "stage")}${outcomes === "" ? "" : `, ${outcomes}`}`;
}

/** Returns the line of a failed stage. */
export function failedStageLines(fleet: string, ended: Omit<EndedStage, "wave">, palette: Palette): readonly string[] {
  const { stage, resource, message = "", code = "RUN_FAILED" } = ended;
  return failed(`${fleet}/${stage}${resource === undefined ? "" : `/${resource}`}`, { message, code }, palette);
}

/** Returns the lines of failures, grouped by cause. @param most names of stages in each group */
export function failureLines(
  groups: readonly FailureGroup[],
  palette: Palette,
  most: number = MOST_EXAMPLES,
): readonly string[] {
  const more = groups.length - MOST_GROUPS;
  return [
    ...groups.slice(0, MOST_GROUPS).flatMap(({ count, code, resource, message = "", stages }) => {
      const where = `${counted(count, "stage")}${resource === undefined ? "" : ` at ${resource}`}`;
      const named = stages.slice(0, most).map(plainLine);
      const names = [...named, ...(count > named.length ? ["…"] : [])].join(", ");
      return [...failed(where, { message, code }, palette), `${MARGIN}${palette.dim(names)}`];
    }),
    ...(more > 0 ? [`${MARGIN}and ${counted(more, "more cause")}; --json lists them`] : []),
  ];
}

function failed(
  head: string,
  { message, code }: { readonly message: string; readonly code: string },
  palette: Palette,
): readonly string[] {
  // Its beginning names the resource, which the line names already.
  const [first = "", ...rest] = linesOf(reasonIn(message));
  const where = plainLine(head);
  const word = palette.bold(palette.red("FAILED".padEnd(8)));
  return [`${word} ${where}${first === "" ? "" : `: ${first}`} [${code}]`, ...rest.map((line) => `${MARGIN}${line}`)];
}

function whose(count: number): string {
  return count === 1 ? "shows the message of this stage" : `shows the message of one of these ${count} stages`;
}

/** Returns what to do after a run that is not done. */
export function nextLines(report: FleetReport, next: NextCommands): readonly string[] {
  const { command, state, failures } = report;
  const stage = failures[0]?.stages[0];
  const look = stage === undefined ? [] : [[next.outcome(stage), "shows one of the failed stages"] as const];
  // A queue holds no messages, and a look records none.
  const silent = failures.slice(0, MOST_GROUPS).filter(({ message }) => message === undefined);
  const looks = silent.flatMap(({ stages: [first], count }) =>
    first === undefined ? [] : [[next.look(command, first), whose(count)] as const],
  );
  const retry = [next.fleet("retry"), "begins the failed stages again"] as const;
  const resume = [next.fleet("resume"), "continues"] as const;
  const steps = stepsAfter();
  const width = Math.max(0, ...steps.map(([line]) => line.length));
  return steps.map(([line, what]) => `next     ${line.padEnd(width)}  ${what}`);

  function stepsAfter(): readonly (readonly [line: string, what: string])[] {
    if (isLook(command)) return looks;
    switch (state) {
      case "failed":
        return [...look, retry];
      case "stopped":
        return [...look, retry, [next.fleet("resume"), "continues without the failed stages"]];
      case "waiting":
        return [[next.fleet("resume"), "begins the next wave"]];
      case "paused":
        return [resume];
      case "interrupted":
        return [resume];
      case "cancelled":
        return [resume, [next.fleet(command), "begins a new run"]];
      case "running":
        return [[next.fleet("pause"), "begins no more stages"]];
      case "done":
        return [];
    }
  }
}

/** Returns the answer to a request. @param report from the time of the request */
export function requestedText(
  request: "pause" | "resume" | "cancel",
  { fleet, command, state }: FleetReport,
  next: NextCommands,
): string {
  const run = `${fleet} ${command}`;
  if (request === "cancel" && state === "cancelled")
    return `${run}: cancelled; no process was running it. Continue with: ${next.fleet("resume")}`;
  if (request === "pause" && state === "paused")
    return `${run}: paused; no stage begins. Continue with: ${next.fleet("resume")}`;
  if (request === "resume" && state === "running")
    return `${run}: another process is running it already, so there is nothing to resume; see: ${next.fleet("status")}`;
  const see = next.fleet("status");
  return `${run}: asked the process that runs it to ${request}, which takes a few seconds; see: ${see}`;
}

/** Returns the lines about the outcome of one stage. */
export function stageLines(
  fleet: string,
  { command, wave, ...ended }: EndedStage & { readonly command: FleetCommand },
): readonly string[] {
  const { stage, outcome, duration: taken, resources = {}, resource, code, message } = ended;
  const word = outcome === "changed" ? CHANGED[command] : outcome;
  const counts = Object.entries(resources).map(([name, count]) => `${count} ${name}`);
  const at = resource === undefined ? "" : ` at ${plainLine(resource)}`;
  const why = code === undefined ? "" : `${at} [${code}]`;
  return [
    `${plainLine(fleet)}/${plainLine(stage)}: ${word} by ${command} in ${duration(taken)}, wave ${wave}${why}`,
    ...(counts.length > 0 ? [row("resources", counts.join(", "))] : []),
    ...(message === undefined ? [] : linesOf(message).map((line) => `${MARGIN}${line}`)),
  ];
}
