/** The last check for drift of a stage, and a button for a new one. */
import { useState } from "preact/hooks";
import type { About, Failure, RunRow } from "../../api/index.js";
import { kept } from "../../model/index.js";
import { failureOf, lookForDrift } from "../data/ask.js";
import { useRun } from "../data/live-run.js";
import { useAnswer } from "../data/use-answer.js";
import { Changes, pathName } from "../parts/changes.js";
import { Copy } from "../parts/copy.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { count, counted, When } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf, go } from "../router.js";
import { Failures } from "../run/failures.js";
import { belowStage } from "../shell/header.js";

interface DriftProps {
  readonly app: string;
  readonly stage: string;
  readonly about: About;
}

export function Drift({ app, stage, about }: DriftProps) {
  const { data, failure, reload } = useAnswer<readonly RunRow[]>("runs");
  const [begun, setBegun] = useState<string | undefined>();
  const [refused, setRefused] = useState<Failure | undefined>();
  const look = (): void => {
    setRefused(undefined);
    lookForDrift(app, stage).then(
      ({ run }) => {
        setBegun(run);
        reload();
      },
      (error: unknown) => setRefused(failureOf(error)),
    );
  };
  const last = data?.find((run) => run.app === app && run.stage === stage && run.checksDrift);
  const own = about.stage;
  const isOwn = own === undefined || (own.app === app && own.stage === stage);
  const canLook = about.canLook && about.allowsChanges && isOwn;
  const run = begun ?? last?.run;
  return (
    <>
      <div class="toolbar">
        <button type="button" class="button is-main" disabled={!canLook} onClick={look}>
          <Icon name="eye" size={15} /> Check now
        </button>
        {canLook ? (
          <span class="soft">Reads each real resource and changes nothing.</span>
        ) : (
          <>
            <span class="soft">{whyNot(about, isOwn)}</span>
            <Copy text={commandFor(about, stage, isOwn)} label="Copy the command" />
          </>
        )}
      </div>
      {refused && <Trouble failure={refused} />}
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {!data && !failure && <Loading label="Loading the last check" />}
      {run !== undefined && <Look key={run} run={run} app={app} stage={stage} />}
      {data && run === undefined && (
        <Empty icon="eye" title="No check for drift yet">
          {canLook ? (
            "Check now, and the differences are listed here."
          ) : (
            <>
              <code>engine drift</code> lists the differences in a terminal.
            </>
          )}
        </Empty>
      )}
    </>
  );
}

function whyNot({ canLook }: About, isOwn: boolean): string {
  const why = !canLook
    ? "This server has no program"
    : isOwn
      ? "This server is read-only"
      : "This server has the program of another stage";
  return `${why}. To check from here, restart it with the file of the program:`;
}

/** Returns the command that starts a server which can check the stage. */
function commandFor({ canLook }: About, stage: string, isOwn: boolean): string {
  return ["engine ui FILE", ...(canLook && isOwn ? [] : ["--stage", stage]), "--allow-changes"].join(" ");
}

/** Code of the warnings of a check about resources that it could not read. */
const NOT_LOOKED_AT = "UI_NOT_LOOKED_AT";

const MOST_UNREAD = 20;

interface LookProps {
  readonly run: string;
  readonly app: string;
  readonly stage: string;
}

function Look({ run, app, stage }: LookProps) {
  const { view } = useRun(run);
  const rows = view.rows.filter(({ drift }) => drift !== undefined);
  const isOver = view.state !== "running";
  const checked = view.toLook ?? view.summary?.read;
  const unread = kept(view.warnings).filter(({ code }) => code === NOT_LOOKED_AT);
  return (
    <section aria-label="Last check">
      <p class="cell-line look-head">
        <Pill word={isOver ? view.state : "running"} />
        {view.since !== undefined && (
          <span class="soft">
            Checked <When at={view.since} />
          </span>
        )}
        <a href={fragmentOf({ page: "run", run, tab: "progress" })}>Show the run</a>
      </p>
      {!isOver && rows.length === 0 && <Loading label="Checking" />}
      <Failures view={view} onOpen={(row) => go(fragmentOf({ page: "run", run, tab: "progress", row }))} />
      {unread.length > 0 && (
        <div class="banner" data-tone="warn" role="note">
          <Icon name="alert" size={18} />
          <div>
            <p>{counted(unread.length, "resource")} could not be checked.</p>
            <pre class="message">
              {visibleLines(
                unread
                  .slice(0, MOST_UNREAD)
                  .map(({ message }) => message)
                  .join("\n"),
              )}
            </pre>
          </div>
        </div>
      )}
      {view.state === "done" && rows.length === 0 && (
        <Empty icon="check" title={unread.length > 0 ? "No drift where it could be checked" : "No drift"}>
          {checked !== undefined && `${counted(checked, "resource")} checked.`}
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <h2 class="section">{counted(rows.length, "resource")} drifted</h2>
          <ul class="drifts">
            {rows.slice(0, 500).map((row) => (
              <li key={row.index} class="card drift-item">
                <Pill word={row.drift?.gone ? "gone" : "differs"} tone={row.drift?.gone ? "bad" : "warn"} />
                <a class="name" href={fragmentOf({ page: "resource", app, stage, fqn: row.fqn, tab: "values" })}>
                  {visible(belowStage(row.fqn, app, stage))}
                </a>
                <code class="soft">{visible(row.kind)}</code>
                <span class="drift-paths" hidden={(row.drift?.changes.length ?? 0) > 0}>
                  {row.drift?.paths.slice(0, 20).map((path) => (
                    <code key={path}>{visible(`output.${pathName(path)}`)}</code>
                  ))}
                </span>
                {row.drift && row.drift.changes.length > 0 && <Changes changes={row.drift.changes} />}
              </li>
            ))}
          </ul>
          {rows.length > 500 && <p class="soft">{count(rows.length - 500)} more: see the run.</p>}
        </>
      )}
    </section>
  );
}
