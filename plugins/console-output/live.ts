/** Shows the activity of a run on a terminal if it takes long enough to be seen. */
import { monotonicNow } from "../../core/base/index.js";
import type { EventSource, RunControl, RunStatus } from "../../core/contract/index.js";
import type { LiveRegion, Size } from "../internal/terminal/live-region.js";
import { type Activity, ENDS, type Running, type Snapshot } from "./activity.js";
import { wholeSeconds } from "./run-lines.js";
import { styleOf, type Theme } from "./theme.js";

/** Milliseconds between two frames. */
const PACE = 83;

/** Milliseconds. Shorter work is not shown. */
const DELAY = 150;

/** Milliseconds. A shorter pause between two resources does not clear the screen. */
const PAUSE = 400;

interface Live {
  readonly events: EventSource;
  readonly control: RunControl;
  readonly activity: Activity;
  readonly region: LiveRegion;
  readonly theme: Theme;
  readonly appName: string;
}

export function showLive({ events, control, activity, region, theme, appName }: Live): void {
  const since: { run: number; busy: number | undefined; seen: number } = {
    run: monotonicNow(),
    busy: undefined,
    seen: 0,
  };
  let done = 0;
  let timer: NodeJS.Timeout | undefined;
  let leave = (): void => {};

  const paint = (size: Size): readonly string[] => {
    const at = monotonicNow();
    const snapshot = activity.snapshot();
    const isBusy =
      snapshot.running.length > 0 ||
      snapshot.waiting ||
      snapshot.reading ||
      snapshot.isLoading ||
      snapshot.done !== done;
    done = snapshot.done;
    if (isBusy) {
      since.seen = at;
      since.busy ??= at;
    } else if (at - since.seen > PAUSE) since.busy = undefined;
    if (since.busy === undefined || at - startOf(snapshot.running[0]?.since, since.busy) < DELAY) return [];
    return frameLines(
      { title: titleOf(control.status, appName), snapshot, elapsed: at - since.run, now: at },
      size,
      theme,
    );
  };
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
    leave();
  };
  const tick = (): void => {
    // If the app did not start, no event reports its end.
    if (control.status.isLive || control.status.isOpening) region.update();
    else end();
  };
  const begin = (): void => {
    if (timer) return;
    since.run = monotonicNow();
    since.busy = undefined;
    leave = region.join({ paint, width: (line) => theme.width(line) });
    timer = setInterval(tick, PACE);
    timer.unref();
  };
  if (control.status.isLive || control.status.isOpening) begin();
  // Begins again when app.run() begins another run of a finalized app.
  for (const name of ["run:started", "state:waiting"] as const) events.on(name, begin);
  for (const name of ENDS) events.on(name, end);
  control.onReleased(end);
}

function startOf(first: number | undefined, busy: number): number {
  return Math.min(first ?? busy, busy);
}

function titleOf({ options }: RunStatus, appName: string): string {
  return options ? `${appName}/${options.stage} ${options.plan ? "plan" : options.phase}` : appName;
}

/** The input for the live region of one run. */
interface Shown {
  /** E.g. `my-app/dev up`. */
  readonly title: string;
  readonly snapshot: Snapshot;
  /** Milliseconds since the run began. */
  readonly elapsed: number;
  readonly now: number;
}

/** Share of the terminal's rows that the live region takes. */
const PART = 1 / 3;

/** Columns. Narrower terminals show only names and times. */
const NARROW = 40;

/** Returns the lines of the live region, each at most as wide as the terminal. Pure. */
export function frameLines(shown: Shown, { columns, rows }: Size, theme: Theme): readonly string[] {
  const { snapshot, now } = shown;
  // The last column stays free: some terminals begin a new row after it.
  const width = Math.max(1, columns - 1);
  const most = Math.max(2, Math.floor(rows * PART)) - (snapshot.waiting ? 2 : 1);
  const { running } = snapshot;
  const fit = running.length <= most ? running : running.slice(0, Math.max(0, most - 1));
  const more = running.length - fit.length;
  return [
    theme.cut(statusLine(shown, theme), width),
    ...(snapshot.waiting ? [waitingLine(snapshot.waiting, now, width, theme)] : []),
    ...fit.map((one) => runningLine(one, now, width, theme)),
    ...(more > 0 && most > 0 ? [theme.cut(theme.out.dim(`  and ${more} more`), width)] : []),
  ];
}

function statusLine({ title, snapshot, elapsed }: Shown, { out }: Theme): string {
  const { running, reading, isLoading, waiting, done, failed, queued, isInterrupted } = snapshot;
  const parts = [
    ...(isInterrupted ? [out.bold(out.yellow("INTERRUPTED"))] : []),
    ...(isLoading && !waiting ? ["reading the state"] : []),
    ...(reading ? [`checking ${reading.done} of ${reading.total}`] : []),
    ...(done > 0 ? [`${done} done`] : []),
    ...(failed > 0 ? [out.red(`${failed} failed`)] : []),
    ...(running.length > 0 ? [`${running.length} running`] : []),
    ...(queued > 0 ? [`${queued} ${isInterrupted ? "not begun" : "waiting"}`] : []),
    wholeSeconds(elapsed),
  ];
  return `${out.bold(title)}: ${parts.join(", ")}`;
}

function waitingLine(
  { owner, since }: { readonly owner: string; readonly since: number },
  now: number,
  width: number,
  { out, cut }: Theme,
): string {
  return cut(`  ${out.yellow("waiting")} ${wholeSeconds(now - since)} for ${owner}`, width);
}

function runningLine({ fqn, action, since, retry }: Running, now: number, width: number, theme: Theme): string {
  const { out, cut } = theme;
  const taken = wholeSeconds(now - since).padStart(6);
  const isNarrow = width < NARROW;
  const head = isNarrow ? taken : `  ${styleOf(out, action)(action.padEnd(7))} ${out.dim(taken)}`;
  const left = retry && wholeSeconds(Math.max(0, retry.at - now) + 999);
  const tail = retry && !isNarrow ? out.yellow(`  call ${retry.attempt} of ${retry.attempts} in ${left}`) : "";
  const room = width - theme.width(head) - theme.width(tail) - 2;
  // The middle of a long name is cut: its end says more.
  return cut(`${head}  ${cut(fqn, room, "middle")}${tail}`, width);
}
