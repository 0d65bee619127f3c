/** When something was: how long ago, and exactly where it is pointed at. */

import { ago, dateTime, lasting } from "./format.js";
import { useNow } from "./use-now.js";

interface WhenProps {
  readonly at: string | number;
  /** It goes on: for how long it has. */
  readonly isLasting?: boolean;
}

export function When({ at, isLasting = false }: WhenProps) {
  const now = useNow(30_000);
  const ms = typeof at === "number" ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={dateTime(ms)}>
      {isLasting ? lasting(ms, now) : ago(ms, now)}
    </time>
  );
}
