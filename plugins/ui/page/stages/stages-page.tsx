/** All stages of the store: the last run, the holder, and the number of resources of each. */
import { useState } from "preact/hooks";
import { finishedIn } from "../../../internal/text/pace.js";
import type { About, FleetView, StageRow } from "../../api/index.js";
import { fleetPath } from "../data/ask.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Rows } from "../list/rows.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { SealMark } from "../parts/seal-mark.js";
import { Summary } from "../parts/summary.js";
import { count, counted, When } from "../parts/time.js";
import { PHONE, useMedia } from "../parts/use-media.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, go } from "../router.js";
import { Page } from "../shell/page.js";
import { TopTabs } from "./run-list.js";

export function StagesPage({ about }: { readonly about: About }) {
  const { data, failure, isLoading, reload } = useAnswer<readonly StageRow[]>("stages");
  useEvery(10_000, reload);
  const [showsEmpty, setShowsEmpty] = useState(false);
  // The stage of a fleet's record has no resources, but leads to the fleet.
  const shown = data?.filter(({ isEmpty, isFleet }) => showsEmpty || isFleet || !isEmpty) ?? [];
  const hidden = (data?.length ?? 0) - shown.length;
  return (
    <Page title="Stages" address="#/stages" isFull={shown.length > 0} tabs={<TopTabs about={about} current="stages" />}>
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Loading the stages" />}
      {data?.length === 0 && (
        <Empty icon="scope" title="There is no stage yet">
          The first <code>engine up</code> with this store creates one.
        </Empty>
      )}
      {hidden > 0 && (
        <p class="soft">
          {hidden === 1 ? "1 empty stage is" : `${hidden} empty stages are`} not shown.{" "}
          <button type="button" class="more" onClick={() => setShowsEmpty(true)}>
            Show all
          </button>
        </p>
      )}
      {shown.length > 0 && <StageList stages={shown} />}
    </Page>
  );
}

function StageList({ stages }: { readonly stages: readonly StageRow[] }) {
  const isPhone = useMedia(PHONE);
  const hrefOf = ({ app, stage, isFleet }: StageRow): string =>
    fragmentOf(isFleet ? { page: "fleet", fleet: app } : { page: "stage", app, stage, tab: "resources" });
  return (
    <Rows
      label="Stages"
      className="is-main is-stages"
      count={stages.length}
      height={isPhone ? 108 : 60}
      columns={4}
      keyOf={(index) => index}
      onOpen={(index) => {
        const row = stages[index];
        if (row) go(hrefOf(row));
      }}
      header={["Stage", "Last run", "Lock", "Resources"].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
      render={(index) => {
        const row = stages[index];
        if (row?.isFleet && !row.problem) return <FleetCells row={row} href={hrefOf(row)} />;
        return row && <StageCells row={row} href={hrefOf(row)} />;
      }}
    />
  );
}

/** A fleet in place of the stage of its record. */
function FleetCells({ row, href }: { readonly row: StageRow; readonly href: string }) {
  const { data, isLoading, reload } = useAnswer<FleetView>(fleetPath(row.app));
  useEvery(10_000, reload);
  const report = data?.report;
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1}>
          <b>{visible(row.app)}</b>
        </a>
        <span class="mark">
          <Icon name="fleet" size={13} /> fleet
        </span>
        <SealMark seal={row.seal} />
      </span>
      <span role="gridcell" class="cell-run">
        {report ? (
          <>
            <span class="cell-line">
              <Pill word={report.state} /> <code>{visible(report.command)}</code>{" "}
              <span class="soft">
                <When at={report.began} />
              </span>
            </span>
            <span class="cell-line">
              <span class="summary-part">
                <b>{count(finishedIn(report))}</b> of {counted(report.stages.total, "stage")}
              </span>
              {report.stages.failed > 0 && (
                <span class="summary-part" data-tone="bad">
                  <b>{count(report.stages.failed)}</b> failed
                </span>
              )}
            </span>
          </>
        ) : isLoading ? (
          <Unready />
        ) : (
          <span class="soft">no run yet</span>
        )}
      </span>
      <LockCell holder={row.holder} />
      <span role="gridcell" class="cell-number">
        –
      </span>
    </>
  );
}

/** As high as the later content. */
function Unready() {
  return (
    <span style={{ visibility: "hidden" }} aria-hidden="true">
      <span class="cell-line">
        <Pill word="running" /> <code>up</code> <span>1 min ago</span>
      </span>
      <span class="cell-line">
        <span class="summary-part">0 of 0</span>
      </span>
    </span>
  );
}

function LockCell({ holder }: Pick<StageRow, "holder">) {
  return (
    <span role="gridcell" class="cell-lock">
      {holder ? (
        <span class="held">
          <Icon name="lock" size={14} />
          <span>
            <b>
              {visible(holder.user)}@{visible(holder.host)}
            </b>{" "}
            <span class="soft">
              {visible(holder.command)}, for <When at={holder.since} isLasting />
            </span>
          </span>
        </span>
      ) : (
        <span class="soft">free</span>
      )}
    </span>
  );
}

function StageCells({ row, href }: { readonly row: StageRow; readonly href: string }) {
  const { app, stage, lastRun, holder, resources, seal, problem, retired, arriving } = row;
  const isPhone = useMedia(PHONE);
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1}>
          <span class="soft">{visible(app)}/</span>
          <b>{visible(stage)}</b>
        </a>
        <SealMark seal={seal} />
      </span>
      <span role="gridcell" class="cell-run">
        {problem ? (
          <span class="bad" title={visible(problem.message)}>
            <Icon name="alert" size={14} /> {visible(problem.message.slice(0, 200))} <code>{problem.code}</code>
          </span>
        ) : lastRun ? (
          <>
            <span class="cell-line">
              <Pill word={lastRun.outcome} /> <code>{visible(lastRun.command)}</code>{" "}
              <span class="soft">
                <When at={lastRun.since} /> by {visible(lastRun.user)}
              </span>
            </span>
            <span class="cell-line">
              <Summary
                summary={lastRun.summary}
                most={isPhone ? 3 : 4}
                outcome={lastRun.outcome}
                isEffect={lastRun.outcome === "failed"}
              />
            </span>
          </>
        ) : (
          <span class="soft">
            {retired ? "moved to another store" : arriving ? "being moved here" : "no run has ended yet"}
          </span>
        )}
      </span>
      <LockCell holder={holder} />
      <span role="gridcell" class="cell-number">
        {resources === undefined ? "–" : count(resources)}
      </span>
    </>
  );
}
