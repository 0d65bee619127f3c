/** Shows on a terminal what a run is doing, where that takes long enough to be seen. */

import { monotonicNow } from "../../core/base/index.js";
import type { EventSource, RunControl } from "../../core/contract/index.js";
import type { LiveRegion, Size } from "../internal/live-region.js";
import { type Activity, ENDS } from "./activity.js";
import { frameLines } from "./frame.js";
import type { Theme } from "./theme.js";

/** Milliseconds from one picture to the next. */
const PACE = 83;
/** What is done sooner is not shown. */
const DELAY = 150;
/** A pause between two resources that is shorter takes nothing off the screen. */
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
    const sight = activity.see();
    const isBusy = sight.running.length > 0 || sight.waiting || sight.looking || sight.isLoading || sight.done !== done;
    done = sight.done;
    if (isBusy) {
      since.seen = at;
      since.busy ??= at;
    } else if (at - since.seen > PAUSE) since.busy = undefined;
    if (since.busy === undefined || at - startOf(sight.running[0]?.since, since.busy) < DELAY) return [];
    return frameLines({ title: titleOf(control, appName), sight, elapsed: at - since.run, now: at }, size, theme);
  };
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
    leave();
  };
  const tick = (): void => {
    // Where the app has not started, no event tells that it has ended.
    if (control.isLive || control.isOpening) region.update();
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
  if (control.isLive || control.isOpening) begin();
  // Begins again when app.run() begins another run of a finalized app.
  for (const name of ["run:started", "state:waiting"] as const) events.on(name, begin);
  for (const name of ENDS) events.on(name, end);
  control.onReleased(end);
}

function startOf(first: number | undefined, busy: number): number {
  return Math.min(first ?? busy, busy);
}

function titleOf({ options }: RunControl, appName: string): string {
  return options ? `${appName}/${options.stage} ${options.plan ? "plan" : options.phase}` : appName;
}
