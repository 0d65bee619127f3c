/** Anonymous figures about runs, for whoever has a project that takes them; nothing at all without one. */
import { callback, checkGiven, monotonicNow, NOTHING_DONE, type Phase, record } from "../../core/base/index.js";
import type { EnginePlugin, ResolvedOptions } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { tell } from "../internal/terminal/tell.js";
import { type Destination, sinkFor } from "./switches.js";
import { WatchedRun } from "./watched-run.js";

export type { Connect, Destination, TelemetryProject } from "./switches.js";

/**
 * Tells a sink once a run what is listed in the guide on telemetry. It never fails a run, never holds up a process by more than
 * 100 ms in all, and does nothing where it is switched off or has no sink.
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

/** Said on standard error also where the run is quiet or prints events: it concerns the user, and comes once. */
function sayer({ logger }: ResolvedOptions): (line: string) => void {
  return (line) => {
    try {
      if (logger) logger.error(line);
      else tell(line);
    } catch {
      // Somebody else's logger is no reason to fail.
    }
  };
}
