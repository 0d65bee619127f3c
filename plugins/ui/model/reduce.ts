/** The one fold from events of a run to its view. */
import type { UiEvent } from "../api/index.js";
import { addItem } from "./bounded.js";
import { planIn } from "./plan-in.js";
import * as resources from "./resources.js";
import { scopeNamed } from "./resources.js";
import { listIn, type Members, numberIn, type RowResult, rowKey, textIn, textsIn, timeOf } from "./row.js";
import {
  addFailure,
  isStopped,
  runFailed,
  runFinished,
  runRepeated,
  runStarted,
  waitEnded,
  waiting,
} from "./run-events.js";
import { failedIn, type LogLine, type RunView } from "./view.js";

const LINES = { most: 20_000, heaviest: 8_000_000 };
const WARNINGS = { most: 1_000, heaviest: 1_000_000 };
const MOST_ANSWERS = 100;
const MOST_PROCESSES = 1_000;
const MOST_SAID = 5;

type Fold = (view: RunView, event: Members, at: number) => void;

const finish =
  (result: RowResult): Fold =>
  (view, event, at) =>
    resources.finished(view, event, at, result);

const FOLDS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  ["run:started", runStarted],
  ["run:finished", runFinished],
  ["run:failed", runFailed],
  ["run:repeated", runRepeated],
  ["program:ended", () => {}],
  ["plan:made", planned],
  ["scope:created", (view, event) => void scopeNamed(view, textIn(event, "fqn") ?? "")],
  ["resource:queued", resources.queued],
  ["resource:started", resources.started],
  ["resource:retrying", resources.retrying],
  ["resource:created", finish("created")],
  ["resource:updated", finish("updated")],
  ["resource:replaced", finish("replaced")],
  ["resource:adopted", finish("adopted")],
  ["resource:deleted", finish("deleted")],
  ["resource:read", finish("read")],
  ["resource:unchanged", finish("unchanged")],
  ["resource:retained", finish("retained")],
  ["resource:failed", resourceFailed],
  ["resource:stopped", (view, event, at) => resources.stopped(view, event, at)],
  ["resource:looked", resources.looked],
  ["resource:drifted", resources.drifted],
  ["resource:log", logged],
  ["state:waiting", waiting],
  ["state:taken-over", (view, _event, at) => waitEnded(view, at)],
  ["state:waited", (view, _event, at) => waitEnded(view, at)],
  ["state:locked", locked],
  ["state:committed", committed],
  ["state:unlocked", unlocked],
  ["process:started", processStarted],
  ["process:exited", processExited],
  ["process:log", processLogged],
  ["tunnel:opened", tunnelOpened],
  ["warning", warned],
  ["ui:asked", asked],
  ["ui:answered", answered],
]);

/**
 * Folds one event into a view, in constant time on average, and returns that view. Never throws: events may be
 * repeated, out of order, incomplete, or of a later version. Unknown events are ignored.
 */
export function reduce(view: RunView, event: UiEvent): RunView {
  const fold = FOLDS.get(event.type);
  if (!fold) {
    view.unknown++;
    return view;
  }
  const at = timeOf(event.time) ?? view.until ?? 0;
  // It continues after all.
  if (view.state === "cut off" || view.state === "silent") view.state = "running";
  view.since = Math.min(view.since ?? at, at);
  view.until = Math.max(view.until ?? at, at);
  fold(view, event, at);
  view.version++;
  return view;
}

/** Marks the end of the events: a run that has not reported its end is cut off. */
export function endOfEvents(view: RunView): RunView {
  return stand(view, "cut off");
}

/** Changes the state of a run that has not reported its end, until its next event. */
export function stand(view: RunView, state: "running" | "cut off" | "silent"): RunView {
  const isOver = view.state !== "running" && view.state !== "cut off" && view.state !== "silent";
  if (isOver || view.state === state) return view;
  view.state = state;
  if (state === "cut off") view.question = undefined;
  view.version++;
  return view;
}

function resourceFailed(view: RunView, event: Members, at: number): void {
  const failure = failedIn(event);
  if (isStopped(view, failure)) {
    resources.stopped(view, event, at, failure);
    return addFailure(view, failure);
  }
  const before = view.counts.failed;
  resources.failed(view, event, at, failure);
  if (view.counts.failed > before) addFailure(view, failure);
}

