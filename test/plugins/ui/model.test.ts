import { describe, expect, test } from "vitest";
import type { UiEvent } from "../../../plugins/ui/api/index.js";
import {
  blockersOf,
  emptyView,
  endOfEvents,
  extentOf,
  kept,
  reduce,
  runRowOf,
  segmentsOf,
} from "../../../plugins/ui/model/index.js";
import { costRatio } from "../../helpers/checks/cost.js";

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const event = (ms: number, type: string, members: object = {}): UiEvent => ({
  type,
  time: new Date(START + ms).toISOString(),
  ...members,
});
const by = { user: "ada", host: "laptop", pid: 7 };
const head = { run: "r1", app: "shop", stage: "dev", phase: "up", planned: false, by };
const web = { kind: "fs:File", id: "web", fqn: "shop/dev/web" };
const failure = { code: "HANDLER_FAILED", message: "no", causes: ["Error: 429"], frames: ["at a.ts:1:2"] };

const told = [
  event(0, "run:started", head),
  event(10, "resource:queued", { ...web, action: "create" }),
  event(30, "resource:started", { ...web, action: "create", waited: 20 }),
  event(50, "resource:log", { ...web, message: "hello" }),
  event(60, "resource:retrying", { ...web, action: "create", attempt: 2, attempts: 3, delay: 15, message: "busy" }),
  event(100, "resource:created", { ...web, duration: 70, waited: 20 }),
  event(104, "state:committed", { seq: 4, changes: 1 }),
];

