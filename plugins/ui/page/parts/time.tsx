/** When something was: how long ago, and exactly where it is pointed at. */

import { ago, dateTime } from "./format.js";
import { useNow } from "./use-now.js";

export function When({ at }: { readonly at: string | number }) {
  const now = useNow(30_000);
  const ms = typeof at === "number" ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={dateTime(ms)}>
      {ago(ms, now)}
    </time>
  );
}
