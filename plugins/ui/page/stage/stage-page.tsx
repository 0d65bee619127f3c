/** One stage: its resources, history, drift and runs. */
import { duration } from "../../../internal/text/duration.js";
import type { About, FleetStage, RunRow, StageChanges, StageHead } from "../../api/index.js";
import { fleetPath, stagePath } from "../data/ask.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Icon } from "../parts/icon.js";
import { LongText } from "../parts/long-text.js";
import { Empty, Loading, Missing, Trouble } from "../parts/notice.js";
import { RunLink } from "../parts/run-link.js";
import { Holder, SealMark } from "../parts/seal-mark.js";
import { Tabs } from "../parts/tabs.js";
import { count } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type StageRoute, type StageTab } from "../router.js";
import { Page } from "../shell/page.js";
import { RunList } from "../stages/run-list.js";
import { Drift } from "./drift.js";
import { History } from "./history.js";
import { Resources } from "./resources.js";
import { StageSummary } from "./stage-summary.js";
import { useRows } from "./use-rows.js";

export function StagePage({ route, about }: { readonly route: StageRoute; readonly about: About }) {
  const { app, stage, tab } = route;
  const head = useAnswer<StageHead>(stagePath(app, stage));
  const inFleet = useAnswer<FleetStage | null>(
    about.source === "store" ? `${fleetPath(app)}/stage?name=${encodeURIComponent(stage)}` : undefined,
  );
  // The summary and the link to the run of the holder are as early as the holder.
  const runs = useAnswer<readonly RunRow[]>("runs");
  useEvery(10_000, head.reload);
  const isList = tab === "resources";
  const loaded = useRows(app, stage, isList ? head.data?.seq : undefined);
  // After the rows: the server reads each copy of the state for them.
  const isLoaded = isList && loaded.rows?.isComplete === true && loaded.rows.seq === head.data?.seq;
  const changed = useAnswer<StageChanges>(
    isLoaded ? `${stagePath(app, stage)}/changes?seq=${head.data?.seq}` : undefined,
  );
  const changes = changed.data?.seq === loaded.rows?.seq ? changed.data : undefined;
  const hrefOf = (one: StageTab): string => fragmentOf({ page: "stage", app, stage, tab: one });
  const resources = head.data?.resources;
  const tabs = [
    { name: "Resources", href: hrefOf("resources"), ...(resources === undefined ? {} : { count: count(resources) }) },
    { name: "History", href: hrefOf("history") },
    { name: "Drift", href: hrefOf("drift") },
    { name: "Runs", href: hrefOf("runs") },
  ];
  // The holder is shown above: earlier content would move.
  const isKnown = (head.data !== undefined || head.failure !== undefined) && !inFleet.isLoading && !runs.isLoading;
  const isUnrecorded = head.failure?.code === "NOT_RECORDED" && Boolean(inFleet.data);
  const isFull = tab === "resources" || tab === "runs";
  if (head.failure?.near && isKnown && !inFleet.data) {
    return (
      <Page title={visible(`${app}/${stage}`)} address={`stage ${app}/${stage}`}>
        <Missing title={`There is no stage "${app}/${stage}"`} near={head.failure.near} hrefOf={hrefOfStage}>
          <a href="#/stages">Show all stages</a>
        </Missing>
      </Page>
    );
  }
  return (
    <Page
      title={visible(`${app}/${stage}`)}
      address={`stage ${app}/${stage}`}
      isFull={isFull}
      aside={
        head.data && (
          <>
            <SealMark seal={head.data.seal} />
            <span class="soft nowrap">entry {count(head.data.seq)}</span>
          </>
        )
      }
      tabs={<Tabs label="Views of the stage" tabs={tabs} current={tab} isReady={isKnown} />}
    >
      {isKnown && isList && head.data && <StageSummary head={head.data} runs={runs.data ?? []} changes={changes} />}
      {isKnown && !isList && head.data?.holder && (
        <Holder holder={head.data.holder} link={<RunLink app={app} stage={stage} by={head.data.holder} />} />
      )}
      {isKnown && inFleet.data && <FleetOutcome app={app} ended={inFleet.data} />}
      {tab === "resources" && head.failure && !isUnrecorded && <Trouble failure={head.failure} onRetry={head.reload} />}
      {tab === "resources" && isKnown && isUnrecorded && (
        <Empty icon="scope" title="This stage has no resources">
          Its last run ended before it created one.
        </Empty>
      )}
      {tab === "resources" && (head.data || !head.failure) && (
        <Resources
          app={app}
          stage={stage}
          filter={route.filter}
          head={isKnown ? head.data : undefined}
          loaded={loaded}
          changes={changes}
        />
      )}
      {isKnown && tab === "history" && <History app={app} stage={stage} />}
      {isKnown && tab === "drift" && <Drift app={app} stage={stage} about={about} />}
      {tab === "runs" && <StageRuns app={app} stage={stage} />}
    </Page>
  );
}

/** @param name of the form `APP/STAGE` */
function hrefOfStage(name: string): string {
  const [app = "", stage = ""] = name.split("/");
  return fragmentOf({ page: "stage", app, stage, tab: "resources" });
}

/** The outcome of the stage in the last run of its fleet. */
function FleetOutcome({ app, ended }: { readonly app: string; readonly ended: FleetStage }) {
  const { outcome, command, duration: taken, code, resource, message } = ended;
  const isBad = outcome === "failed";
  return (
    <section class={isBad ? "card failure fleet-ended" : "fleet-outcome"} aria-label="In the run of its fleet">
      <p class="failure-head">
        {isBad && <Icon name="alert" />}
        <span>
          <b class="fleet-word">{outcome}</b> in the {visible(command)} of the fleet{" "}
          <a href={fragmentOf({ page: "fleet", fleet: app })}>{visible(app)}</a>
          {resource !== undefined && (
            <>
              {" "}
              at <b class="name">{visible(resource.slice(0, 300))}</b>
            </>
          )}
          , after {duration(taken)}
        </span>
        {code !== undefined && <code class="failure-code">{visible(code)}</code>}
      </p>
      {message !== undefined && (
        <p class="failure-message">
          <LongText text={message} />
        </p>
      )}
    </section>
  );
}

function StageRuns({ app, stage }: { readonly app: string; readonly stage: string }) {
  const { data, failure, isLoading, reload } = useAnswer<readonly RunRow[]>("runs");
  useEvery(3_000, reload);
  const own = data?.filter((run) => run.app === app && run.stage === stage);
  if (failure) return <Trouble failure={failure} onRetry={reload} />;
  if (isLoading || !own) return <Loading label="Loading the runs" />;
  if (own.length > 0) return <RunList runs={own} />;
  return (
    <Empty icon="clock" title="No run of this stage yet">
      Earlier runs that changed something are in its{" "}
      <a href={fragmentOf({ page: "stage", app, stage, tab: "history" })}>history</a>. To see the logs and timings of
      later ones here, run <code>engine up --events runs</code> and <code>engine ui --events runs</code>.
    </Empty>
  );
}
