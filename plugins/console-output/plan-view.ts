/** Prints a plan as lines for people. Pure. */

import { DONE, shownPointer } from "../../core/base/index.js";
import type { Plan, PlannedAction, PlannedDeletion, PropertyChange } from "../../core/contract/index.js";
import { plainData } from "../internal/text/plain-text.js";
import { changeLines } from "./change-lines.js";
import { INDENT, type Layout, layoutOf, oneLine, type Row, rowLines } from "./plan-rows.js";
import { fold, plainTheme, type Theme } from "./theme.js";

const SIGNS = { create: "+", update: "~", replace: "±", adopt: ">", delete: "-" } as const;

const COUNTED = [
  ["create", "to create"],
  ["adopt", "to adopt"],
  ["update", "to update"],
  ["replace", "to replace"],
  ["delete", "to delete"],
] as const;

/**
 * Returns the lines of a plan.
 *
 * @param theme default: without colours and columns, as for a file
 * @param isFull prints values at full length
 */
export function planLines(made: Plan, theme: Theme = plainTheme(), isFull = false): readonly string[] {
  const plan = plainData(made);
  const { app, stage, phase, stopped, errors } = plan;
  const { actions, unknown, renamed = [], recordOnly, kept } = plan;
  const stays = new Set(kept.map(({ fqn }) => fqn));
  const acting = actions.map((planned) => ({ planned, row: actionRow(planned) }));
  const noted: readonly Row[] = [
    ...unknown.map((note) => ({ sign: "?", word: "unknown", note })),
    ...renamed.map((note) => ({ sign: ">", word: "rename", note })),
    ...recordOnly.filter(({ fqn }) => !stays.has(fqn)).map((note) => ({ sign: "=", word: "record", note })),
    ...kept.map((note) => ({ sign: "=", word: "keep", note })),
  ];
  const layout = layoutOf([...acting.map(({ row }) => row), ...noted], theme);
  const { bold, red, yellow } = theme.out;
  return [
    ...acting.flatMap(({ planned, row }) => [
      ...rowLines(row, layout, theme),
      ...propertyLines(planned, { ...layout, isFull }, theme),
    ]),
    ...noted.flatMap((row) => rowLines(row, layout, theme)),
    ...(acting.length + noted.length > 0 ? [""] : []),
    ...leftOutLine(plan.leftOut).flatMap((line) => folded(line, theme)),
    ...errorLines(errors).flatMap((line) => folded(line, theme, red)),
    ...(stopped === undefined ? [] : stoppedLines(stopped).flatMap((line) => folded(line, theme, yellow))),
    ...countLines(`plan of ${app}/${stage}${phase === "up" ? "" : ` ${phase}`}:`, countsOf(plan), theme).map(bold),
  ];
}

/** Folds a line of text. Rows in columns are folded elsewhere. */
function folded(line: string, { columns, width }: Theme, style = (text: string): string => text): readonly string[] {
  const rows = columns === undefined || width(line) <= columns ? [line] : fold(line, columns, width);
  return rows.map(style);
}

/** Folds the counts without separating a number from its noun. */
function countLines(head: string, counted: string, theme: Theme): readonly string[] {
  const whole = counted.split(", ").map((part) => part.replaceAll(" ", "\u00a0"));
  return folded(`${head} ${whole.join(", ")}`, theme).map((row) => row.replaceAll("\u00a0", " "));
}

/** Returns the first error in short: each error is printed in full at the end. */
function errorLines([first, ...others]: Plan["errors"]): readonly string[] {
  if (first === undefined) return [];
  const [line = "", next = ""] = first.message.split(/\r?\n/);
  // A line that ends in a colon introduces a list: print its first item.
  const message = line.endsWith(":") ? `${line} ${next.replace(/^[\s-]*/, "")}`.trimEnd() : line;
  const count = others.length === 0 ? "One error" : `${others.length + 1} errors, the first`;
  return [`A run would fail. ${count}: ${message}`];
}

const ASKED = "update, or replace if its handler asks for it";
const EXISTS = "unless it already exists, which is not known yet";
const LEFT = "create, or replace the result of an interrupted create";

