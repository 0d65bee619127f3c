/** Each resource over time: its waits, handler calls, retries and recording. */

import { useMemo, useState } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import { type Extent, extentOf, type ResourceRow, type RunView, rowKey, segmentsOf } from "../../model/index.js";
import { Rows } from "../list/rows.js";
import { Icon } from "../parts/icon.js";
import { MiddleCut } from "../parts/middle-cut.js";
import { Empty } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { ScopeTree } from "../parts/scope-tree.js";
import { counted, useNow } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { visible } from "../parts/visible.js";
import { type RowFilter, rowsShown, scopeItems, shownState, tookOf } from "./row-filter.js";

interface WaterfallProps {
  readonly view: RunView;
  readonly selected: number | undefined;
  /** The first order of the rows. */
  readonly sort: RowFilter["sort"] | undefined;
  onOpen(key: string): void;
}

/** Milliseconds between two scales of a running run. */
const STEP = 250;
const NO_FILTER: RowFilter = { text: "", state: undefined, scope: "", sort: "time" };
const STATES: readonly (readonly [NonNullable<RowFilter["state"]>, string])[] = [
  ["changed", "Changed"],
  ["all", "All"],
  ["active", "Running"],
  ["queued", "Queued"],
  ["failed", "Failed"],
];
/** The order by time is that of the first events. */
const SORTS = [
  ["name", "Resource", "ascending"],
  ["took", "Took", "descending"],
] as const;
/** The same orders in words, for phones, which show no titles of columns. */
const ORDERS = [
  ["time", "In order of time"],
  ["took", "Slowest first"],
  ["name", "By name"],
] as const;
const SEGMENT_WORDS = {
  waiting: "not known yet",
  queued: "queued",
  handler: "handler",
  retry: "waiting to retry",
  record: "recorded",
};

