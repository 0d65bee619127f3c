/** One resource as a row of its stage. */
import type { StageHead } from "../../api/index.js";
import type { StageRows } from "../data/stage-rows.js";
import { Icon } from "../parts/icon.js";
import { StatusPill } from "../parts/status-pill.js";
import { visible } from "../parts/visible.js";

interface CellsProps {
  readonly rows: StageRows;
  readonly index: number;
  readonly href: string;
  readonly holder: StageHead["holder"];
}

export function ResourceCells({ rows, index, href, holder }: CellsProps) {
  const path = rows.paths[index] ?? "";
  const cut = path.lastIndexOf("/") + 1;
  const status = rows.statusNames[rows.statuses[index] ?? 0] ?? "ready";
  return (
    <>
      <span role="gridcell" class="cell-main">
        <a href={href} tabIndex={-1} title={path.length > 40 ? visible(path.slice(0, 300)) : undefined}>
          <span class="soft">{visible(path.slice(0, cut).slice(-200))}</span>
          <b>{visible(path.slice(cut, cut + 300))}</b>
        </a>
        {rows.replaced.has(index) && <span class="mark">old copy</span>}
        {rows.notDeleted.has(index) && <span class="mark">delete failed</span>}
        {rows.protected.has(index) && (
          <span class="mark" title="Nothing deletes it while it is protected">
            <Icon name="shield" size={13} /> protected
          </span>
        )}
      </span>
      <span role="gridcell" class="cell-kind">
        <code>{visible((rows.kindNames[rows.kinds[index] ?? 0] ?? "").slice(0, 120))}</code>
      </span>
      <span role="gridcell" class="cell-status">
        <StatusPill status={status} hasFailed={rows.failed.has(index)} holder={holder} />
      </span>
    </>
  );
}
