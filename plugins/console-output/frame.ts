/** The live region of one run as lines, each as wide as the terminal at most. Pure. */
import type { Size } from "../internal/live-region.js";
import type { Running, Sight } from "./activity.js";
import { styleOf } from "./palette.js";
import type { Theme } from "./theme.js";
import { wholeSeconds } from "./whole-seconds.js";

export interface Shown {
  /** E.g. `my-app/dev up`. */
  readonly title: string;
  readonly sight: Sight;
  /** Milliseconds since the run began. */
  readonly elapsed: number;
  readonly now: number;
}

/** Of the terminal. */
const PART = 1 / 3;
/** Terminals that are narrower show names and times. */
const NARROW = 40;

export function frameLines(shown: Shown, { columns, rows }: Size, theme: Theme): readonly string[] {
  const { sight, now } = shown;
  // The last column stays free: some terminals begin a new row behind it.
  const width = Math.max(1, columns - 1);
  const most = Math.max(2, Math.floor(rows * PART)) - (sight.waiting ? 2 : 1);
  const { running } = sight;
  const fit = running.length <= most ? running : running.slice(0, Math.max(0, most - 1));
  const more = running.length - fit.length;
  return [
    theme.cut(statusLine(shown, theme), width),
    ...(sight.waiting ? [waitingLine(sight.waiting, now, width, theme)] : []),
    ...fit.map((one) => runningLine(one, now, width, theme)),
    ...(more > 0 && most > 0 ? [theme.cut(theme.out.dim(`  and ${more} more`), width)] : []),
  ];
}

function statusLine({ title, sight, elapsed }: Shown, { out }: Theme): string {
  const { running, looking, isLoading, waiting, done, failed, queued, isInterrupted } = sight;
  const parts = [
    ...(isInterrupted ? [out.bold(out.yellow("INTERRUPTED"))] : []),
    ...(isLoading && !waiting ? ["reading the state"] : []),
    ...(looking ? [`looking at ${looking.done} of ${looking.total}`] : []),
    ...(done > 0 ? [`${done} done`] : []),
    ...(failed > 0 ? [out.red(`${failed} failed`)] : []),
    ...(running.length > 0 ? [`${running.length} at work`] : []),
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
  // Where a name is too long, its end says more than its middle.
  return cut(`${head}  ${cut(fqn, room, "middle")}${tail}`, width);
}
