/** The progress of a run: failures first, then waits, then each resource over time. */

import { useState } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import { blockersOf, type RunView, rowKey } from "../../model/index.js";
import { Icon } from "../parts/icon.js";
import { Empty } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Holder } from "../parts/seal-mark.js";
import { Summary } from "../parts/summary.js";
import { count, counted, useNow } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { Failures } from "./failures.js";
import { Waterfall } from "./waterfall.js";

interface ProgressProps {
  readonly view: RunView;
  readonly selected: number | undefined;
  /** The first order of the resources. */
  readonly sort: "took" | undefined;
  onOpen(key: string): void;
}

export function Progress({ view, selected, sort, onOpen }: ProgressProps) {
  return (
    <>
      <Bar view={view} />
      <Failures view={view} onOpen={onOpen} />
      <Warnings view={view} />
      {view.state === "running" && <Waits view={view} onOpen={onOpen} />}
      <Processes view={view} />
      {view.rows.length > 0 ? (
        <Waterfall view={view} selected={selected} sort={sort} onOpen={onOpen} />
      ) : view.plan ? (
        <Empty icon="eye" title="A plan: no handler was called">
          See what it would do under Plan.
        </Empty>
      ) : (
        view.state !== "running" &&
        view.failures.length === 0 &&
        view.processes.size === 0 && <Empty icon="check" title="There was nothing to do" />
      )}
      {view.rowsLeft > 0 && (
        <p class="soft">
          {view.rowsLeft === 1
            ? "1 event about another resource is"
            : `${count(view.rowsLeft)} events about other resources are`}{" "}
          not shown.
        </p>
      )}
    </>
  );
}

const PARTS = ["done", "failed", "stopped", "running", "retrying", "queued", "never"] as const;

/** Counts the resources of each part of the bar. Resources that wait when the run ends were never reached. */
function partsOf({ counts, summary, state }: RunView): Readonly<Record<(typeof PARTS)[number], number>> {
  const { done, failed, stopped, running, retrying, queued } = counts;
  if (state === "running") return { ...counts, never: 0 };
  return { done, failed, stopped, running, retrying, queued: 0, never: Math.max(queued, summary?.notBegun ?? 0) };
}

function Bar({ view }: { readonly view: RunView }) {
  const { summary } = view;
  const counts = partsOf(view);
  const total = PARTS.reduce((sum, part) => sum + counts[part], 0);
  if (total === 0 && !summary && view.toLook === undefined) return null;
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
          <Summary
            summary={{ ...summary, notBegun: counts.never }}
            outcome={view.state}
            isEffect={view.stoppedWith.size > 0}
          />
        ) : (
          PARTS.map(
            (part) =>
              counts[part] > 0 && (
                <span key={part} class="summary-part">
                  <b>{count(counts[part])}</b> {part === "never" ? "never reached" : part}
                </span>
              ),
          )
        )}
        {view.toLook !== undefined && <span class="summary-part">{count(view.toLook)} to check</span>}
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
      {others > 0 && (
        <li class="soft">
          {others === 1 ? "1 earlier warning is" : `${count(others)} earlier warnings are`} in the log.
        </li>
      )}
    </ul>
  );
}

/** Milliseconds after which a running resource is listed as a wait. */
const STUCK_AFTER = 1_500;

const MOST = 5;

interface WaitsProps {
  readonly view: RunView;
  onOpen(key: string): void;
}

function Waits({ view, onOpen }: WaitsProps) {
  const now = useNow(500);
  const wait = view.waits.at(-1);
  const blockers = blockersOf(view, MOST).filter(({ since }) => now - since > STUCK_AFTER);
  return (
    <>
      {wait && wait.to === undefined && wait.holder && <Holder holder={wait.holder} />}
      {blockers.length > 0 && (
        <section class="card" aria-label="Waits of the run">
          <h2 class="card-title">
            Waiting for
            {view.counts.queued > 0 && <span class="soft"> · {count(view.counts.queued)} queued</span>}
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

const STEP = 10;

const UNKNOWN = <Pill word="unknown" tone="quiet" />;

type Process = RunView["processes"] extends Map<number, infer One> ? One : never;

/** Processes and tunnels of the run: the running ones, how the others ended, and their addresses. */
function Processes({ view }: { readonly view: RunView }) {
  const [shown, setShown] = useState(STEP);
  const now = useNow(view.state === "running" ? 1_000 : undefined);
  const { tunnels } = view;
  // Running processes first, then ended ones, each the newest first.
  const all = [...view.processes.values()].reverse();
  const processes = [...all.filter(({ to }) => to === undefined), ...all.filter(({ to }) => to !== undefined)];
  if (processes.length === 0 && tunnels.size === 0) return null;
  const end = view.state === "running" ? Math.max(now, view.until ?? 0) : (view.until ?? now);
  // What became of them after the last event of the run is not known.
  const isLost = view.state === "cut off" || view.state === "silent";
  return (
    <section class="card" aria-label="Processes">
      <h2 class="card-title">
        Processes
        {processes.length > 0 && <span class="soft"> · {counted(processes.length, "process", "processes")}</span>}
        {tunnels.size > 0 && <span class="soft"> · {counted(tunnels.size, "tunnel")}</span>}
      </h2>
      <ul class="blockers">
        {[...tunnels.values()].map(({ host, port, url }) => (
          <li key={url}>
            {isLost ? UNKNOWN : <Pill word="open" tone="good" />}
            <Address url={url} />
            <span class="soft">
              leads to {visible(host)}:{port}
            </span>
          </li>
        ))}
        {processes.slice(0, shown).map((process) => (
          <li key={process.pid}>
            {isLost && process.to === undefined ? (
              UNKNOWN
            ) : (
              <Pill word={process.to === undefined ? "running" : "ended"} tone={toneOf(process)} />
            )}
            <b class="name">{visible(process.fqn.slice(0, 300))}</b>
            <span class={isBad(process) ? "bad" : "soft"}>{endOf(process)}</span>
            <span class="soft">
              process {process.pid}, {duration((process.to ?? end) - process.from)}
            </span>
            {process.said.length > 0 && (process.to === undefined || isBad(process)) && (
              <pre class="said">{process.said.map((line) => visible(line.slice(0, 500))).join("\n")}</pre>
            )}
          </li>
        ))}
      </ul>
      {processes.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
          Show more ({count(processes.length - shown)})
        </button>
      )}
    </section>
  );
}

/** A link only for addresses that a browser opens as a page. */
function Address({ url }: { readonly url: string }) {
  const text = visible(url.slice(0, 500));
  if (!/^https?:\/\//i.test(url)) return <code>{text}</code>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

function isBad({ to, exitCode }: Process): boolean {
  return to !== undefined && typeof exitCode === "number" && exitCode !== 0;
}

function toneOf(process: Process) {
  if (process.to === undefined) return "busy";
  return isBad(process) ? "bad" : "quiet";
}

function endOf({ to, exitCode }: Process): string {
  if (to === undefined) return "";
  return typeof exitCode === "number" ? `exit code ${exitCode}` : "ended by a signal";
}
