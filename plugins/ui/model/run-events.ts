/** Folds events of the run as a whole. */
import type { RunSummary } from "../../../core/base/index.js";
import type { RunOwner } from "../../../core/contract/index.js";
import { recorded } from "./resources.js";
import { listIn, type Members, membersIn, numberIn, rowKey, textIn } from "./row.js";
import { emptyView, type Failed, failedIn, holderIn, type RunHead, type RunView } from "./view.js";

const MOST_FAILURES = 1_000;
const MOST_WAITS = 200;
const PHASES = ["up", "destroy", "read"] as const;

/**
 * A repeated program starts with an empty view. Events before the run's start, such as warnings, belong to this run.
 */
export function runStarted(view: RunView, event: Members, at: number): void {
  const head = headIn(event);
  if (view.head && head && view.head.run !== head.run) {
    const { version, repeated, unknown } = view;
    Object.assign(view, emptyView(), { version, repeated: repeated + 1, unknown, since: at, until: at });
  }
  view.head = head ?? view.head;
  waitEnded(view, at);
}

export function runFinished(view: RunView, event: Members, at: number): void {
  view.head ??= headIn(event);
  view.state = event.interrupted === true ? "interrupted" : event.ok === true ? "done" : "failed";
  view.duration = numberIn(event, "duration");
  // Failures of their own come first: the others are judged by them.
  const errors = listIn(event, "errors").map(failedIn);
  const isOwn = (failure: Failed): boolean => !isAborted(failure) && !hasAbortError(failure);
  const sorted = [...errors.filter(isOwn), ...errors.filter((failure) => !isOwn(failure))];
  const stopped = sorted.filter((failure) => {
    const isEffect = isStopped(view, failure);
    if (!isTold(view, failure)) addFailure(view, failure);
    return isEffect && failure.fqn !== undefined;
  });
  const summary = membersIn(event, "summary");
  view.summary = summary && withStopped(summaryIn(summary), stopped.length);
  ended(view, at);
}

/** Counts handlers that the run has stopped as stopped. Earlier versions counted them as failed. */
function withStopped(summary: RunSummary, count: number): RunSummary {
  const moved = Math.min(Math.max(0, count - summary.stopped), summary.failed);
  return { ...summary, failed: summary.failed - moved, stopped: summary.stopped + moved };
}

export function runFailed(view: RunView, event: Members, at: number): void {
  view.head ??= headIn(event);
  view.state = "failed";
  addFailure(view, failedIn(event));
  ended(view, at);
}

export function runRepeated(view: RunView, event: Members, at: number): void {
  view.head ??= headIn(event);
  view.state = "interrupted";
  view.isToRepeat = true;
  ended(view, at);
}

function ended(view: RunView, at: number): void {
  waitEnded(view, at);
  recorded(view, at);
  view.question = undefined;
}

/** The end of a run repeats the failures that its resources have reported. */
function isTold(view: RunView, { fqn, message }: Failed): boolean {
  if (fqn === undefined) return false;
  return [true, false].some((isDelete) => view.rowsByKey.get(rowKey({ fqn, isDelete }))?.failure?.message === message);
}

/** Returns true if the run ended a handler, or itself, because of another failure. */
export function isStopped({ failures }: RunView, failure: Failed): boolean {
  const isOfResource = failure.fqn !== undefined;
  if (isAborted(failure)) return isOfResource || failures.length > 0;
  return isOfResource && hasAbortError(failure) && failures.some((one) => !hasAbortError(one));
}

/** Returns true if the reason of the failure is that the run was aborted. */
function isAborted({ code, causes }: Failed): boolean {
  return code === "ABORTED" || causes.some((cause) => cause.startsWith("EngineError [ABORTED]"));
}

/** Returns true for the error of an aborted call, whoever aborted it. */
function hasAbortError({ causes }: Failed): boolean {
  return causes.some((cause) => cause.startsWith("AbortError"));
}

export function addFailure(view: RunView, failure: Failed): void {
  if (isStopped(view, failure)) {
    if (failure.fqn !== undefined && view.stoppedWith.size < MOST_FAILURES) view.stoppedWith.add(failure.fqn);
  } else if (view.failures.length >= MOST_FAILURES) view.failuresLeft++;
  else view.failures.push(failure);
}

export function waiting(view: RunView, event: Members, at: number): void {
  waitEnded(view, at);
  if (view.waits.length >= MOST_WAITS) view.waits.shift();
  view.waits.push({ from: at, to: undefined, owner: textIn(event, "owner") ?? "", holder: holderIn(event) });
}

export function waitEnded(view: RunView, at: number): void {
  const last = view.waits.at(-1);
  if (last && last.to === undefined) view.waits[view.waits.length - 1] = { ...last, to: at };
}

function headIn(event: Members): RunHead | undefined {
  const run = textIn(event, "run");
  if (run === undefined) return undefined;
  return {
    run,
    app: textIn(event, "app") ?? "",
    stage: textIn(event, "stage") ?? "",
    phase: PHASES.find((one) => one === event.phase) ?? "up",
    planned: event.planned === true,
    checksDrift: event.drift === true,
    by: ownerIn(membersIn(event, "by") ?? {}),
  };
}

function ownerIn(by: Members): RunOwner {
  const ci = textIn(by, "ci");
  return {
    user: textIn(by, "user") ?? "",
    host: textIn(by, "host") ?? "",
    pid: numberIn(by, "pid") ?? 0,
    ...(ci === undefined ? {} : { ci }),
  };
}

function summaryIn(members: Members): RunSummary {
  const count = (name: keyof RunSummary): number => numberIn(members, name) ?? 0;
  return {
    created: count("created"),
    updated: count("updated"),
    replaced: count("replaced"),
    adopted: count("adopted"),
    read: count("read"),
    unchanged: count("unchanged"),
    deleted: count("deleted"),
    retained: count("retained"),
    left: count("left"),
    failed: count("failed"),
    stopped: count("stopped"),
    notBegun: count("notBegun"),
  };
}
