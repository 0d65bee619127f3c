/** A fleet: its last run, and a cell for each stage. */
import { useEffect, useState } from "preact/hooks";
import type { FleetReport, FleetState } from "../../../fleet/index.js";
import { duration } from "../../../internal/text/duration.js";
import type { About, FleetView } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Missing, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { useNow, When } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { Page } from "../shell/page.js";
import { Causes, Left, Slowest } from "./causes.js";
import { momentOf, Orders, type Sent } from "./orders.js";
import { StageGrid } from "./stage-grid.js";
import { useFleet } from "./use-fleet.js";
import { Waves } from "./waves.js";

/** Milliseconds after which another request can be sent. */
const MOST_AWAITED = 15_000;

export function FleetPage({ fleet, about }: { readonly fleet: string; readonly about: About }) {
  const [sent, setSent] = useState<Sent | undefined>();
  const { view, stages, rate, failure, reload } = useFleet(fleet, sent !== undefined);
  const at = view && momentOf(view);
  useEffect(() => {
    if (!sent) return;
    if (at !== sent.at) return setSent(undefined);
    const timer = setTimeout(() => setSent(undefined), MOST_AWAITED);
    return () => clearTimeout(timer);
  }, [sent, at]);
  const onSent = (one: Sent | undefined): void => {
    setSent(one);
    reload();
  };
  const isNew = failure?.code === "NOT_RECORDED";
  return (
    <Page title={visible(fleet)} address={`fleet ${fleet}`} aside={view && <Head view={view} />}>
      {failure && !isNew && <Trouble failure={failure} onRetry={reload} />}
      {failure?.near && (
        <Missing
          title={`There is no fleet "${fleet}"`}
          near={failure.near}
          hrefOf={(name) => fragmentOf({ page: "fleet", fleet: name })}
        >
          <a href="#/stages">Show all stages</a>
        </Missing>
      )}
      {isNew && !failure.near && (
        <Empty icon="fleet" title="This fleet has no run yet">
          <code>engine fleet up FILE</code> starts the first one.
        </Empty>
      )}
      {!view && !failure && <Loading rows={10} label="Loading the fleet" />}
      {view && !isNew && (
        <>
          {view.program?.failure && <Trouble failure={view.program.failure} />}
          <StateNote report={view.report} />
          <Orders view={view} about={about} sent={sent} onSent={onSent} />
          <Waves report={view.report} rate={rate} />
          <Causes view={view} />
          <StageGrid fleet={fleet} stages={stages} report={view.report} />
          <div class="fleet-sides">
            <Slowest view={view} />
            <Left view={view} />
          </div>
        </>
      )}
    </Page>
  );
}

function Head({ view: { report, isHeld } }: { readonly view: FleetView }) {
  const { command, state, began, version } = report;
  const isLive = isHeld && state === "running";
  const now = useNow(isLive ? 1_000 : undefined);
  const lasted = isLive ? Math.max(report.duration, now - Date.parse(began)) : report.duration;
  return (
    <>
      <Pill word={state} />
      <span class="soft">
        <b class="fleet-command">{visible(command)}</b>{" "}
        {isLive ? (
          <>
            for {duration(lasted)}, since <When at={began} isExact="only" />
          </>
        ) : (
          <>
            · {duration(lasted)} · began <When at={began} />
          </>
        )}{" "}
        · version {visible(version.slice(0, 80))}
      </span>
    </>
  );
}

const NOTES: Readonly<Partial<Record<FleetState, string>>> = {
  waiting: "The next wave waits",
  paused: "Paused: no more stages begin",
  stopped: "Stopped: too many stages failed",
  cancelled: "Cancelled",
  interrupted: "Interrupted: its process has ended, and the rest of the run has not begun",
  failed: "Failed",
};

function StateNote({ report: { state, reason } }: { readonly report: FleetReport }) {
  const note = NOTES[state];
  if (note === undefined || (state === "failed" && reason === undefined)) return null;
  return (
    <p class="banner" data-tone="warn">
      <Icon name={state === "paused" || state === "waiting" ? "clock" : "alert"} size={18} />
      <span>
        <b>{note}</b>
        {reason !== undefined && <>: {visibleLines(reason)}</>}.
      </span>
    </p>
  );
}
