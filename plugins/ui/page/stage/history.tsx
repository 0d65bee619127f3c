/** The history of a stage: its runs, the changes of each, and the command that restores it. */
import { useState } from "preact/hooks";
import { duration } from "../../../internal/text/duration.js";
import type { HistoryRow } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Copy } from "../parts/copy.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { SealMark } from "../parts/seal-mark.js";
import { Summary } from "../parts/summary.js";
import { count, counted, When } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf } from "../router.js";

interface HistoryProps {
  readonly app: string;
  readonly stage: string;
}

export function History({ app, stage }: HistoryProps) {
  const { data, failure, isLoading, reload } = useAnswer<readonly HistoryRow[]>(`${stagePath(app, stage)}/history`);
  const [chosen, setChosen] = useState<readonly number[]>([]);
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
  return (
    <>
      <p class="hint soft">
        {isPair ? (
          <a class="button is-main" href={fragmentOf({ page: "difference", app, stage, from, to })}>
            Compare {from} with {to}
          </a>
        ) : (
          "Select two entries to compare them."
        )}
      </p>
      <ol class="history" reversed>
        {rows.map((row, index) => (
          <HistoryItem
            key={row.seq}
            row={row}
            before={rows[index + 1]?.seq}
            isLatest={index === 0}
            isSealed={isSealed}
            isChosen={chosen.includes(row.seq)}
            onToggle={() => toggle(row.seq)}
            hrefOf={(one) => fragmentOf({ page: "difference", app, stage, from: one, to: row.seq })}
          />
        ))}
      </ol>
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
  onToggle(): void;
  hrefOf(before: number): string;
}

function HistoryItem({ row, before, isLatest, isSealed, isChosen, onToggle, hrefOf }: ItemProps) {
  const { seq, run, resources, problem, restore, seal } = row;
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
            </>
          ) : (
            <span class="soft">its run is not in the state any more</span>
          )}
        </p>
        <p class="cell-line">
          {problem === undefined ? (
            <>
              {run && <Summary summary={run.summary} />}
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
        {before !== undefined && (
          <a class="button" href={hrefOf(before)}>
            What it changed
          </a>
        )}
        {isLatest ? (
          <span class="soft">the present state</span>
        ) : (
          canRestore && <Copy text={restore} label={`Copy the command that restores entry ${seq}`} />
        )}
      </div>
    </li>
  );
}