function logged(view: RunView, event: Members, at: number): void {
  // A log line does not name the action: it belongs to the running one.
  const fqn = textIn(event, "fqn") ?? "";
  const deleting = view.rowsByKey.get(rowKey({ fqn, isDelete: true }));
  const row = resources.rowFor(view, event, at, deleting !== undefined && view.active.has(deleting));
  if (!row) return;
  row.logged++;
  row.version++;
  addLine(view, { at, fqn, row: row.index, text: textIn(event, "message") ?? "" });
}

function addLine(view: RunView, line: LogLine): void {
  addItem(view.lines, line, LINES, ({ text }) => text.length);
}

function planned(view: RunView, event: Members): void {
  view.plan = planIn(event);
}

function locked(view: RunView, _event: Members, at: number): void {
  view.lockedAt ??= at;
}

function committed(view: RunView, event: Members, at: number): void {
  view.seq = numberIn(event, "seq") ?? view.seq;
  view.changes += numberIn(event, "changes") ?? 0;
  resources.recorded(view, at);
}

function unlocked(view: RunView, _event: Members, at: number): void {
  view.unlockedAt = at;
  resources.recorded(view, at);
}

function warned(view: RunView, event: Members, at: number): void {
  const fqn = textIn(event, "fqn");
  const warning = {
    at,
    code: textIn(event, "code") ?? "",
    message: textIn(event, "message") ?? "",
    fqns: fqn === undefined ? textsIn(event, "fqns").slice(0, 100) : [fqn],
  };
  addItem(view.warnings, warning, WARNINGS, ({ message }) => message.length);
}

function asked(view: RunView, event: Members, at: number): void {
  const question = textIn(event, "question") ?? "";
  if (view.answers.some((one) => one.question === question)) return;
  const deletes = listIn(event, "deletes").map((one) => ({
    fqn: textIn(one, "fqn") ?? "",
    kind: textIn(one, "kind") ?? "",
    action: one.action === "replace" ? ("replace" as const) : ("delete" as const),
  }));
  view.question = { question, at, text: textIn(event, "text") ?? "", deletes, left: numberIn(event, "left") ?? 0 };
}

function answered(view: RunView, event: Members, at: number): void {
  const question = textIn(event, "question") ?? "";
  const approved = typeof event.approved === "boolean" ? event.approved : undefined;
  if (view.question?.question === question) view.question = undefined;
  if (view.answers.length >= MOST_ANSWERS) view.answers.shift();
  view.answers.push({ question, at, approved });
}

function processStarted(view: RunView, event: Members, at: number): void {
  const pid = numberIn(event, "pid");
  if (pid === undefined || view.processes.size >= MOST_PROCESSES) return;
  const [id, fqn] = [textIn(event, "id") ?? "", textIn(event, "fqn") ?? ""];
  view.processes.set(pid, { id, fqn, pid, from: at, to: undefined, exitCode: undefined, said: [] });
}

function processExited(view: RunView, event: Members, at: number): void {
  const pid = numberIn(event, "pid");
  const process = pid === undefined ? undefined : view.processes.get(pid);
  if (process) view.processes.set(process.pid, { ...process, to: at, exitCode: numberIn(event, "exitCode") ?? null });
}

function processLogged(view: RunView, event: Members, at: number): void {
  const text = textIn(event, "message") ?? "";
  addLine(view, { at, fqn: textIn(event, "fqn") ?? "", row: undefined, text });
  const pid = numberIn(event, "pid");
  const process = pid === undefined ? undefined : view.processes.get(pid);
  if (process) view.processes.set(process.pid, { ...process, said: [...process.said, text].slice(-MOST_SAID) });
}

function tunnelOpened(view: RunView, event: Members): void {
  const url = textIn(event, "url");
  if (url === undefined || view.tunnels.size >= MOST_PROCESSES) return;
  view.tunnels.set(url, { host: textIn(event, "host") ?? "", port: numberIn(event, "port") ?? 0, url });
}
