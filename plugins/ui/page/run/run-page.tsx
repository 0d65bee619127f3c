/** One run: its progress, plan, log and question. */

import { useCallback } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import type { About, RunRow } from "../../api/index.js";
import { commandOf, kept, outcomeOf, type RunView, runRowOf } from "../../model/index.js";
import { embeddedRun } from "../data/key.js";
import { type LiveRun, useRun } from "../data/live-run.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import { Icon } from "../parts/icon.js";
import { Loading, Missing, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { Tabs } from "../parts/tabs.js";
import { count, dateTime, useNow, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, go, type RunRoute, type RunTab } from "../router.js";
import { Page } from "../shell/page.js";
import { Log } from "./log.js";
import { Plan } from "./plan.js";
import { Progress } from "./progress.js";
import { QuestionBar } from "./question.js";
import { RowPanel } from "./row-panel.js";

export function RunPage({ route, about }: { readonly route: RunRoute; readonly about: About }) {
  const live = useRun(route.run);
  const { view } = live;
  // A run with a plan opens with that tab.
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
  if (live.failure?.near) return <MissingRun run={route.run} near={live.failure.near} />;
  return (
    <Page
      title={titleOf(view)}
      notice={view.question ? "A question waits" : undefined}
      address={`run ${route.run} ${tab}`}
      aside={<Head live={live} />}
      tabs={<Tabs label="Views of the run" tabs={tabs} current={tab} isReady={!isLoading} />}
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
            <Progress view={view} selected={row?.index} sort={route.sort} onOpen={open} />
          )}
        </div>
        {row && <RowPanel view={view} row={row} hasStages={about.source === "store"} onClose={close} />}
      </div>
      {view.question && (
        <QuestionBar key={view.question.question} run={route.run} view={view} question={view.question} about={about} />
      )}
    </Page>
  );
}

function MissingRun({ run, near }: { readonly run: string; readonly near: readonly string[] }) {
  const { data } = useAnswer<readonly RunRow[]>("runs");
  const textOf = (name: string): string => {
    const row = data?.find((one) => one.run === name);
    return row ? `${commandOf(row)} ${row.app}/${row.stage}, ${dateTime(Date.parse(row.since))}` : name;
  };
  return (
    <Page title="Run" address={`run ${run}`}>
      <Missing
        title={`The server has no run "${run.slice(0, 100)}"`}
        near={near}
        hrefOf={(name) => fragmentOf({ page: "run", run: name, tab: undefined })}
        textOf={textOf}
      >
        <a href="#/runs">Show all runs</a>
      </Missing>
    </Page>
  );
}

function titleOf({ head }: RunView): string {
  if (!head) return "Run";
  return `${commandOf(head)} ${visible(`${head.app}/${head.stage}`)}`;
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
          <Pill word={outcomeOf(row)} />
          <span class="soft">
            {isRunning ? (
              <>
                for {duration(Math.max(0, now - Date.parse(row.since)))}, since <When at={row.since} isExact="only" />
              </>
            ) : (
              <>
                {duration(row.duration ?? 0)} · <When at={row.since} isExact />
              </>
            )}{" "}
            by {visible(row.by.user)}@{visible(row.by.host)}
          </span>
        </>
      )}
      {view.repeated > 0 && <span class="soft">· repeated {view.repeated}×, because another run was faster</span>}
      <span role="status" class="connection">
        {connection === "lost" && (
          <span class="bad">
            <Icon name="alert" size={14} /> no connection; retrying
          </span>
        )}
        {connection === "open" && row && isRunning && !embeddedRun() && <span class="live">live</span>}
      </span>
    </>
  );
}

/** Milliseconds between two checks for the repeated run. */
const LOOK = 300;

function Successor({ view, route }: { readonly view: RunView; readonly route: RunRoute }) {
  const { data, reload } = useAnswer<readonly RunRow[]>("runs");
  const found = data && successorOf(view, data);
  const look = useCallback(() => {
    if (!found) reload();
  }, [found, reload]);
  useEvery(LOOK, look);
  // Replaces this address, so that Back leads to the page before it.
  if (found) location.replace(fragmentOf({ page: "run", run: found.run, tab: route.tab }));
  return (
    <p class="soft" role="status">
      Another run was faster. The program runs again.
    </p>
  );
}

/** Returns the first run of the same program that began since. */
function successorOf({ head, until }: RunView, rows: readonly RunRow[]): RunRow | undefined {
  return rows.findLast(
    ({ run, app, stage, by, since }) =>
      head !== undefined &&
      run !== head.run &&
      app === head.app &&
      stage === head.stage &&
      by.host === head.by.host &&
      by.pid === head.by.pid &&
      Date.parse(since) >= (until ?? 0),
  );
}
