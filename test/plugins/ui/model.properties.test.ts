import { describe, expect, test } from "vitest";
import {
  blockersOf,
  emptyView,
  endOfEvents,
  eventIn,
  extentOf,
  kept,
  type RunView,
  reduce,
  runRowOf,
  segmentsOf,
} from "../../../plugins/ui/model/index.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { orderly, stream } from "./streams.js";

/** Invariants of a view, after any events. */
function expectSound(view: RunView): void {
  const states = view.rows.map(({ state }) => state);
  for (const [state, count] of Object.entries(view.counts)) {
    expect(count).toBe(states.filter((one) => one === state).length);
    expect(view.roots.reduce((sum, root) => sum + root.counts[state as keyof typeof view.counts], 0)).toBe(count);
  }
  const isActive = (state: string): boolean => state === "running" || state === "retrying";
  expect([...view.active].map(({ index }) => index).sort()).toEqual(
    view.rows
      .filter(({ state }) => isActive(state))
      .map(({ index }) => index)
      .sort(),
  );
  expect([...view.scopes.values()].flatMap(({ rows }) => rows).sort()).toEqual(
    view.rows.map(({ index }) => index).sort(),
  );
  expect(view.rowsByKey.size).toBe(view.rows.length);
  expect(view.rows.every((row, index) => row.index === index)).toBe(true);
  for (const row of view.rows) {
    if (row.state === "failed") expect(row.failure).toBeDefined();
    if (row.state === "done") expect(row.result).toBeDefined();
  }
  const extent = extentOf(view, view.until ?? 0);
  for (const row of view.rows) {
    let at = extent.from;
    for (const { from, to } of segmentsOf(row, extent)) {
      expect(from).toBeGreaterThanOrEqual(at);
      expect(to).toBeGreaterThan(from);
      at = to;
    }
    expect(at).toBeLessThanOrEqual(extent.to);
  }
  expect(blockersOf(view, 5).length).toBe(Math.min(5, view.active.size));
  expect(kept(view.lines).every(({ row }) => row === undefined || row < view.rows.length)).toBe(true);
  const row = runRowOf(view);
  if (row) expect(new Date(row.since).toISOString()).toBe(row.since);
}

describe("the view of a run", () => {
  test("is sound after any part of any stream", () => {
    fc.assert(
      fc.property(stream, (events) => {
        const view = emptyView();
        for (const event of events) {
          reduce(view, event);
          expectSound(view);
        }
        expectSound(endOfEvents(view));
        expect(view.state).not.toBe("running");
      }),
      { numRuns: cases(100) },
    );
  });

  test("is the same by batches as by single events", () => {
    fc.assert(
      fc.property(orderly, fc.nat(80), (events, cut) => {
        const whole = events.reduce(reduce, emptyView());
        const half = events.slice(0, cut).reduce(reduce, emptyView());
        expect(events.slice(cut).reduce(reduce, half)).toEqual(whole);
      }),
      { numRuns: cases(200) },
    );
  });

  test("is the same after a file that was cut off, up to the cut", () => {
    fc.assert(
      fc.property(orderly, fc.nat(2_000), (events, cut) => {
        const text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
        const lines = text.slice(0, cut).split("\n");
        const view = lines.flatMap((line) => eventIn(line) ?? []).reduce(reduce, emptyView());
        const isWhole = lines.at(-1) !== "" && eventIn(lines.at(-1) ?? "") !== undefined;
        const count = lines.length - 1 + (isWhole ? 1 : 0);
        const told = events.slice(0, count).map((event) => JSON.parse(JSON.stringify(event)));
        expect(view).toEqual(told.reduce(reduce, emptyView()));
      }),
      { numRuns: cases(100) },
    );
  });

  test("has no more resources, and none in another state, where each of a run's events came twice", () => {
    fc.assert(
      fc.property(orderly, (events) => {
        const sole = events.filter(({ type }) => type.startsWith("resource:") && type !== "resource:log");
        const once = sole.reduce(reduce, emptyView());
        const twice = sole.flatMap((event) => [event, event]).reduce(reduce, emptyView());
        expect(twice.rows.map(({ fqn, state, result }) => ({ fqn, state, result }))).toEqual(
          once.rows.map(({ fqn, state, result }) => ({ fqn, state, result })),
        );
        expect(twice.failures).toEqual(once.failures);
      }),
      { numRuns: cases(200) },
    );
  });
});
