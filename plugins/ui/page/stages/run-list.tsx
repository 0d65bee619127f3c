/** A list of runs. */
import { duration } from "../../../internal/text/duration.js";
import type { About, RunRow } from "../../api/index.js";
import { commandOf, isRefusal, outcomeOf } from "../../model/index.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Rows } from "../list/rows.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Summary } from "../parts/summary.js";
import { Tabs } from "../parts/tabs.js";
import { When } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, go } from "../router.js";
import { Page } from "../shell/page.js";

export function RunList({ runs }: { readonly runs: readonly RunRow[] }) {
  const isPhone = useMedia(PHONE);
  const hrefOf = ({ run }: RunRow): string => fragmentOf({ page: "run", run, tab: undefined });
  return (
    <Rows
      label="Runs"
      className="is-main is-runs"
      count={runs.length}
      height={isPhone ? 92 : 56}
      columns={5}
      keyOf={(index) => runs[index]?.run ?? index}
      onOpen={(index) => {
        const row = runs[index];
        if (row) go(hrefOf(row));
      }}
      header={["Run", "State", "Result", "By", "Took"].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
      render={(index) => {
        const row = runs[index];
        return row && <RunCells row={row} href={hrefOf(row)} />;
      }}
    />
  );
}

function RunCells({ row, href }: { readonly row: RunRow; readonly href: string }) {
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1}>
          <b>{visible(commandOf(row))}</b>{" "}
          <span class="soft">
            {visible(row.app)}/{visible(row.stage)}
          </span>
        </a>
      </span>
      <span role="gridcell" class="cell-state">
        <Pill word={row.asks ? "asks" : outcomeOf(row)} />
      </span>
      <span role="gridcell" class="cell-did">
        <Outcome row={row} />
      </span>
      <span role="gridcell" class="cell-by">
        <span>
          {visible(row.by.user)}@{visible(row.by.host)}
        </span>{" "}
        <span class="soft">
          <When at={row.since} />
        </span>
      </span>
      <span role="gridcell" class="cell-number">
        {row.duration === undefined ? "–" : duration(row.duration)}
      </span>
    </>
  );
}

const UNENDED: Readonly<Record<string, string>> = {
  running: "not ended yet",
  silent: "no event for two minutes or more, from another machine",
};

function Outcome({ row }: { readonly row: RunRow }) {
  const { asks, failure, planned, state, summary } = row;
  const isPhone = useMedia(PHONE);
  if (asks) return <span class="warn">a question waits for an answer</span>;
  if (failure && (!summary || planned || summary.failed === 0 || isRefusal(row))) {
    const made = summary && { ...summary, failed: 0, unchanged: 0, read: 0 };
    const hasMade = made && !planned && Object.values(made).some((one) => one > 0);
    return (
      <span class="bad" title={visible(failure.message.slice(0, 1_000))}>
        {hasMade && (
          <>
            <Summary summary={made} most={2} outcome={state} isEffect={row.stoppedByFailure === true} />{" "}
          </>
        )}
        {visible(failure.message.slice(0, 200))} <code>{visible(failure.code)}</code>
      </span>
    );
  }
  if (!summary) return <span class="soft">{UNENDED[state] ?? "its end is not known"}</span>;
  if (planned) return <span class="soft">a plan: nothing was changed</span>;
  return <Summary summary={summary} most={isPhone ? 3 : 4} outcome={state} isEffect={row.stoppedByFailure === true} />;
}

/** All runs that the server knows, newest first. */
export function RunsPage({ about }: { readonly about: About }) {
  const { data, failure, isLoading, reload } = useAnswer<readonly RunRow[]>("runs");
  useEvery(3_000, reload);
  return (
    <Page
      title="Runs"
      notice={data?.some(({ asks }) => asks) ? "A question waits" : undefined}
      address="#/runs"
      isFull={(data?.length ?? 0) > 0}
      tabs={<TopTabs about={about} current="runs" />}
    >
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Loading the runs" />}
      {data?.length === 0 && (
        <Empty icon="clock" title="No run yet">
          A run of this process, or one whose events are kept, appears here: <code>engine up --events runs</code> keeps
          them, and <code>engine ui --events runs</code> shows them.
        </Empty>
      )}
      {data && data.length > 0 && <RunList runs={data} />}
    </Page>
  );
}

/** The tabs of a store. */
export function TopTabs({ about, current }: { readonly about: About; readonly current: "stages" | "runs" }) {
  const runs = { name: "Runs", href: "#/runs" };
  const tabs = about.source === "store" ? [{ name: "Stages", href: "#/stages" }, runs] : [runs];
  return <Tabs label="Views of the store" tabs={tabs} current={current} />;
}
