/** Run time and waiting time of handlers, on a clock that the test controls. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

/** Duration of each handler call, in milliseconds. */
const TAKES = 4_000;

let now = 0;

beforeEach(() => {
  now = 0;
  vi.spyOn(process, "hrtime").mockImplementation(
    Object.assign(() => [Math.floor(now / 1_000), (now % 1_000) * 1_000_000] as [number, number], {
      bigint: () => BigInt(now) * 1_000_000n,
    }),
  );
});
afterEach(() => vi.restoreAllMocks());

/** Time passes only in handlers, which run one after the other. */
function works(): object {
  now += TAKES;
  return {};
}

const Work = Resource<object, { value?: number }>(newKind(), {
  create: works,
  update: works,
  delete: () => void works(),
});

const ids = ["a", "b", "c"];
const all = (value: number) => () => Promise.all(ids.map((id) => Work(id, { value })));

describe("the duration of a resource", () => {
  test("is that of its handler, and its wait for a place a value of its own", async () => {
    const stage = new Stage({ concurrency: 1 });
    for (const [value, name] of [
      [1, "resource:created"],
      [2, "resource:updated"],
    ] as const) {
      await stage.up(all(value));
      expect(stage.heard(name).map(({ id, duration, waited }) => [id, duration, waited])).toEqual([
        ["a", TAKES, 0],
        ["b", TAKES, TAKES],
        ["c", TAKES, 2 * TAKES],
      ]);
      expect(stage.heard("resource:started").map(({ waited }) => waited)).toEqual([0, TAKES, 2 * TAKES]);
    }
  });

  test("of a delete is that of its handler, and it has waited for those before it", async () => {
    const stage = new Stage();
    await stage.up(all(1));
    await stage.up();
    const deleted = stage.heard("resource:deleted").map(({ duration, waited }) => [duration, waited]);
    expect(deleted).toEqual([0, 1, 2].map((before) => [TAKES, before * TAKES]));
  });

  test("of a handler that is called again is that of all calls, without what lies between them", async () => {
    let calls = 0;
    const Flaky = Resource<object, object>(newKind(), {
      create() {
        works();
        calls++;
        if (calls < 3) throw new Error("Not yet.");
        return {};
      },
      delete: () => {},
    });
    const stage = new Stage();
    const when = () => {
      now += 60_000;
      return true;
    };
    await stage.up(() => Flaky("a", {}, { retry: { attempts: 3, delay: 1, when } }));
    expect(stage.heard("resource:created")).toMatchObject([{ duration: 3 * TAKES, waited: 0 }]);
  });
});

describe("what waits", () => {
  test("is reported as queued, once and before anything of it has begun", async () => {
    const stage = new Stage({ concurrency: 1 });
    const told = () =>
      stage.events.flatMap((event) =>
        event.type === "resource:queued" || event.type === "resource:started"
          ? `${event.type.slice(9)} ${event.action} ${event.id}`
          : [],
      );
    await stage.up(all(1));
    const started = (action: string) => ids.map((id) => `started ${action} ${id}`);
    const queued = (action: string) => ids.map((id) => `queued ${action} ${id}`);
    expect(told()).toEqual([...queued("create"), ...started("create")]);
    await stage.up(all(2));
    expect(told()).toEqual([...queued("update"), ...started("update")]);
    await stage.up(all(2));
    expect(told()).toEqual([]);
    await stage.up(all(3), { plan: true });
    expect(told()).toEqual([]);
    await stage.up();
    expect(told().slice(0, 3).sort()).toEqual(queued("delete"));
    expect(told().slice(3).sort()).toEqual(started("delete"));
  });
});
