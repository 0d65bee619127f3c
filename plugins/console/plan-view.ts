/** A plan as lines for people. Pure. */

import type { Plan, PlanNote, PlannedAction, PropertyChange } from "../../core/plan/plan.js";
import { stepsOf } from "../../core/resource/prop-path.js";

const SIGNS = { create: "+", update: "~", replace: "±", adopt: ">", delete: "-" } as const;

const COUNTED = [
  ["create", "to create"],
  ["adopt", "to adopt"],
  ["update", "to update"],
  ["replace", "to replace"],
  ["delete", "to delete"],
  ["skip", "unchanged"],
] as const;

/** Longer values are cut; an old and a new one that are longer together stand below each other. */
const WIDEST = 72;
/** Of a digest, so much is shown. */
const DIGEST = 12;
/** Columns are no wider than these, lest one long name push all reasons out of sight. */
const COLUMNS = { fqn: 48, kind: 24 } as const;

const INDENT = " ".repeat(11);

interface Columns {
  readonly fqn: number;
  readonly kind: number;
}

export function planLines(plan: Plan): readonly string[] {
  const { app, stage, phase, stopped, errors } = plan;
  const { actions, unknown, renamed = [], kept } = plan;
  const all = [...actions, ...unknown, ...renamed, ...kept];
  const columns = columnsOf(all);
  return [
    ...actions.flatMap((action) => actionLines(action, columns)),
    ...unknown.map((note) => line("?", "unknown", note, columns)),
    ...renamed.map((note) => line(">", "rename", note, columns)),
    ...kept.map((note) => line("=", "keep", note, columns)),
    ...(all.length > 0 ? [""] : []),
    ...leftOutLine(plan.leftOut),
    ...(stopped === undefined ? [] : stoppedLines(stopped)),
    ...(errors.length === 0
      ? []
      : [`${errors.length === 1 ? "One error" : `${errors.length} errors`}: a run would fail.`]),
    `plan of ${app}/${stage}${phase === "up" ? "" : ` ${phase}`}: ${counts(plan)}`,
  ];
}

function columnsOf(notes: readonly PlanNote[]): Columns {
  const widest = (most: number, texts: readonly string[]): number =>
    texts.reduce((width, { length }) => (length > most ? width : Math.max(width, length)), 0);
  return {
    fqn: widest(
      COLUMNS.fqn,
      notes.map(({ fqn }) => fqn),
    ),
    kind: widest(
      COLUMNS.kind,
      notes.map(({ kind }) => `(${kind})`),
    ),
  };
}

function line(sign: string, word: string, { fqn, kind, reason }: PlanNote, columns: Columns): string {
  return `${sign} ${word.padEnd(8)} ${fqn.padEnd(columns.fqn)}  ${`(${kind})`.padEnd(columns.kind)}  ${reason}`;
}

function actionLines(planned: PlannedAction, columns: Columns): string[] {
  const { action, certain, mayReplace, changes, drift } = planned;
  const doubts = [
    ...(mayReplace ? ["update, or replace if its handler asks"] : []),
    ...(certain ? [] : ["perhaps nothing, once it is known"]),
  ];
  const doubt = doubts.length > 0 ? ` [${doubts.join("; ")}]` : "";
  const named = [
    ...(action === "delete" ? [] : changes).map((change) => ({ name: `${readable(change.path)}:`, change })),
    ...drift.map((change) => ({ name: `really ${readable(change.path)}:`, change })),
  ];
  const width = Math.max(0, ...named.map(({ name }) => name.length));
  return [
    `${line(SIGNS[action], action, planned, columns)}${doubt}`,
    ...named.flatMap(({ name, change }) => changeLines(name.padEnd(width), change)),
  ];
}

function changeLines(name: string, change: PropertyChange): string[] {
  const [old, now] = [valueText(change.old), valueText(change.new)];
  const line = `${INDENT}${name} `;
  if (!("old" in change)) return [`${line}${now}`];
  if (!("new" in change)) return [`${line}${old} → (none)`];
  // A secret, or a value whose visible part is the same.
  if (old === now) return [`${line}${now} (changed)`];
  if (old.length + now.length <= WIDEST) return [`${line}${old} → ${now}`];
  return [`${line}${old}`, `${" ".repeat(line.length - 2)}→ ${now}`];
}

function valueText(value: unknown): string {
  if (typeof value === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return `${value.slice(0, DIGEST)}…`;
  const isPlain = typeof value === "string" && /^(\(|Secret\()/.test(value);
  const text = isPlain ? String(value) : (JSON.stringify(value) ?? "(none)");
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}

function readable(pointer: string): string {
  const steps = stepsOf(pointer);
  return steps.length === 0 ? "all" : steps.join(".");
}

function leftOutLine({ length }: Plan["leftOut"]): string[] {
  return length === 0 ? [] : [`Left out by target or exclude: ${length === 1 ? "1 resource" : `${length} resources`}.`];
}

function stoppedLines(why: string): string[] {
  const [first = "", ...rest] = why.split(/\r?\n/);
  return [
    `The program could be followed to here: ${first}`,
    ...rest.map((line) => `${INDENT}${line}`),
    "What it declares after that, and what a run would delete in the end, is not known.",
  ];
}

function counts(plan: Plan): string {
  const parts = COUNTED.filter(([action]) => plan.counts[action] > 0).map(
    ([action, word]) => `${plan.counts[action]} ${word}`,
  );
  const isNothing = plan.actions.length === 0 && plan.stopped === undefined;
  if (parts.length === 0 && plan.errors.length > 0 && isNothing) return "nothing that can be done";
  if (parts.length === 0) return isNothing ? "nothing to do" : "nothing so far";
  return isNothing ? `nothing to do, ${parts.join(", ")}` : parts.join(", ");
}
