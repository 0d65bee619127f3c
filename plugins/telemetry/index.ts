/** Plugin that sends anonymous statistics about runs to a project. Without a project it does nothing. */
import { callback, checkGiven, monotonicNow, NOTHING_DONE, type Phase, record } from "../../core/base/index.js";
import type { EnginePlugin, ResolvedOptions } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { tell } from "../internal/terminal/tell.js";
import { type Destination, sinkFor } from "./switches.js";
import { WatchedRun } from "./watched-run.js";

export type { Connect, Destination, TelemetryProject } from "./switches.js";

/**
 * Sends the statistics that the guide on telemetry lists to a sink, once per run. It never fails a run, never delays a
 * process by more than 100 ms in total, and does nothing if it is switched off or has no sink.
 */
export function telemetry(destination: Destination = {}): EnginePlugin {
  checkGiven("telemetry", destination, { sink: record, connect: callback });
  return definePlugin({
    name: "telemetry",
    apply({ events, control }) {
      const installed = monotonicNow();
      let run: WatchedRun | undefined;
      const begin = (phase: Phase): WatchedRun | undefined => {
        const began = run ? monotonicNow() : installed;
        const { options, store } = control.status;
        const open = options && sinkFor(options, destination);
        if (!options || !open) return undefined;
        const { plan, env = process.env } = options;
        const start = { phase: plan ? "plan" : phase, store, env } as const;
        return new WatchedRun(start, events, { env, open, say: sayer(options) }, began);
      };
      events.on("run:started", ({ phase }) => {
        run = begin(phase);
      });
      events.on("run:finished", ({ ok, duration, summary, errors }) => {
        run?.finish({ ok, duration, summary, codes: errors.map(({ code }) => code) });
      });
      events.on("run:failed", ({ phase, code }) => {
        if (!run || run.hasEnded) run = begin(phase);
        run?.finish({ ok: false, duration: monotonicNow() - run.began, summary: NOTHING_DONE, codes: [code] });
      });
      control.onFailedStart(() => run?.settled());
      control.onLinger(() => run?.settled());
    },
  });
}

/**
 * Prints to standard error even if the run is quiet or prints events: the notice concerns the user, and appears once.
 */
function sayer({ logger }: ResolvedOptions): (line: string) => void {
  return (line) => {
    try {
      if (logger) logger.error(line);
      else tell(line);
    } catch {
      // A logger that throws must not fail the run.
    }
  };
}
