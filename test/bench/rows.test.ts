import { expect, it } from "vitest";
import { ALL_ROWS, FIGURE_ROWS, QUICK_ROWS, TARGET_ROWS } from "./rows.js";

const names = ALL_ROWS.map(({ name }) => name);

it("no two rows have one name", () => {
  expect(new Set(names).size).toBe(names.length);
});

it("every row of a smaller choice is one of the matrix", () => {
  const chosen = [...QUICK_ROWS, ...FIGURE_ROWS, ...TARGET_ROWS].map(({ name }) => name);
  expect(chosen.filter((name) => !names.includes(name))).toEqual([]);
});

it("each target stands at the row that it is for", () => {
  const told = TARGET_ROWS.map(({ name, targets }) => `${name}: ${targets.length}`);
  expect(told).toEqual([
    "import and engine() on an empty stage, over bare node: 1",
    "create 1,000 one after the other: 1",
    "create 1,000 all at once: 1",
    "update 1,000 one after the other: 1",
    "update 1,000 all at once: 1",
    "destroy 1,000 one after the other: 1",
    "destroy 1,000 all at once: 1",
    "unchanged 5,000 one after the other: 1",
    "unchanged 5,000 all at once: 1",
    "create 100 one after the other with a secret each under a key: 1",
    "unchanged 100 one after the other with a secret each under a key: 1",
    "create 100,000 one after the other: 2",
    "destroy 100,000 one after the other: 2",
    "unchanged 100,000 one after the other: 2",
    "create 1,000 all at once on S3 at 50 ms: 1",
  ]);
});

it("a peer that would take too long is told of", () => {
  const peers = (name: string) => ALL_ROWS.find((row) => row.name === name)?.peers;
  expect(peers("create 100,000 one after the other")).toEqual([{ name: "alchemy", notRun: "over 120 s" }]);
  expect(peers("create 10,000 all at once")).toEqual([{ name: "alchemy" }, { name: "opentofu", notRun: "over 120 s" }]);
  expect(peers("create 1,000 all at once on S3 at 50 ms")).toEqual([]);
});
