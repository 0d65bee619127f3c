/** A run as a list of runs shows it. */
import type { RunRow } from "../api/index.js";
import type { RunView } from "./view.js";

/** Undefined where no event has said yet which run it is. */
export function runRowOf(view: RunView): RunRow | undefined {
  const { head, state, since, summary } = view;
  if (!head || since === undefined) return undefined;
  const duration = durationOf(view);
  return {
    run: head.run,
    app: head.app,
    stage: head.stage,
    phase: head.phase,
    planned: head.planned,
    since: new Date(since).toISOString(),
    by: head.by,
    state,
    ...(duration === undefined ? {} : { duration }),
    ...(summary ? { summary } : {}),
  };
}

/** Milliseconds; undefined while it runs. */
function durationOf({ state, duration, since, until }: RunView): number | undefined {
  if (duration !== undefined) return duration;
  return state === "running" || since === undefined || until === undefined ? undefined : until - since;
}
