/** A plan as lines for people. Pure. */
import type { Plan, PlanNote, PlannedAction, PropertyChange } from "../../core/plan/plan.js";

const SIGNS = { create: "+", update: "~", replace: "±", adopt: ">", delete: "-" } as const;

const COUNTED = [
  ["create", "to create"],
  ["adopt", "to adopt"],
  ["update", "to update"],
  ["replace", "to replace"],
  ["delete", "to delete"],
  ["skip", "unchanged"],
] as const;

/** Longer values are cut. */
const WIDEST = 72;

const INDENT = " ".repeat(11);

export function planLines(plan: Plan): readonly string[] {
  const { app, stage, phase, stopped, errors } = plan;
  const more =
    plan.actions.length + plan.unknown.length + plan.kept.length + (plan.renamed?.length ?? 0) > 0 ? [""] : [];
  return [
    ...plan.actions.flatMap(actionLines),
    ...plan.unknown.map((note) => noteLine("?", "unknown", note)),
    ...(plan.renamed ?? []).map((note) => noteLine(">", "rename", note)),
    ...plan.kept.map((note) => noteLine("=", "keep", note)),
    ...more,
    ...leftOutLine(plan.leftOut),
    ...(stopped === undefined ? [] : stoppedLines(stopped)),
    ...(errors.length === 0
      ? []
      : [`${errors.length === 1 ? "One error" : `${errors.length} errors`}: a run would fail.`]),
    `plan of ${app}/${stage}${phase === "up" ? "" : ` ${phase}`}: ${counts(plan)}`,
  ];
}

function actionLines({ action, fqn, kind, reason, certain, mayReplace, changes, drift }: PlannedAction): string[] {
  const doubts = [
    ...(mayReplace ? ["update, or replace if its handler asks"] : []),
    ...(certain ? [] : ["perhaps nothing, once it is known"]),
  ];
  const doubt = doubts.length > 0 ? ` [${doubts.join("; ")}]` : "";
  return [
    `${SIGNS[action]} ${action.padEnd(8)} ${fqn}  (${kind})  ${reason}${doubt}`,
    ...changeLines(action === "delete" ? [] : changes, ""),
    ...changeLines(drift, "really "),
  ];
}

function changeLines(changes: readonly PropertyChange[], prefix: string): string[] {
  const names = changes.map(({ path }) => `${prefix}${readable(path)}:`);
  const width = Math.max(0, ...names.map((name) => name.length));
  return changes.map((change, index) => `${INDENT}${(names[index] ?? "").padEnd(width)} ${difference(change)}`);
}

function difference(change: PropertyChange): string {
  const [old, now] = [valueText(change.old), valueText(change.new)];
  if (!("old" in change)) return now;
  if (!("new" in change)) return `${old} → (none)`;
  // A secret, or a value whose visible part is the same.
  return old === now ? `${now} (changed)` : `${old} → ${now}`;
}

function valueText(value: unknown): string {
  const isPlain = typeof value === "string" && /^(\(|Secret\()/.test(value);
  const text = isPlain ? String(value) : (JSON.stringify(value) ?? "(none)");
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}

function readable(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  return steps.length === 0 ? "all" : steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

function noteLine(sign: string, word: string, { fqn, kind, reason }: PlanNote): string {
  return `${sign} ${word.padEnd(8)} ${fqn}  (${kind})  ${reason}`;
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
  if (parts.length === 0) return isNothing ? "nothing to do" : "nothing so far";
  return isNothing ? `nothing to do, ${parts.join(", ")}` : parts.join(", ");
}
