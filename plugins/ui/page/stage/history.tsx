/** The history of a stage: its runs, the changes of each, and the command that restores it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import type { HistoryRow } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { CiRun, RunLink } from "../parts/run-link.js";
import { SealMark } from "../parts/seal-mark.js";
import { Summary } from "../parts/summary.js";
import { count, counted, When } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { GoingBack } from "./going-back.js";

interface HistoryProps {
  readonly app: string;
  readonly stage: string;
}

export function History({ app, stage }: HistoryProps) {
  const { data, failure, isLoading, reload } = useAnswer<readonly HistoryRow[]>(`${stagePath(app, stage)}/history`);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [back, setBack] = useState<HistoryRow | undefined>();
  if (failure) return <Trouble failure={failure} onRetry={reload} />;
  if (isLoading || !data) return <Loading label="Loading the history" />;
  if (data.length === 0)
    return (
      <Empty icon="clock" title="No copy of the state yet">
        Each run that changes something keeps a copy.
      </Empty>
    );
  const rows = [...data].sort((one, other) => other.seq - one.seq);
  const toggle = (seq: number): void =>
    setChosen((before) => (before.includes(seq) ? before.filter((one) => one !== seq) : [...before.slice(-1), seq]));
  const isSealed = data.some(({ seal }) => seal !== undefined && seal !== "none");
  const [from, to] = [...chosen].sort((one, other) => one - other);
  const isPair = from !== undefined && to !== undefined;
  const compared = (one: number, other: number): string =>
    fragmentOf({ page: "difference", app, stage, from: Math.min(one, other), to: Math.max(one, other) });
  return (
    <>
      <p class="hint soft">
        {isPair ? (
          <a class="button is-main" href={compared(from, to)}>
            Compare {from} with {to}
          </a>
        ) : from === undefined ? (
          "Select an entry to compare another one with it."
        ) : (
          `Entry ${count(from)} is selected. Compare another one with it.`
        )}
      </p>
      <ol class="history" reversed>
        {rows.map((row, index) => (
          <HistoryItem
            key={row.seq}
            row={row}
            before={rows[index + 1]?.seq}
            other={isPair || from === row.seq ? undefined : from}
            isLatest={index === 0}
            isSealed={isSealed}
            isChosen={chosen.includes(row.seq)}
            link={<RunLink app={app} stage={stage} by={row.run} />}
            onToggle={() => toggle(row.seq)}
            onBack={() => setBack(row)}
            hrefOf={(one) => compared(one, row.seq)}
          />
        ))}
      </ol>
      {back && <GoingBack app={app} stage={stage} row={back} onClose={() => setBack(undefined)} />}
    </>
  );
}

interface ItemProps {
  readonly row: HistoryRow;
  readonly before: number | undefined;
  readonly isLatest: boolean;
  /** True if other copies of the stage are sealed. */
  readonly isSealed: boolean;
  readonly isChosen: boolean;
  /** The selected entry, if it is another one and the only one. */
  readonly other: number | undefined;
  /** Leads to its run. */
  readonly link: ComponentChildren;
  onToggle(): void;
  onBack(): void;
  hrefOf(other: number): string;
}

function HistoryItem({ row, before, isLatest, isSealed, isChosen, link, other, onToggle, onBack, hrefOf }: ItemProps) {
  const { seq, run, resources, problem, seal } = row;
  const canRestore = problem === undefined && seal !== "other-key";
  return (
    <li class="card history-item" data-chosen={isChosen}>
      <label class="history-choice">
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <span class="unseen">Compare entry </span>
        <span class="seq">{count(seq)}</span>
      </label>
      <div class="history-run">
        <p class="cell-line">
          {run ? (
            <>
              <Pill word={run.outcome} /> <code>{visible(run.command)}</code>
              <span class="soft">
                <When at={run.since} /> by {visible(run.user)}@{visible(run.host)}
                {row.duration !== undefined && `, took ${duration(row.duration)}`}
              </span>
              <CiRun run={run} />
              {link}
            </>
          ) : (
            <span class="soft">its run is not in the state any more</span>
          )}
        </p>
        <p class="cell-line">
          {problem === undefined ? (
            <>
              {run && <Summary summary={run.summary} outcome={run.outcome} isEffect={run.outcome === "failed"} />}
              {resources !== undefined && <span class="soft">{counted(resources, "resource")} after it</span>}
              <SealMark seal={seal === "verified" ? undefined : seal} isExpected={isSealed} />
            </>
          ) : (
            <span class="bad">
              <Icon name="alert" size={14} /> {visibleLines(problem)}
            </span>
          )}
        </p>
      </div>
      <div class="history-ways">
        {other !== undefined ? (
          <a class="button is-main" href={hrefOf(other)}>
            Compare with {count(other)}
          </a>
        ) : (
          before !== undefined && (
            <a class="button" href={hrefOf(before)}>
              What it changed
            </a>
          )
        )}
        {isLatest ? (
          <span class="soft">the present state</span>
        ) : (
          canRestore && (
            <button type="button" class="button" onClick={onBack}>
              <span>
                Go back…<span class="unseen"> to entry {count(seq)}</span>
              </span>
            </button>
          )
        )}
      </div>
    </li>
  );
}