describe("a run as its events tell it", () => {
  test("has for each resource what it did when", () => {
    const view = told.reduce(reduce, emptyView());
    const [row] = view.rows;
    expect(row).toMatchObject({ fqn: "shop/dev/web", state: "done", result: "created", retried: 1, logged: 1 });
    const segments = row ? segmentsOf(row, extentOf(view, START + 104)) : [];
    expect(segments.map(({ kind, from, to }) => [kind, from - START, to - START])).toEqual([
      ["waiting", 0, 10],
      ["queued", 10, 30],
      ["handler", 30, 60],
      ["retry", 60, 75],
      ["handler", 75, 100],
      ["record", 100, 104],
    ]);
    expect(kept(view.lines).map(({ text }) => text)).toEqual(["hello"]);
  });

  test("is a row of a list: under way, ended, and cut off", () => {
    const view = told.reduce(reduce, emptyView());
    const row = { ...head, since: "2026-01-02T03:04:05.000Z" };
    expect(runRowOf(view)).toEqual({ ...row, state: "running" });
    expect(runRowOf(endOfEvents(view))).toEqual({ ...row, state: "cut off", duration: 104 });
    reduce(view, event(110, "run:finished", { ...head, ok: true, interrupted: false, duration: 110, errors: [] }));
    expect(runRowOf(view)).toEqual({ ...row, state: "done", duration: 110 });
  });

  test("says that another takes its place where it is run again", () => {
    const view = reduce(told.reduce(reduce, emptyView()), event(120, "run:repeated", head));
    expect(view).toMatchObject({ state: "interrupted", isToRepeat: true });
    expect(reduce(view, event(130, "run:started", { ...head, run: "r2" }))).toMatchObject({
      isToRepeat: false,
      repeated: 1,
    });
  });

  test("tells each failure once, though the end of the run tells it again", () => {
    const failed = event(20, "resource:failed", { ...web, action: "create", ...failure });
    const own = { code: "TARGET_UNMATCHED", message: "none", causes: [], frames: [] };
    const errors = [{ fqn: web.fqn, ...failure }, own];
    const end = event(30, "run:finished", { ...head, ok: false, interrupted: false, duration: 30, errors });
    const view = [failed, end].reduce(reduce, emptyView());
    expect(view.failures.map(({ code }) => code)).toEqual(["HANDLER_FAILED", "TARGET_UNMATCHED"]);
    expect(view.state).toBe("failed");
  });

  test("tells a cause that the message ends with once", () => {
    const message = 'create of "shop/dev/web" failed: no';
    const failed = { ...web, action: "create", ...failure, message, causes: ["Error: no", "Error: 429"] };
    const view = reduce(emptyView(), event(20, "resource:failed", failed));
    expect(view.failures[0]?.causes).toEqual(["Error: 429"]);
  });

  test("has the last lines of each process, and all lines in the log", () => {
    const server = { id: "web", fqn: "shop/dev/web", pid: 7 };
    const lines = Array.from({ length: 8 }, (_, index) =>
      event(index, "process:log", { ...server, message: `${index}` }),
    );
    const view = [event(0, "process:started", server), ...lines].reduce(reduce, emptyView());
    expect(view.processes.get(7)?.said).toEqual(["3", "4", "5", "6", "7"]);
    expect(kept(view.lines)).toHaveLength(8);
    expect(kept(view.lines)[0]).toEqual({ at: START, fqn: "shop/dev/web", row: undefined, text: "0" });
  });

  test("says what holds up what", () => {
    const part = { kind: "fs:File", id: "part", fqn: "shop/dev/web/part" };
    const view = [...told.slice(0, 3), event(40, "resource:started", { ...part, action: "create", waited: 0 })].reduce(
      reduce,
      emptyView(),
    );
    const found = blockersOf(view, 10).map(({ row, holdsUp }) => [row.fqn, holdsUp.map(({ fqn }) => fqn)]);
    expect(found).toEqual([
      ["shop/dev/web", []],
      ["shop/dev/web/part", ["shop/dev/web"]],
    ]);
  });

  test("begins again if the program runs again", () => {
    const again = [event(120, "run:repeated", head), event(130, "run:started", { ...head, run: "r2" })];
    const view = [...told, ...again].reduce(reduce, emptyView());
    expect(view).toMatchObject({ state: "running", repeated: 1, rows: [], head: { run: "r2" } });
  });

  test("asks until it is answered, here or elsewhere", () => {
    const view = reduce(emptyView(), event(0, "ui:asked", { question: "q", text: "Delete 3?" }));
    expect(view.question).toMatchObject({ question: "q", text: "Delete 3?" });
    reduce(view, event(1, "ui:answered", { question: "q" }));
    expect(view.question).toBeUndefined();
  });

  test("keeps the newest lines, and counts the others", () => {
    const view = emptyView();
    for (let count = 0; count < 25_000; count++)
      reduce(view, event(count, "resource:log", { ...web, message: `${count}` }));
    expect(kept(view.lines).length).toBe(20_000);
    expect(kept(view.lines).at(0)?.text).toBe("5000");
    expect(view.lines.dropped).toBe(5_000);
    const long = "x".repeat(10_000_000);
    reduce(view, event(0, "resource:log", { ...web, message: long }));
    expect(kept(view.lines).at(-1)?.text.length).toBeLessThan(17_000);
  });

  test("takes an event in a time that does not grow with the run", async () => {
    let count = 0;
    const take = (view: ReturnType<typeof emptyView>): void => {
      for (const end = count + 200; count < end; count++) {
        const one = { kind: "fs:File", id: "x", fqn: `shop/dev/scope${count % 100}/item${count}` };
        reduce(view, event(count, "resource:queued", { ...one, action: "create" }));
        reduce(view, event(count, "resource:started", { ...one, action: "create", waited: 0 }));
        reduce(view, event(count, "resource:created", { ...one, duration: 1, waited: 0 }));
        reduce(view, event(count, "state:committed", { seq: count, changes: 1 }));
      }
    };
    const large = emptyView();
    while (large.counts.done < 40_000) take(large);
    // The other view stays small, however often it is measured: checking each row for each event would show.
    expect(
      await costRatio(
        () => take(large),
        () => take(emptyView()),
      ),
    ).toBeLessThan(8);
  });
});
