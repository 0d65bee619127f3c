/** Whether what is there is what is recorded: the last look, and a new one. */
import { useState } from "preact/hooks";
import type { About, Failure, RunRow } from "../../api/index.js";
import { failureOf, lookForDrift } from "../data/ask.js";
import { useRun } from "../data/live-run.js";
import { useAnswer } from "../data/use-answer.js";
import { Changes, pathName } from "../parts/changes.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { count, counted, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { belowStage } from "../shell/header.js";

interface DriftProps {
  readonly app: string;
  readonly stage: string;
  readonly about: About;
}

/** Runs that are asked whether they were a look. */
const MOST_ASKED = 8;

export function Drift({ app, stage, about }: DriftProps) {
  const { data, failure, reload } = useAnswer<readonly RunRow[]>("runs");
  const [begun, setBegun] = useState<string | undefined>();
  const [refused, setRefused] = useState<Failure | undefined>();
  const [skipped, setSkipped] = useState(0);
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
  const own = data?.filter((run) => run.app === app && run.stage === stage && run.planned).slice(0, MOST_ASKED);
  const canLook = about.canLook && about.allowsChanges;
  const run = begun ?? own?.[skipped]?.run;
  return (
    <>
      <div class="toolbar">
        <button type="button" class="button is-main" disabled={!canLook} onClick={look}>
          <Icon name="eye" size={15} /> Look now
        </button>
        <span class="soft">
          {canLook
            ? "Asks each resource what is really there. Nothing is changed."
            : about.canLook
              ? "This server only shows. Started with --allow-changes, it looks from here."
              : "No program is known here: engine ui beside one looks from here, with --allow-changes."}
        </span>
      </div>
      {refused && <Trouble failure={refused} />}
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {!data && !failure && <Loading label="Loading the last look" />}
      {run !== undefined && (
        <Look
          key={run}
          run={run}
          app={app}
          stage={stage}
          onOther={begun === undefined ? () => setSkipped(skipped + 1) : undefined}
        />
      )}
      {data && run === undefined && (
        <Empty icon="eye" title="Nothing has been looked at yet">
          <code>engine drift --ui</code> looks, and shows what differs here.
        </Empty>
      )}
    </>
  );
}

interface LookProps {
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  /** Called where it was no look. */
  readonly onOther: (() => void) | undefined;
}

function Look({ run, app, stage, onOther }: LookProps) {
  const { view, connection } = useRun(run);
  const rows = view.rows.filter(({ drift }) => drift !== undefined);
  if (connection === "ended" && view.toLook === undefined && rows.length === 0 && onOther) {
    queueMicrotask(onOther);
    return null;
  }
  const isOver = view.state !== "running";
  return (
    <section aria-label="Last look">
      <p class="cell-line look-head">
        <Pill word={isOver ? view.state : "running"} />
        {view.since !== undefined && (
          <span class="soft">
            Looked <When at={view.since} />
          </span>
        )}
        <a href={fragmentOf({ page: "run", run, tab: "progress" })}>The run</a>
      </p>
      {rows.length === 0 &&
        (isOver ? (
          <Empty icon="check" title="Everything is as recorded">
            {view.toLook !== undefined && `${counted(view.toLook, "resource")} looked at.`}
          </Empty>
        ) : (
          <Loading label="Looking" />
        ))}
      {rows.length > 0 && (
        <>
          <h2 class="section">{counted(rows.length, "resource")} not as recorded</h2>
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
          {rows.length > 500 && <p class="soft">{count(rows.length - 500)} more are in the run.</p>}
        </>
      )}
    </section>
  );
}