function actionRow(planned: PlannedAction): Row {
  const { action, certain, mayReplace } = planned;
  const doubts = [
    ...(mayReplace ? [action === "update" ? ASKED : LEFT] : []),
    ...(certain ? [] : [action === "create" ? EXISTS : "perhaps unchanged, once its values are known"]),
  ];
  return {
    sign: SIGNS[action],
    word: action,
    note: planned,
    doubt: doubts.length > 0 ? ` [${doubts.join("; ")}]` : "",
  };
}

interface Showing extends Layout {
  readonly isFull: boolean;
}

function propertyLines(
  { action, certain, changes, drift, deletes, deletesFirst = [] }: PlannedAction,
  { indent, isFull }: Showing,
  theme: Theme,
): readonly string[] {
  const named = [
    ...changes.map((change) => ({ name: `${shownPointer(change.path)}:`, change })),
    ...drift.map((change) => ({ name: `drift ${shownPointer(change.path)}:`, change })),
    ...(action === "delete" ? outputsOf(changes, deletes) : []),
  ];
  const longest = Math.max(0, ...named.map(({ name }) => theme.width(name)));
  const isWhole = action === "create" || action === "adopt" || action === "delete";
  const lines = named.flatMap(({ name, change }) =>
    changeLines({ name, longest, change, indent, isWhole, isFull }, theme),
  );
  const does =
    deletes?.does === undefined ? [] : [`${action === "delete" ? "deleting" : "deleting the old one"} ${deletes.does}`];
  const { columns = Number.POSITIVE_INFINITY, width, out } = theme;
  const first = deletesFirst.length === 0 ? [] : [`deletes first ${deletesFirst.join(", ")}`];
  const condition = certain || action !== "replace" ? "" : "If it is replaced: ";
  const told = [...does, ...first].flatMap((text) =>
    fold(oneLine(`${condition}${text}`), columns - indent.length, width),
  );
  return [...lines, ...told.map((line) => `${indent}${out.yellow(line)}`)];
}

/** Returns the output members that the delete handler gets, without those equal to a prop of the same name. */
function outputsOf(changes: readonly PropertyChange[], deletes: PlannedDeletion | undefined) {
  const said = new Set(changes.map(({ path, old }) => JSON.stringify([path, old])));
  return (deletes?.output ?? [])
    .filter(({ path, old }) => !said.has(JSON.stringify([path, old])))
    .map((change) => ({ name: `output ${shownPointer(change.path)}:`, change }));
}

function leftOutLine({ length }: Plan["leftOut"]): string[] {
  return length === 0 ? [] : [`Left out by target or exclude: ${length === 1 ? "1 resource" : `${length} resources`}.`];
}

function stoppedLines(why: string): string[] {
  const [first = "", ...rest] = why.split(/\r?\n/);
  return [
    `The plan ends here, because it cannot follow the program any further: ${first}`,
    ...rest.map((line) => `${INDENT}${line}`),
    "Later declarations, and the deletes at the end of a run, are not known.",
  ];
}

function countsOf(plan: Plan): string {
  const { counts, uncertain, renamed = [], recordOnly } = plan;
  const parts = [
    ...COUNTED.flatMap(([action, word]) => (counts[action] > 0 ? `${counts[action]} ${word}` : [])),
    ...COUNTED.flatMap(([action]) =>
      uncertain[action] > 0 ? `up to ${uncertain[action]} may be ${DONE[action]}` : [],
    ),
    ...(renamed.length > 0 ? [`${renamed.length} to rename`] : []),
    ...(recordOnly.length > 0 ? [`${recordOnly.length} to record`] : []),
    ...(counts.unchanged > 0 ? [`${counts.unchanged} unchanged`] : []),
  ];
  const isNothing = plan.actions.length + renamed.length + recordOnly.length === 0 && plan.stopped === undefined;
  if (parts.length === 0 && plan.errors.length > 0 && isNothing) return "nothing can be done";
  if (parts.length === 0) return isNothing ? "nothing to do" : "nothing so far";
  return isNothing ? `nothing to do, ${parts.join(", ")}` : parts.join(", ");
}
