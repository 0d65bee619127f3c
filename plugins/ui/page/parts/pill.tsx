/** A word in the colour of its meaning. */
import type { ResourceDetail, StageHead } from "../../api/index.js";

export type Tone = "good" | "bad" | "busy" | "warn" | "plain" | "quiet";

const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  creating: "warn",
  updating: "warn",
  deleting: "warn",
  running: "busy",
  retrying: "warn",
  queued: "plain",
  looked: "plain",
  done: "good",
  failed: "bad",
  vetoed: "bad",
  refused: "bad",
  stopped: "warn",
  waiting: "warn",
  paused: "warn",
  cancelled: "warn",
  interrupted: "warn",
  "cut off": "warn",
  silent: "warn",
  asks: "warn",
  left: "plain",
  created: "good",
  adopted: "good",
  updated: "busy",
  replaced: "warn",
  deleted: "bad",
  read: "quiet",
  unchanged: "quiet",
  retained: "plain",
  create: "good",
  adopt: "good",
  update: "busy",
  replace: "warn",
  delete: "bad",
  changed: "busy",
  gone: "bad",
  forgotten: "bad",
  recorded: "good",
};

export function toneOf(word: string): Tone {
  return TONES[word] ?? "plain";
}

export function Pill({ word, tone }: { readonly word: string; readonly tone?: Tone }) {
  return (
    <span class="pill" data-tone={tone ?? toneOf(word)}>
      <span class="dot" aria-hidden="true" />
      {word}
    </span>
  );
}

type Status = ResourceDetail["status"];

type Holder = StageHead["holder"];

interface StatusPillProps {
  readonly status: Status;
  readonly hasFailed: boolean;
  readonly holder: Holder;
}

/** The outcome of a pending status: its handler is running, it failed, or it was interrupted. */
export const STATUS_ACTION = { creating: "create", updating: "update", deleting: "delete" } as const;

export function StatusPill({ status, hasFailed, holder }: StatusPillProps) {
  if (status === "ready") return <Pill word={status} />;
  if (hasFailed) return <Pill word={`${STATUS_ACTION[status]} failed`} tone="bad" />;
  return isAtWork(holder) ? <Pill word={status} tone="busy" /> : <Pill word="interrupted" />;
}

/** Returns true if a run may still be working on the pending resource. */
export function isAtWork(holder: Holder): boolean {
  return holder !== undefined && holder.process !== "gone";
}
