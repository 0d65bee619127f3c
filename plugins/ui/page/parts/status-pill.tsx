/** What the status of a resource comes to: its handler is at work, it failed, or nobody goes on with it. */
import type { ResourceDetail, StageHead } from "../../api/index.js";
import { Pill } from "./pill.js";

type Status = ResourceDetail["status"];
type Holder = StageHead["holder"];

interface StatusPillProps {
  readonly status: Status;
  readonly hasFailed: boolean;
  readonly holder: Holder;
}

export const STATUS_ACTION = { creating: "create", updating: "update", deleting: "delete" } as const;

export function StatusPill({ status, hasFailed, holder }: StatusPillProps) {
  if (status === "ready") return <Pill word={status} />;
  if (hasFailed) return <Pill word={`${STATUS_ACTION[status]} failed`} tone="bad" />;
  return isAtWork(holder) ? <Pill word={status} tone="busy" /> : <Pill word="interrupted" />;
}

/** Somebody may be going on with what is pending. */
export function isAtWork(holder: Holder): boolean {
  return holder !== undefined && holder.process !== "gone";
}
