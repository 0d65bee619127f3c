/**
 * Shows the present counts of the package beside the budget for speed, and renews rows of it.
 *
 *   npm run bench:budget
 *   npm run bench:budget -- --renew "create 1,000" --renew "update 1,000" --reason "the state is checked twice"
 *   npm run bench:budget -- --renew all --reason "another major of Node"
 */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { incomparable, judge, readBudget, renewed, writeBudget } from "./budget.js";
import { BUDGET_ROWS, type Counted, type Counts, countRows } from "./budget-counts.js";
import { BadOption, refusing } from "./options.js";

/** Sources of the package. */
const OWN = /^(core|plugins|adapters)\//;

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

interface Wish {
  readonly rows: readonly string[];
  readonly reason: string;
}

/** Undefined if the counts are only to be shown. @throws BadOption */
function wishOf(args: string[]): Wish | undefined {
  const text = { type: "string" } as const;
  const { renew, reason = "" } = refusing(
    () => parseArgs({ args, options: { renew: { ...text, multiple: true }, reason: text } }).values,
  );
  if (renew === undefined) return undefined;
  const rows = renew.includes("all") ? BUDGET_ROWS : renew;
  const unknown = rows.find((row) => !BUDGET_ROWS.includes(row));
  if (unknown !== undefined) {
    throw new BadOption(`--renew: there is no row "${unknown}". Name one of ${BUDGET_ROWS.join("; ")}, or all.`);
  }
  if (reason.trim() === "") throw new BadOption("--renew needs --reason TEXT, which is kept beside the counts.");
  return { rows, reason: reason.trim() };
}

/** The commit that the sources of the package are at. */
function commitOfSources(): string {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "core", "plugins", "adapters", "package-lock.json") !== "";
  return `${git("rev-parse", "HEAD")}${isChanged ? ", with changes" : ""}`;
}

function show(counted: ReadonlyMap<string, Counted>): void {
  const tables = [...counted].map(([row, { counts }]): [string, Counts] => [row, counts]);
  console.table(Object.fromEntries(tables));
  const create = counted.get("create 1,000 quietly");
  // Functions called once per resource; the rest is called once, or for several.
  const path = create?.functions.filter(({ file, calls }) => OWN.test(file) && calls >= 1_000) ?? [];
  console.log(
    `A create runs through ${new Set(path.map(({ file }) => file)).size} files and ${path.length} functions.`,
  );
}

async function main(args: string[]): Promise<void> {
  const wish = wishOf(args);
  const budget = readBudget();
  const reason = incomparable(budget);
  if (reason !== undefined && wish !== undefined && wish.rows.length < BUDGET_ROWS.length) {
    throw new BadOption(`Only --renew all is possible: ${reason}.`);
  }
  const counted = await countRows();
  show(counted);
  if (wish !== undefined) {
    const chosen = new Map([...counted].filter(([row]) => wish.rows.includes(row)));
    writeBudget(renewed(budget, chosen, { commit: commitOfSources(), reason: wish.reason }));
  } else if (reason !== undefined) console.log(`Not compared: ${reason}.`);
  else {
    for (const [row, one] of counted) {
      const { failure, note } = judge(budget, row, one);
      for (const text of [failure, note]) if (text !== undefined) console.log(text);
      if (failure !== undefined) process.exitCode = 1;
    }
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
