/** Which rows of a stage are shown. Pure. */
import type { StageRows } from "../data/stage-rows.js";

export interface Filter {
  readonly text: string;
  /** Name of a status; `pending`: all but ready; `failed`: those of them that have failed; empty: any. */
  readonly status: string;
  readonly kind: string;
  /** Rows of the scope that is chosen. */
  readonly first: number;
  readonly end: number;
}

/** Indices of rows; undefined: all. */
export function shownRows(rows: StageRows, { text, status, kind, first, end }: Filter): readonly number[] | undefined {
  const isAll = text === "" && status === "" && kind === "" && first === 0 && end >= rows.paths.length;
  if (isAll) return undefined;
  const wanted = text.toLowerCase();
  const isStatus = rows.statusNames.map(
    (name) => status === "" || status === "failed" || (status === "pending" ? name !== "ready" : name === status),
  );
  const isKind = rows.kindNames.map((name) => kind === "" || name === kind);
  const shown: number[] = [];
  for (let index = first; index < Math.min(end, rows.paths.length); index++) {
    if (!isStatus[rows.statuses[index] ?? 0] || !isKind[rows.kinds[index] ?? 0]) continue;
    if (status === "failed" && !rows.failed.has(index)) continue;
    if (wanted === "" || rows.paths[index]?.toLowerCase().includes(wanted)) shown.push(index);
  }
  return shown;
}
