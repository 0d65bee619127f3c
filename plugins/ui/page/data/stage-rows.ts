/** Loads all rows of a stage range by range: the first are shown while the others arrive. */
import type { ResourceRows } from "../../api/index.js";
import { ask, stagePath } from "./ask.js";

const RANGE = 5_000;
/** The first range is small, so that rows are visible at once. */
const FIRST = 500;

export interface StageRows {
  readonly seq: number;
  readonly total: number;
  readonly paths: string[];
  /** Indices in `kindNames`. */
  readonly kinds: number[];
  readonly kindNames: string[];
  readonly statuses: number[];
  readonly statusNames: ResourceRows["statusNames"][number][];
  readonly replaced: Set<number>;
  readonly protected: Set<number>;
  readonly failed: Set<number>;
  readonly notDeleted: Set<number>;
  /** The last error of each failed row, by its index. */
  readonly errors: Map<number, string>;
  isComplete: boolean;
}

/** @param onRows called after each range; starts again if a range is of another state than the first */
export async function loadRows(
  app: string,
  stage: string,
  onRows: (rows: StageRows) => void,
  signal: AbortSignal,
): Promise<void> {
  let rows: StageRows | undefined;
  while (!rows?.isComplete) {
    const from: number = rows?.paths.length ?? 0;
    const seq: string = rows ? `&seq=${rows.seq}` : "";
    const path = `${stagePath(app, stage)}/resources?from=${from}&limit=${from === 0 ? FIRST : RANGE}${seq}`;
    const range = await ask<ResourceRows>(path, signal);
    if (!rows || range.seq !== rows.seq) {
      if (range.from !== 0) {
        rows = undefined;
        continue;
      }
      rows = emptyRows(range);
    }
    append(rows, range);
    rows.isComplete = rows.paths.length >= range.total || range.paths.length === 0;
    onRows(rows);
  }
}

function emptyRows({ seq, total }: ResourceRows): StageRows {
  return {
    seq,
    total,
    paths: [],
    kinds: [],
    kindNames: [],
    statuses: [],
    statusNames: [],
    replaced: new Set(),
    protected: new Set(),
    failed: new Set(),
    notDeleted: new Set(),
    errors: new Map(),
    isComplete: false,
  };
}

/** Each range has its own tables of names. */
function append(rows: StageRows, range: ResourceRows): void {
  const from = rows.paths.length;
  const kindAt = merged(rows.kindNames, range.kindNames);
  const statusAt = merged(rows.statusNames, range.statusNames);
  range.paths.forEach((path, index) => {
    rows.paths.push(path);
    rows.kinds.push(kindAt[range.kinds[index] ?? 0] ?? 0);
    rows.statuses.push(statusAt[range.statuses[index] ?? 0] ?? 0);
  });
  for (const index of range.replaced) rows.replaced.add(from + index);
  for (const index of range.protected) rows.protected.add(from + index);
  for (const index of range.failed) rows.failed.add(from + index);
  for (const index of range.notDeleted) rows.notDeleted.add(from + index);
  for (const [at, index] of [...range.failed, ...range.notDeleted].entries()) {
    rows.errors.set(from + index, range.errors[at] ?? "");
  }
}

function merged<Name extends string>(names: Name[], more: readonly Name[]): readonly number[] {
  return more.map((name) => {
    const at = names.indexOf(name);
    return at >= 0 ? at : names.push(name) - 1;
  });
}
