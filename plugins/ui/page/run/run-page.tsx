/** One run: how far it is, what failed, what it waits for, what it would do, what was written. */
import { duration } from "../../../internal/duration.js";
import type { About } from "../../api/index.js";
import { kept, type RunView, runRowOf } from "../../model/index.js";
import { embeddedRun } from "../data/embedded.js";
import { type LiveRun, useRun } from "../data/live-run.js";
import { count } from "../parts/format.js";
import { Icon } from "../parts/icon.js";
import { Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Tabs } from "../parts/tabs.js";
import { When } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type RunRoute, type RunTab } from "../router.js";
import { Page } from "../shell/page.js";
import { go } from "../shell/use-route.js";
import { Log } from "./log.js";
import { Plan } from "./plan.js";
import { Progress } from "./progress.js";
import { QuestionBar } from "./question.js";
import { RowPanel } from "./row-panel.js";
import { Successor } from "./successor.js";

export function RunPage({ route, about }: { readonly route: RunRoute; readonly about: About }) {
  const live = useRun(route.run);
  const { view } = live;
  // What a plan has found is what it was made for.
  const tab = route.tab ?? (view.plan ? "plan" : "progress");
  const hrefOf = (one: RunTab): string => fragmentOf({ page: "run", run: route.run, tab: one });
  const actions = view.plan?.actions.length;
  const lines = kept(view.lines).length + kept(view.warnings).length;
  const tabs = [
    { name: "Progress", href: hrefOf("progress"), ...(view.rows.length > 0 ? { count: count(view.rows.length) } : {}) },
    { name: "Plan", href: hrefOf("plan"), ...(actions === undefined ? {} : { count: count(actions) }) },
    { name: "Log", href: hrefOf("log"), ...(lines > 0 ? { count: count(lines) } : {}) },
  ];
  const isLoading = view.head === undefined && view.rows.length === 0 && live.connection !== "ended";
  const row = route.row === undefined ? undefined : view.rowsByKey.get(route.row);
  const close = (): void => go(hrefOf(tab));
  const open = (key: string): void => go(fragmentOf({ ...route, tab, row: key }));
  return (
    <Page
      title={titleOf(view)}
      address={`run ${route.run} ${tab}`}
      aside={<Head live={live} />}
      tabs={<Tabs label="Parts of the run" tabs={tabs} current={tab} isReady={!isLoading} />}
    >
      <div class={row ? "with-panel" : undefined}>
        <div class="panel-main">
          {view.isToRepeat && !embeddedRun() && <Successor view={view} route={route} />}
          {live.failure && <Trouble failure={live.failure} />}
          {isLoading ? (
            <Loading label="Loading the run" />
          ) : live.failure && view.head === undefined ? null : tab === "plan" ? (
            <Plan view={view} />
          ) : tab === "log" ? (
            <Log view={view} onOpen={open} />
          ) : (
            <Progress view={view} selected={row?.index} onOpen={open} />
          )}
        </div>
        {row && <RowPanel view={view} row={row} hasStages={about.source === "store"} onClose={close} />}
      </div>
      {view.question && <QuestionBar run={route.run} question={view.question} about={about} />}
    </Page>
  );
}

function titleOf({ head }: RunView): string {
  if (!head) return "Run";
  return `${head.planned ? "plan" : head.phase} ${visible(`${head.app}/${head.stage}`)}`;
}

function Head({ live }: { readonly live: LiveRun }) {
  const { view, connection } = live;
  const row = runRowOf(view);
  const isRunning = view.state === "running";
  const now = useNow(isRunning ? 500 : undefined);
  return (
    <>
      {row && (
        <>
          <Pill word={row.state} />
          <span class="soft">
            {duration(row.duration ?? Math.max(0, now - Date.parse(row.since)))} · <When at={row.since} /> by{" "}
            {visible(row.by.user)}@{visible(row.by.host)}
          </span>
        </>
      )}
      {view.repeated > 0 && <span class="soft">· run again {view.repeated}×, for another run was quicker</span>}
      <span role="status" class="connection">
        {connection === "lost" && (
          <span class="bad">
            <Icon name="alert" size={14} /> no connection; trying again
          </span>
        )}
        {connection === "open" && row && isRunning && !embeddedRun() && <span class="live">live</span>}
      </span>
    </>
  );
}
