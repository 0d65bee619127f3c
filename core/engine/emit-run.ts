/** Events about a run as a whole. */

import { ciRun, failureNote, processName } from "../base/index.js";
import type { RunInfo } from "../contract/index.js";
import type { App } from "../run/index.js";

/** Which run it is, and whose. */
export function runInfo({ run, options, root }: App): RunInfo {
  const ci = ciRun(options.env ?? process.env);
  const by = { ...processName(), ...(ci === undefined ? {} : { ci }) };
  const { appName: app, stage } = root;
  return { run: run.id, app, stage, phase: options.phase, planned: options.plan, by };
}

/** To observers. */
export function emitRunStarted(app: App): void {
  const { events, root } = app;
  events.emit("run:started", runInfo(app));
  events.emit("scope:created", { fqn: root.chain.join("/") });
}

/** Emitted in place of `run:finished` where the program is run again. */
export function emitRunRepeated(app: App): void {
  app.events.emit("run:repeated", runInfo(app));
}

/** Emits `run:failed` for observers, who do not catch what `engine()` rejects with; not where the run was reported. */
export function emitStartFailed(app: App, error: unknown): void {
  if (app.run.isReported) return;
  if (app.isToRepeat) return emitRunRepeated(app);
  app.events.emit("run:failed", { ...runInfo(app), ...failureNote(error) });
}
