/** The differences between two kept copies of a stage. */
import { useMemo } from "preact/hooks";
import type { Difference, HistoryRow } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { ActionList } from "../list/action-list.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { SealMark } from "../parts/seal-mark.js";
import { count, counted, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import type { Route } from "../router.js";
import { Page } from "../shell/page.js";
import { DIFFERENCE_WORDS, differingResources } from "./differing.js";

type DifferenceRoute = Extract<Route, { page: "difference" }>;

export function DifferencePage({ route }: { readonly route: DifferenceRoute }) {
  const { app, stage, from, to } = route;
  const path = `${stagePath(app, stage)}/difference?from=${from}&to=${to}`;
  const { data, failure, isLoading, reload } = useAnswer<Difference>(path);
  const history = useAnswer<readonly HistoryRow[]>(`${stagePath(app, stage)}/history`);
  const actions = useMemo(() => data && differingResources(data, { app, stage }), [data, app, stage]);
  const isReady = data !== undefined && !history.isLoading;
  return (
    <Page title={`Entry ${from} → ${to}`} address={`difference ${path}`} aside={data && <Counts data={data} />}>
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {!isReady && !failure && (isLoading || history.isLoading) && <Loading label="Comparing" />}
      {isReady && history.data && (
        <dl class="compared">
          <Compared title="Before" seq={from} rows={history.data} />
          <Compared title="After" seq={to} rows={history.data} />
        </dl>
      )}
      {isReady && actions?.length === 0 && <Empty icon="check" title="Nothing differs" />}
      {isReady && actions && actions.length > 0 && (
        <ActionList key={path} label="Differing resources" actions={actions} words={DIFFERENCE_WORDS} />
      )}
      {isReady && data.left > 0 && (
        <p class="soft">{data.left === 1 ? "1 more resource differs" : `${count(data.left)} more resources differ`}.</p>
      )}
    </Page>
  );
}

function Counts({ data }: { readonly data: Difference }) {
  const number = data.resources.length + data.left;
  return (
    <>
      <span class="soft">
        {counted(number, "resource")} {number === 1 ? "differs" : "differ"}
      </span>
      <SealMark seal={data.seal} />
    </>
  );
}

interface ComparedProps {
  readonly title: string;
  readonly seq: number;
  readonly rows: readonly HistoryRow[];
}

/** The run that made one of the two copies. */
function Compared({ title, seq, rows }: ComparedProps) {
  const run = rows.find((row) => row.seq === seq)?.run;
  return (
    <div>
      <dt class="soft">{title}</dt>
      <dd class="cell-line">
        <b class="seq">{count(seq)}</b>
        {run ? (
          <>
            <Pill word={run.outcome} /> <code>{visible(run.command)}</code>
            <span class="soft">
              <When at={run.since} /> by {visible(run.user)}@{visible(run.host)}
            </span>
          </>
        ) : (
          <span class="soft">its run is not in the state any more</span>
        )}
      </dd>
    </div>
  );
}
