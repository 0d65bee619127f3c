import { beforeAll, describe, it } from "vitest";
import { incomparable, judge, readBudget } from "./budget.js";
import { BUDGET_ROWS, type Counted, countRows } from "./budget-counts.js";

const budget = readBudget();
const reason = incomparable(budget);

describe.skipIf(reason !== undefined)(`the budget for speed${reason === undefined ? "" : `: ${reason}`}`, () => {
  let counted: ReadonlyMap<string, Counted>;
  beforeAll(async () => {
    counted = await countRows();
  }, 600_000);

  it.for(BUDGET_ROWS)("is kept by %s", (row, { task }) => {
    const now = counted.get(row);
    if (now === undefined) throw new Error(`"${row}" was not counted.`);
    const { failure, note } = judge(budget, row, now);
    if (note !== undefined) task.meta.note = note;
    if (failure !== undefined) throw new Error(failure);
  });
});