export function Waterfall({ view, selected, sort = "time", onOpen }: WaterfallProps) {
  const [filter, setFilter] = useState({ ...NO_FILTER, sort });
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const isPhone = useMedia(PHONE);
  const now = useNow(view.state === "running" ? STEP : undefined);
  const shown = useMemo(() => rowsShown(view, filter), [view, view.version, filter]);
  const items = useMemo(() => scopeItems(view, (fqn) => !closed.has(fqn)), [view, view.version, closed]);
  // The scale moves in steps: otherwise each event would move all bars.
  const extent = extentOf(view, Math.ceil(Math.max(now, view.until ?? 0) / STEP) * STEP);
  const length = shown?.length ?? view.rows.length;
  const chosen = shownState(view, filter);
  const rowAt = (index: number): ResourceRow | undefined => view.rows[shown?.[index] ?? index];
  const height = isPhone ? 52 : 34;
  const toggle = (fqn: string): void => {
    const after = new Set(closed);
    if (!after.delete(fqn)) after.add(fqn);
    setClosed(after);
  };
  return (
    <section class="split waterfall" aria-label="Resources over time">
      <ScopeTree
        items={items}
        selected={filter.scope}
        onSelect={(scope) => setFilter({ ...filter, scope })}
        onToggle={toggle}
      />
      <div class="split-main">
        <div class="toolbar">
          <label class="field">
            <Icon name="search" />
            <span class="unseen">Filter by name</span>
            <input
              type="search"
              placeholder="Filter by name"
              value={filter.text}
              onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
            />
          </label>
          <fieldset class="segments">
            <legend class="unseen">Which resources</legend>
            {STATES.map(([state, word]) => (
              <label key={state}>
                <input
                  type="radio"
                  name="rows-state"
                  checked={chosen === state}
                  onChange={() => setFilter({ ...filter, state })}
                />
                <span>{word}</span>
              </label>
            ))}
          </fieldset>
          <label class="choice is-sort">
            <span class="unseen">Order</span>
            <select
              value={filter.sort}
              onChange={({ currentTarget: { value } }) => {
                const sort = ORDERS.find(([one]) => one === value)?.[0] ?? "time";
                setFilter({ ...filter, sort });
              }}
            >
              {ORDERS.map(([sort, words]) => (
                <option key={sort} value={sort}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <Legend />
        </div>
        {length === 0 ? (
          <Empty icon="search" title={chosen === "changed" ? "No resource has changed" : "No resource matches"} />
        ) : (
          <Rows
            label="Resources over time"
            className="is-main is-waterfall"
            count={length}
            height={height}
            columns={4}
            selected={selected === undefined ? -1 : (shown?.indexOf(selected) ?? selected)}
            keyOf={(index) => rowAt(index)?.index ?? index}
            onOpen={(index) => {
              const row = rowAt(index);
              if (row) onOpen(rowKey(row));
            }}
            header={
              <>
                {SORTS.map(([sort, word, direction]) => (
                  <span key={word} role="columnheader" aria-sort={filter.sort === sort ? direction : "none"}>
                    <button type="button" class="sort" onClick={() => setFilter({ ...filter, sort })}>
                      {word}
                    </button>
                  </span>
                ))}
                <span role="columnheader">State</span>
                <span role="columnheader" class="axis" aria-sort={filter.sort === "time" ? "ascending" : "none"}>
                  <button
                    type="button"
                    class="sort"
                    aria-label="Time"
                    title="In order of time"
                    onClick={() => setFilter({ ...filter, sort: "time" })}
                  />
                  <Axis extent={extent} />
                </span>
              </>
            }
            render={(index) => {
              const row = rowAt(index);
              return row && <RowCells row={row} extent={extent} />;
            }}
          />
        )}
      </div>
    </section>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-label="What the colours mean">
      {(["queued", "handler", "retry", "record"] as const).map((kind) => (
        <li key={kind}>
          <span class="swatch" data-kind={kind} aria-hidden="true" />
          {SEGMENT_WORDS[kind]}
        </li>
      ))}
    </ul>
  );
}

function Axis({ extent }: { readonly extent: Extent }) {
  const length = extent.to - extent.from;
  const step = stepFor(length);
  const ticks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
  return (
    <span class="unseen-overflow">
      <span class="unseen">Time</span>
      {ticks.map((at) => (
        <span key={at} class="tick" aria-hidden="true" style={{ left: `${(100 * at) / length}%` }}>
          {at === 0 ? "0" : at + step / 2 < length && duration(at)}
        </span>
      ))}
    </span>
  );
}

/** Returns a round time, about a fifth of the whole. */
function stepFor(length: number): number {
  const rough = length / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  return [1, 2, 5, 10].map((by) => by * power).find((step) => step >= rough) ?? 10 * power;
}

function RowCells({ row, extent }: { readonly row: ResourceRow; readonly extent: Extent }) {
  // App and stage are the same for all rows.
  const from = row.fqn.indexOf("/", row.fqn.indexOf("/") + 1) + 1;
  const word = row.result ?? row.state;
  const segments = segmentsOf(row, extent);
  const length = extent.to - extent.from;
  const took = tookOf(row, extent.to);
  return (
    <>
      <span role="gridcell" class="cell-main">
        <span class="path">
          <MiddleCut path={row.fqn.slice(from)} />
        </span>
        <span class="soft kind">{visible(row.kind.slice(0, 60))}</span>
      </span>
      <span role="gridcell" class="cell-took">
        {took !== undefined && tookWords(row, took)}
      </span>
      <span role="gridcell" class="cell-status">
        {row.result === "unchanged" ? <span class="soft">unchanged</span> : <Pill word={word} />}
      </span>
      <span role="gridcell" class="cell-bar" aria-label={barWords(row, took)}>
        {segments.map(({ kind, from: start, to }) => (
          <span
            key={`${kind}${start}`}
            class="bar"
            data-kind={kind}
            data-state={row.state}
            style={{
              left: `${(100 * (start - extent.from)) / length}%`,
              width: `${(100 * (to - start)) / length}%`,
            }}
          />
        ))}
      </span>
    </>
  );
}

/** @param took milliseconds */
function tookWords(row: ResourceRow, took: number): string {
  return row.retried > 0 ? `${counted(row.retried + 1, "call")} · ${duration(took)}` : duration(took);
}

function barWords(row: ResourceRow, took: number | undefined): string {
  const parts: string[] = [row.result ?? row.state];
  if (row.queuedAt !== undefined && row.startedAt !== undefined)
    parts.push(`queued ${duration(row.startedAt - row.queuedAt)}`);
  if (took !== undefined) parts.push(`handler ${tookWords(row, took)}`);
  return parts.join(", ");
}
