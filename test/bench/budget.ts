/** The budget for speed: for each row, the counts that the package may reach, and why. */
import { readFileSync, writeFileSync } from "node:fs";
import { BUDGET_ROWS, type Counted, type Counts } from "./budget-counts.js";
import type { NamedFunction } from "./named-functions.js";

const FILE = new URL("budget.json", import.meta.url);
/** How much a count may grow, and shrink without a note. Counts are exact, so this bounds the sum of all changes. */
const TOLERANCE = 0.02;
/** Number of functions that are named for a row. */
const MOST_NAMED = 12;

export interface BudgetRow {
  /** The commit that was counted. */
  readonly commit: string;
  readonly reason: string;
  readonly counts: Counts;
}

export interface Budget {
  /** Version of Node that counted: another major has other internal functions around ours. */
  readonly node: string;
  readonly platform: string;
  readonly rows: Readonly<Record<string, BudgetRow>>;
  /** Calls by file and function, one number for each of {@link BUDGET_ROWS}. */
  readonly functions: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

export function readBudget(): Budget {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** One line for each file with functions, so that a renewal changes few lines. */
export function writeBudget({ functions, ...head }: Budget): void {
  const lines = Object.keys(functions)
    .sort()
    .map((file) => `    ${JSON.stringify(file)}: ${JSON.stringify(functions[file])}`);
  const text = JSON.stringify(head, null, 2).replace(/\n\}$/, "");
  writeFileSync(FILE, `${text},\n  "functions": {\n${lines.join(",\n")}\n  }\n}\n`);
}

/** Why this process cannot be compared with the budget; undefined if it can. */
export function incomparable({ node, platform }: Pick<Budget, "node" | "platform">): string | undefined {
  const major = (version: string): string | undefined => version.split(".")[0];
  if (major(node) === major(process.version) && platform === process.platform) return undefined;
  return `the budget was counted with Node ${node} on ${platform}, this is ${process.version} on ${process.platform}`;
}

/** The budget with new counts for some rows. */
export function renewed(budget: Budget, counted: ReadonlyMap<string, Counted>, why: Omit<BudgetRow, "counts">): Budget {
  const rows = BUDGET_ROWS.map((row): [string, BudgetRow | undefined] => {
    const counts = counted.get(row)?.counts;
    return [row, counts ? { ...why, counts } : budget.rows[row]];
  });
  const byRow = BUDGET_ROWS.map((row) => counted.get(row)?.functions ?? functionsOf(budget, row));
  const functions: Record<string, Record<string, number[]>> = {};
  for (const [at, all] of byRow.entries()) {
    for (const { file, name, calls } of all) {
      functions[file] ??= {};
      const numbers = functions[file][name] ?? BUDGET_ROWS.map(() => 0);
      functions[file][name] = numbers;
      numbers[at] = calls;
    }
  }
  const known = rows.filter((row): row is [string, BudgetRow] => row[1] !== undefined);
  const { version: node, platform } = process;
  return { node, platform, rows: Object.fromEntries(known), functions };
}

function functionsOf({ functions }: Budget, row: string): NamedFunction[] {
  const at = BUDGET_ROWS.indexOf(row);
  return Object.entries(functions).flatMap(([file, named]) =>
    Object.entries(named)
      .map(([name, numbers]) => ({ file, name, calls: numbers[at] ?? 0 }))
      .filter(({ calls }) => calls > 0),
  );
}

export interface Verdict {
  /** The counts that grew by too much, with the functions that grew; undefined if none did. */
  readonly failure: string | undefined;
  /** The counts that shrank; undefined if none did. */
  readonly note: string | undefined;
}

export function judge(budget: Budget, row: string, { counts, functions }: Counted): Verdict {
  const allowed = budget.rows[row]?.counts;
  const renewal = `npm run bench:budget -- --renew "${row}" --reason "…"`;
  if (allowed === undefined) {
    return { failure: `"${row}" has no counts in the budget. Add them: ${renewal}`, note: undefined };
  }
  const names = Object.keys(allowed) as (keyof Counts)[];
  const grown = names.filter((name) => counts[name] > allowed[name] * (1 + TOLERANCE));
  const shrunk = names.filter((name) => counts[name] < allowed[name] * (1 - TOLERANCE));
  const tell = (name: keyof Counts): string => `${name} ${change(allowed[name], counts[name])}`;
  const failure = [
    `"${row}" costs more: ${grown.map(tell).join(", ")}.`,
    "Functions that are called more often:",
    ...grownFunctions(functionsOf(budget, row), functions),
    `If it is worth its cost, renew the row: ${renewal}`,
  ].join("\n");
  const note = `"${row}" costs less: ${shrunk.map(tell).join(", ")}; to keep that, ${renewal}`;
  return { failure: grown.length > 0 ? failure : undefined, note: shrunk.length > 0 ? note : undefined };
}

function grownFunctions(before: readonly NamedFunction[], now: readonly NamedFunction[]): readonly string[] {
  const key = ({ file, name }: NamedFunction): string => `${file} ${name}`;
  const calls = new Map(before.map((one) => [key(one), one.calls]));
  const grown = now
    .map((one) => ({ key: key(one), from: calls.get(key(one)) ?? 0, to: one.calls }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const named = grown.slice(0, MOST_NAMED).map((one) => `  ${one.key}: ${change(one.from, one.to)}`);
  return grown.length > MOST_NAMED ? [...named, `  and ${grown.length - MOST_NAMED} others`] : named;
}

function change(from: number, to: number): string {
  const [before, after] = [from, to].map((number) => number.toLocaleString("en"));
  const share = from > 0 ? ` (${to > from ? "+" : "-"}${((Math.abs(to - from) / from) * 100).toFixed(1)} %)` : "";
  return `${before} → ${after}${share}`;
}
