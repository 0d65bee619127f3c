/** A list of runs. */
import { duration } from "../../../internal/text/duration.js";
import type { About, RunRow } from "../../api/index.js";
import { commandOf } from "../../model/index.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Rows } from "../parts/rows.js";
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
        <Pill word={row.state} />
      </span>
      <span role="gridcell" class="cell-did">
        {row.summary ? (
          row.planned ? (
            <span class="soft">a plan: nothing was changed</span>
          ) : (
            <Summary summary={row.summary} most={4} />
          )
        ) : (
          <span class="soft">{row.state === "running" ? "running" : "its end is not known"}</span>
        )}
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

/** All runs that the server knows, newest first. */
export function RunsPage({ about }: { readonly about: About }) {
  const { data, failure, isLoading, reload } = useAnswer<readonly RunRow[]>("runs");
  useEvery(3_000, reload);
  return (
    <Page
      title="Runs"
      address="#/runs"
      isFull={(data?.length ?? 0) > 0}
      tabs={<TopTabs about={about} current="runs" />}
    >
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Loading the runs" />}
      {data?.length === 0 && (
        <Empty icon="clock" title="No run yet">
          Start a run with <code>engine up --ui</code>, or show a folder of events with{" "}
          <code>engine ui --events runs</code>.
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
