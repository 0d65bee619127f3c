/** All stages of a fleet: names if they are few, otherwise a small cell each. Filtered by outcome and name. */
import { useMemo, useState } from "preact/hooks";
import type { FleetReport } from "../../../fleet/index.js";
import { STAGE_OUTCOMES, type StageOutcome } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading } from "../parts/notice.js";
import { count, counted } from "../parts/time.js";
import { Cells, OUTCOME_WORDS } from "./cells.js";
import type { GridStage } from "./use-fleet.js";

interface GridProps {
  readonly fleet: string;
  readonly stages: readonly GridStage[] | undefined;
  readonly report: FleetReport;
}

export function StageGrid({ fleet, stages, report }: GridProps) {
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<StageOutcome | undefined>();
  const counts = useMemo(() => countsOf(stages ?? []), [stages]);
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    if (wanted === "" && outcome === undefined) return stages;
    return stages?.filter(
      (one) =>
        (outcome === undefined || one.outcome === outcome) &&
        (wanted === "" || one.name.toLowerCase().includes(wanted)),
    );
  }, [stages, text, outcome]);
  return (
    <section class="fleet-grid" aria-label="Stages">
      <h2 class="section">Stages</h2>
      {!stages || !shown ? (
        <Loading rows={3} label="Loading the stages" />
      ) : (
        <>
          <div class="toolbar">
            <label class="field">
              <Icon name="search" />
              <span class="unseen">Filter by name</span>
              <input
                type="search"
                placeholder="Filter by name"
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            <div class="fleet-filters" role="group" aria-label="Outcome">
              {STAGE_OUTCOMES.filter((one) => counts[one] > 0 || one === outcome).map((one) => (
                <button
                  key={one}
                  type="button"
                  class="fleet-filter"
                  data-outcome={one}
                  aria-pressed={one === outcome}
                  onClick={() => setOutcome(one === outcome ? undefined : one)}
                >
                  <span class="swatch" aria-hidden="true" /> {OUTCOME_WORDS[one]} <b>{count(counts[one])}</b>
                </button>
              ))}
            </div>
          </div>
          <p class="shown soft" role="status">
            {shown.length === stages.length
              ? counted(stages.length, "stage")
              : `${count(shown.length)} of ${counted(stages.length, "stage")}`}
            <Unnamed counts={counts} report={report} />
          </p>
          {shown.length > 0 ? (
            <Cells fleet={fleet} stages={shown} />
          ) : (
            stages.length > 0 && (
              <Empty icon="search" title="No stage matches">
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    setText("");
                    setOutcome(undefined);
                  }}
                >
                  Show all
                </button>
              </Empty>
            )
          )}
        </>
      )}
    </section>
  );
}

type Counts = Readonly<Record<StageOutcome, number>>;

function countsOf(stages: readonly GridStage[]): Counts {
  const counts = { failed: 0, skipped: 0, stopped: 0, changed: 0, unchanged: 0, open: 0, left: 0 };
  for (const { outcome } of stages) counts[outcome]++;
  return counts;
}

/** The record names a stage once it has ended for the first time. */
function Unnamed({ counts, report }: { readonly counts: Counts; readonly report: FleetReport }) {
  const { stages, state } = report;
  const named = Object.values(counts).reduce((sum, number) => sum + number, 0) - counts.left;
  const unnamed = stages.total - named;
  if (unnamed <= 0 || state === "done") return null;
  const skipped = stages.skipped - counts.skipped;
  if (skipped > 0) return <> · {counted(skipped, "skipped stage")} not recorded by name</>;
  if (state === "failed" || state === "cancelled") return null;
  return <> · {unnamed === 1 ? "1 more is listed once it ends" : `${count(unnamed)} more are listed once they end`}</>;
}
