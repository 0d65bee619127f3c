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
  const summary = membersIn(event, "summary");
  view.summary = summary && summaryIn(summary);
  for (const failure of listIn(event, "errors").map(failedIn)) if (!isTold(view, failure)) addFailure(view, failure);
  ended(view, at);
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

export function addFailure(view: RunView, failure: Failed): void {
  if (view.failures.length >= MOST_FAILURES) view.failuresLeft++;
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
