/** What a run waits for right now: another run's lock, and what has been at work for longest. */
import { duration } from "../../../internal/duration.js";
import { blockersOf, type RunView, rowKey } from "../../model/index.js";
import { count } from "../parts/format.js";
import { Holder } from "../parts/holder.js";
import { useNow } from "../parts/use-now.js";
import { visible } from "../parts/visible.js";

/** Milliseconds that something may take before it is called stuck. */
const PATIENCE = 1_500;
const MOST = 5;

interface WaitsProps {
  readonly view: RunView;
  onOpen(key: string): void;
}

export function Waits({ view, onOpen }: WaitsProps) {
  const now = useNow(500);
  const wait = view.waits.at(-1);
  const blockers = blockersOf(view, MOST).filter(({ since }) => now - since > PATIENCE);
  return (
    <>
      {wait && wait.to === undefined && wait.holder && <Holder holder={wait.holder} />}
      {blockers.length > 0 && (
        <section class="card" aria-label="What it waits for">
          <h2 class="card-title">
            Waiting for
            {view.counts.queued > 0 && <span class="soft"> · {count(view.counts.queued)} queued behind</span>}
          </h2>
          <ul class="blockers">
            {blockers.map(({ row, since, holdsUp }) => (
              <li key={row.index}>
                <button type="button" class="name as-link" onClick={() => onOpen(rowKey(row))}>
                  {visible(row.fqn.slice(0, 300))}
                </button>
                <span class="soft">
                  {row.action}, for {duration(now - since)}
                </span>
                {row.state === "retrying" && (
                  <span class="warn">
                    call {row.retries.at(-1)?.attempt} of {row.retries.at(-1)?.attempts}:{" "}
                    {visible((row.retries.at(-1)?.message ?? "").slice(0, 200))}
                  </span>
                )}
                {holdsUp.length > 0 && (
                  <span class="soft">holds up {holdsUp.map(({ fqn }) => visible(fqn.slice(0, 100))).join(", ")}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
