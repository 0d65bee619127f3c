/** One stage: its resources, history, drift and runs. */
import type { About, RunRow, StageHead } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Holder, SealMark } from "../parts/seal-mark.js";
import { Tabs } from "../parts/tabs.js";
import { count, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type StageRoute, type StageTab } from "../router.js";
import { Page } from "../shell/page.js";
import { RunList } from "../stages/run-list.js";
import { Drift } from "./drift.js";
import { History } from "./history.js";
import { Resources } from "./resources.js";

export function StagePage({ route, about }: { readonly route: StageRoute; readonly about: About }) {
  const { app, stage, tab } = route;
  const head = useAnswer<StageHead>(stagePath(app, stage));
  useEvery(10_000, head.reload);
  const hrefOf = (one: StageTab): string => fragmentOf({ page: "stage", app, stage, tab: one });
  const resources = head.data?.resources;
  const tabs = [
    { name: "Resources", href: hrefOf("resources"), ...(resources === undefined ? {} : { count: count(resources) }) },
    { name: "History", href: hrefOf("history") },
    { name: "Drift", href: hrefOf("drift") },
    { name: "Runs", href: hrefOf("runs") },
  ];
  // The holder is shown above: earlier content would move.
  const isKnown = head.data !== undefined || head.failure !== undefined;
  const isFull = tab === "resources" || tab === "runs";
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
            {head.data.lastRun && <LastRun run={head.data.lastRun} />}
          </>
        )
      }
      tabs={<Tabs label="Views of the stage" tabs={tabs} current={tab} isReady={isKnown} />}
    >
      {head.data?.holder && <Holder holder={head.data.holder} />}
      {tab === "resources" && head.failure && <Trouble failure={head.failure} onRetry={head.reload} />}
      {tab === "resources" && (head.data || !head.failure) && <Resources app={app} stage={stage} head={head.data} />}
      {isKnown && tab === "history" && <History app={app} stage={stage} />}
      {isKnown && tab === "drift" && <Drift app={app} stage={stage} about={about} />}
      {tab === "runs" && <StageRuns app={app} stage={stage} />}
    </Page>
  );
}

function LastRun({ run }: { readonly run: NonNullable<StageHead["lastRun"]> }) {
  return (
    <span class="cell-line">
      <Pill word={run.outcome} />
      <span class="soft">
        {visible(run.command)}, <When at={run.since} />
      </span>
    </span>
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
      <a href={fragmentOf({ page: "stage", app, stage, tab: "history" })}>history</a>.
    </Empty>
  );
}
