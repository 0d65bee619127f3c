/** One resource as a row of its stage. */
import type { StageChanges, StageHead } from "../../api/index.js";
import type { StageRows } from "../data/stage-rows.js";
import { Icon } from "../parts/icon.js";
import { MiddleCut } from "../parts/middle-cut.js";
import { StatusPill } from "../parts/pill.js";
import { When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf } from "../router.js";

interface CellsProps {
  readonly rows: StageRows;
  readonly index: number;
  readonly href: string;
  readonly head: StageHead;
  readonly changes: StageChanges | undefined;
}

export function ResourceCells({ rows, index, href, head, changes }: CellsProps) {
  const status = rows.statusNames[rows.statuses[index] ?? 0] ?? "ready";
  const error = rows.errors.get(index);
  const path = rows.paths[index] ?? "";
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1} aria-label={visible(path.slice(0, 600))}>
          <MiddleCut path={path} />
        </a>
        {rows.replaced.has(index) && <span class="mark">old copy</span>}
        {rows.notDeleted.has(index) && <span class="mark">delete failed</span>}
        {rows.protected.has(index) && (
          <span class="mark" title="The engine does not delete it while it is protected">
            <Icon name="shield" size={13} /> protected
          </span>
        )}
        {error !== undefined && (
          <span class="row-error" title={visible(error)}>
            {visible(error)}
          </span>
        )}
      </span>
      <span role="gridcell" class="cell-kind">
        <code>{visible((rows.kindNames[rows.kinds[index] ?? 0] ?? "").slice(0, 120))}</code>
      </span>
      <span role="gridcell" class="cell-status">
        <StatusPill status={status} hasFailed={rows.failed.has(index)} holder={head.holder} />
      </span>
      <span role="gridcell" class="cell-changed">
        {changes && <Changed head={head} changes={changes} index={changes.last[index] ?? -1} />}
      </span>
    </>
  );
}

interface ChangedProps {
  readonly head: StageHead;
  readonly changes: StageChanges;
  /** Of the copy with the last change. */
  readonly index: number;
}

/** The time of the last change, and the run that made it, with a link to all that this run changed. */
function Changed({ head: { app, stage, holder }, changes: { copies }, index }: ChangedProps) {
  const [oldest] = copies;
  const copy = copies[index];
  if (!copy) {
    return oldest?.run ? (
      <span class="soft">
        over <When at={oldest.run.since} isLasting /> ago
      </span>
    ) : (
      <span class="soft">–</span>
    );
  }
  const { run, seq } = copy;
  if (!run) return <span class="soft">{holder ? "in the run under way" : "its run is not recorded"}</span>;
  const before = copies[index - 1]?.seq;
  const by = `${visible(run.command)} by ${visible(run.user)}`;
  return (
    <>
      <When at={run.since} />{" "}
      {before === undefined ? (
        <span class="soft">{by}</span>
      ) : (
        <a href={fragmentOf({ page: "difference", app, stage, from: before, to: seq })} tabIndex={-1}>
          {by}
        </a>
      )}
    </>
  );
}
