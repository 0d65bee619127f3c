/** How far a run is: what went wrong first, then what it waits for, then each resource over time. */
import type { RunView } from "../../model/index.js";
import { count } from "../parts/format.js";
import { Icon } from "../parts/icon.js";
import { Empty } from "../parts/notice.js";
import { Summary } from "../parts/summary.js";
import { visibleLines } from "../parts/visible.js";
import { Failures } from "./failures.js";
import { Processes } from "./processes.js";
import { Waits } from "./waits.js";
import { Waterfall } from "./waterfall.js";

interface ProgressProps {
  readonly view: RunView;
  readonly selected: number | undefined;
  onOpen(key: string): void;
}

export function Progress({ view, selected, onOpen }: ProgressProps) {
  return (
    <>
      <Bar view={view} />
      <Failures view={view} onOpen={onOpen} />
      <Warnings view={view} />
      {view.state === "running" && <Waits view={view} onOpen={onOpen} />}
      <Processes view={view} />
      {view.rows.length > 0 ? (
        <Waterfall view={view} selected={selected} onOpen={onOpen} />
      ) : view.plan ? (
        <Empty icon="eye" title="A plan: no handler was called">
          What it would do is under Plan.
        </Empty>
      ) : (
        view.state !== "running" &&
        view.failures.length === 0 &&
        view.processes.size === 0 && <Empty icon="check" title="There was nothing to do" />
      )}
      {view.rowsLeft > 0 && <p class="soft">{count(view.rowsLeft)} events about further resources are not shown.</p>}
    </>
  );
}

const PARTS = ["done", "failed", "stopped", "running", "retrying", "queued"] as const;

function Bar({ view }: { readonly view: RunView }) {
  const { counts, summary } = view;
  const total = PARTS.reduce((sum, part) => sum + counts[part], 0);
  return (
    <div class="progress">
      {total > 0 && (
        <div class="progress-bar" aria-hidden="true">
          {PARTS.map(
            (part) =>
              counts[part] > 0 && (
                <span key={part} class="progress-part" data-state={part} style={{ flexGrow: counts[part] }} />
              ),
          )}
        </div>
      )}
      <p class="progress-text">
        {summary ? (
          <Summary summary={summary} />
        ) : (
          PARTS.map(
            (part) =>
              counts[part] > 0 && (
                <span key={part} class="summary-part">
                  <b>{count(counts[part])}</b> {part}
                </span>
              ),
          )
        )}
        {view.toLook !== undefined && <span class="summary-part">{count(view.toLook)} to look at</span>}
        {view.drifted > 0 && (
          <span class="summary-part" data-tone="warn">
            <b>{count(view.drifted)}</b> drifted
          </span>
        )}
      </p>
    </div>
  );
}

const SHOWN = 5;

function Warnings({ view }: { readonly view: RunView }) {
  const { items, first, dropped } = view.warnings;
  const newest = items.slice(Math.max(first, items.length - SHOWN));
  const others = items.length - first - newest.length + dropped;
  if (newest.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Warnings">
      {newest.map((warning, index) => (
        <li key={index} class="banner" data-tone="warn">
          <Icon name="alert" size={16} />
          <p>
            {visibleLines(warning.message.slice(0, 2_000))} <code>{visibleLines(warning.code)}</code>
          </p>
        </li>
      ))}
      {others > 0 && <li class="soft">{count(others)} earlier ones are in the log.</li>}
    </ul>
  );
}
