/** Follows a fleet: its last run, its recorded stages, and how fast they end. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Pace, type Rate } from "../../../internal/text/pace.js";
import { type Failure, type FleetStages, type FleetView, STAGE_OUTCOMES, type StageOutcome } from "../../api/index.js";
import { ask, failureOf, fleetPath } from "../data/ask.js";

/** Milliseconds from an answer to the next request. */
const LIVE = 1_000;
const HELD = 3_000;
const IDLE = 10_000;
/** A slow server gets requests for at most this share of the time. */
const SHARE = 1 / 4;

export interface FollowedFleet {
  readonly view: FleetView | undefined;
  readonly stages: readonly GridStage[] | undefined;
  readonly rate: Rate;
  readonly failure: Failure | undefined;
  /** Requests the present state soon. */
  reload(): void;
}

export interface GridStage {
  readonly name: string;
  readonly outcome: StageOutcome;
}

type Seen = Omit<FollowedFleet, "reload">;

const NO_RATE: Rate = { perSecond: undefined, left: undefined };
const NOTHING: Seen = { view: undefined, stages: undefined, rate: NO_RATE, failure: undefined };

/** @param isUrgent a request was sent, whose effect is awaited */
export function useFleet(fleet: string, isUrgent: boolean): FollowedFleet {
  const [seen, setSeen] = useState(NOTHING);
  const wake = useRef<() => void>(() => {});
  const urgent = useRef(isUrgent);
  urgent.current = isUrgent;
  useEffect(() => {
    const leaving = new AbortController();
    const onShow = (): void => {
      if (!document.hidden) wake.current();
    };
    document.addEventListener("visibilitychange", onShow);
    void follow(fleet, { onSeen: setSeen, wake, urgent, signal: leaving.signal });
    return () => {
      leaving.abort();
      wake.current();
      document.removeEventListener("visibilitychange", onShow);
    };
  }, [fleet]);
  const reload = useCallback(() => wake.current(), []);
  return { ...seen, reload };
}

interface Following {
  onSeen(seen: Seen): void;
  readonly wake: { current: () => void };
  readonly urgent: { readonly current: boolean };
  readonly signal: AbortSignal;
}

async function follow(fleet: string, { onSeen, wake, urgent, signal }: Following): Promise<void> {
  let seen = NOTHING;
  let pace: { readonly run: string; readonly pace: Pace } | undefined;
  let mark: string | undefined;
  while (!signal.aborted) {
    const began = performance.now();
    if (!document.hidden) {
      try {
        const view = await ask<FleetView>(fleetPath(fleet), signal);
        const { report } = view;
        if (pace?.run !== report.run || report.state !== "running") pace = { run: report.run, pace: new Pace() };
        pace.pace.add(report, performance.now());
        seen = { ...seen, view, rate: pace.pace.rate(report), failure: undefined };
        onSeen(seen);
        if (view.mark !== mark) {
          const stages = await stagesOf(fleet, signal);
          mark = view.mark;
          seen = { ...seen, stages };
          onSeen(seen);
        }
      } catch (error) {
        if (signal.aborted) return;
        seen = { ...seen, failure: failureOf(error) };
        onSeen(seen);
      }
    }
    const took = performance.now() - began;
    await pause(Math.max(urgent.current ? LIVE : restOf(seen), took / SHARE - took), wake);
  }
}

function restOf({ view, failure }: Seen): number {
  if (!view || failure || !view.isHeld) return IDLE;
  return view.report.state === "running" ? LIVE : HELD;
}

/** Resolves after a while, or once it is woken. A page that is hidden sleeps until it is shown. */
function pause(milliseconds: number, wake: { current: () => void }): Promise<void> {
  return new Promise((resolve) => {
    const timer = document.hidden ? undefined : setTimeout(resolve, milliseconds);
    wake.current = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function stagesOf(fleet: string, signal: AbortSignal): Promise<readonly GridStage[]> {
  const all: GridStage[] = [];
  for (let isLast = false; !isLast; ) {
    const after = all.at(-1);
    const query = after ? `?after=${encodeURIComponent(after.name)}` : "";
    const part = await ask<FleetStages>(`${fleetPath(fleet)}/stages${query}`, signal);
    part.names.forEach((name, at) => {
      all.push({ name, outcome: STAGE_OUTCOMES[Number(part.outcomes[at])] ?? "open" });
    });
    isLast = part.isLast || part.names.length === 0;
  }
  return all;
}
