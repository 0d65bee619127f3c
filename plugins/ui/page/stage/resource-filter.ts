/** The filter and the order of the resources of a stage, as they are in the address. Pure. */
import { byName } from "../../../internal/text/name-order.js";
import type { StageChanges } from "../../api/index.js";
import type { StageRows } from "../data/stage-rows.js";

export interface Chosen {
  /** Words of the name, in any order. */
  readonly text: string;
  /** Name of a status; `pending`: all but ready; `failed`: pending ones that failed; empty: any. */
  readonly status: string;
  readonly kind: string;
  /** Path of a scope; empty: all. */
  readonly scope: string;
  /** `week`: changed in the last seven days; `day`: in the last one; empty: any time. */
  readonly changed: string;
  /** Name of a column; with `-`, its last value comes first; empty: by name. */
  readonly sort: string;
}

export const ALL: Chosen = { text: "", status: "", kind: "", scope: "", changed: "", sort: "" };

const NAMES = ["text", "status", "kind", "scope", "changed", "sort"] as const;

export function chosenIn(query = ""): Chosen {
  const given = new URLSearchParams(query);
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ""])) as unknown as Chosen;
}

export function queryOf(chosen: Chosen): string {
  const given = NAMES.flatMap((name) => (chosen[name] === "" ? [] : [[name, chosen[name]]]));
  return new URLSearchParams(given).toString();
}

export const COLUMNS = ["name", "kind", "status", "changed"] as const;

export type Column = (typeof COLUMNS)[number];

/** Returns the column by which rows are sorted, and whether its last value comes first. */
export function sortedBy({ sort }: Chosen): { readonly column: Column; readonly isReverse: boolean } {
  const name = sort.replace(/^-/, "");
  return { column: COLUMNS.find((one) => one === name) ?? "name", isReverse: sort.startsWith("-") };
}

/** Returns the order after a click on a column: the newest change comes first, then the other way round. */
export function nextSort(chosen: Chosen, column: Column): string {
  const before = sortedBy(chosen);
  const isNewestFirst = column === "changed";
  const isReverse = before.column === column ? !before.isReverse : isNewestFirst;
  const sort = `${isReverse ? "-" : ""}${column}`;
  return sort === "name" ? "" : sort;
}

const HOUR = 3_600_000;
const AGES: Readonly<Record<string, number>> = { day: 24 * HOUR, week: 7 * 24 * HOUR };

/** Returns the time from which a change counts as one of the chosen days; undefined: always. */
export function changedSince(changed: string, now: number): number | undefined {
  const age = AGES[changed];
  return age === undefined ? undefined : now - age;
}

export interface Listing {
  readonly rows: StageRows;
  readonly changes: StageChanges | undefined;
  /** Range of the rows of the chosen scope. */
  readonly first: number;
  readonly end: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns indices of rows in their order; undefined: all, by name. */
export function shownRows(chosen: Chosen, listing: Listing): readonly number[] | undefined {
  const { rows, first, end } = listing;
  const { column, isReverse } = sortedBy(chosen);
  const isFiltered = chosen.text !== "" || chosen.status !== "" || chosen.kind !== "" || chosen.changed !== "";
  const isWhole = first === 0 && end >= rows.paths.length;
  if (!isFiltered && isWhole && column === "name" && !isReverse) return undefined;
  const shown = matching(chosen, listing);
  if (column === "name") return isReverse ? shown.reverse() : shown;
  const order = orderOf(column, listing);
  const sign = isReverse ? -1 : 1;
  // Equal rows stay in the order of their names.
  return shown.sort((one, other) => sign * (order(one) - order(other)) || one - other);
}

function matching({ text, status, kind, changed }: Chosen, { rows, changes, first, end, now }: Listing): number[] {
  const words = text.toLowerCase().split(/\s+/);
  const isStatus = rows.statusNames.map(
    (name) => status === "" || status === "failed" || (status === "pending" ? name !== "ready" : name === status),
  );
  const isKind = rows.kindNames.map((name) => kind === "" || name === kind);
  const since = changedSince(changed, now);
  const isIn = changes?.copies.map(({ run }) => since === undefined || !run || Date.parse(run.since) >= since);
  const shown: number[] = [];
  for (let index = first; index < Math.min(end, rows.paths.length); index++) {
    if (!isStatus[rows.statuses[index] ?? 0] || !isKind[rows.kinds[index] ?? 0]) continue;
    if (status === "failed" && !rows.failed.has(index)) continue;
    if (since !== undefined && !isIn?.[changes?.last[index] ?? -1]) continue;
    const path = rows.paths[index]?.toLowerCase() ?? "";
    if (words.every((word) => path.includes(word))) shown.push(index);
  }
  return shown;
}

/** Returns a number for each row, by which a column is sorted. */
function orderOf(column: Exclude<Column, "name">, { rows, changes }: Listing): (index: number) => number {
  if (column === "changed") return (index) => changes?.last[index] ?? -1;
  if (column === "kind") {
    const places = placesOf(rows.kindNames);
    return (index) => places[rows.kinds[index] ?? 0] ?? 0;
  }
  const places = placesOf(rows.statusNames);
  // What failed comes first, then what is pending.
  return (index) => (rows.errors.has(index) ? -1 : (places[rows.statuses[index] ?? 0] ?? 0));
}

/** Returns the place of each name in their alphabetical order. */
function placesOf(names: readonly string[]): readonly number[] {
  const sorted = byName(names, String);
  return names.map((name) => sorted.indexOf(name));
}
