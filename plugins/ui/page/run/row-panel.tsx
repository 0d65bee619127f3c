/** One resource of a run: its action, its log, and its failure. */

import { useEffect, useRef } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import { kept, type ResourceRow, type RunView } from "../../model/index.js";
import { Icon } from "../parts/icon.js";
import { LongText } from "../parts/long-text.js";
import { Pill } from "../parts/pill.js";
import { count, counted, timeOfDay } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { FailureText } from "./failures.js";

interface RowPanelProps {
  readonly view: RunView;
  readonly row: ResourceRow;
  readonly hasStages: boolean;
  onClose(): void;
}

/** The most log lines shown, the newest ones. */
const MOST_LINES = 200;

export function RowPanel({ view, row, hasStages, onClose }: RowPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [row]);
  const { head } = view;
  const lines = linesOf(view, row);
  return (
    <section ref={panel} class="panel" aria-label={`About ${visible(row.fqn.slice(0, 200))}`} tabIndex={-1}>
      <header class="panel-head">
        <h2 class="name">{visible(row.fqn.slice(0, 400))}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <p class="cell-line">
        <Pill word={row.result ?? row.state} /> <code>{visible(row.kind.slice(0, 200))}</code>
        {row.action !== undefined && <span class="soft">{row.action}</span>}
      </p>
      {row.failure && <FailureText failure={row.failure} />}
      {row.reason !== undefined && <p>{visibleLines(row.reason)}</p>}
      <Times row={row} />
      {row.retries.length > 0 && (
        <section>
          <h3>Retried {counted(row.retried, "time")}</h3>
          <ol class="retries">
            {row.retries.map(({ attempt, attempts, delay, message, at }) => (
              <li key={`${at}-${attempt}`}>
                <span class="soft">
                  call {attempt} of {attempts}, after {duration(delay)}:
                </span>{" "}
                {visibleLines(message.slice(0, 1_000))}
              </li>
            ))}
          </ol>
        </section>
      )}
      {row.logged > 0 && (
        <section>
          <h3>
            {counted(row.logged, "line")}
            {lines.length < row.logged && <span class="soft">, the last {count(lines.length)}</span>}
          </h3>
          <div class="log-box" role="log" aria-label="Log of its handler" tabIndex={0}>
            {lines.map(({ at, text }, index) => (
              <p key={index}>
                <span class="soft log-time">{timeOfDay(at)}</span> <LongText text={text} />
              </p>
            ))}
          </div>
        </section>
      )}
      {hasStages && head && (
        <a
          class="button"
          href={fragmentOf({ page: "resource", app: head.app, stage: head.stage, fqn: row.fqn, tab: "values" })}
        >
          Show it in the state
        </a>
      )}
    </section>
  );
}

function linesOf(view: RunView, row: ResourceRow): readonly { readonly at: number; readonly text: string }[] {
  if (row.logged === 0) return [];
  const lines = kept(view.lines);
  const own: { readonly at: number; readonly text: string }[] = [];
  for (let index = lines.length - 1; index >= 0 && own.length < MOST_LINES; index--) {
    const line = lines[index];
    if (line?.row === row.index) own.push(line);
  }
  return own.reverse();
}

function Times({ row }: { readonly row: ResourceRow }) {
  const times = [
    ["Queued", row.queuedAt],
    ["Begun", row.startedAt],
    ["Ended", row.endedAt],
    ["Recorded", row.recordedAt],
  ] as const;
  return (
    <dl class="times">
      {times.map(
        ([word, at]) =>
          at !== undefined && (
            <div key={word}>
              <dt>{word}</dt>
              <dd>
                {timeOfDay(at)}.{`${Math.floor(at % 1_000)}`.padStart(3, "0")}
              </dd>
            </div>
          ),
      )}
      {row.duration !== undefined && (
        <div>
          <dt>Handler</dt>
          <dd>{duration(row.duration)}</dd>
        </div>
      )}
    </dl>
  );
}
