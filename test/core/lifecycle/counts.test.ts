import { describe, expect, test } from "vitest";
import { sleep } from "../../../core/base/index.js";
import { inSimulatedTime } from "../../helpers/time/in-simulated-time.js";
import { idsTo, setUp, stores, unchangedUps } from "./counts.js";

describe.each(stores)("on $store", ({ append }) => {
  unchangedUps([10, 1000], append);

  test("an unchanged up of a program in sequence, with children, scopes and references, writes nothing", async () => {
    const { world, requests, Thing, stage } = setUp({ append });
    const ids = idsTo(20);
    for (const id of ids) world.on(`create ${id}`, async () => void (await Promise.all([Thing("x"), Thing("y")])));
    const program = () =>
      stage.engine.run("s", async () => {
        let last: unknown;
        for (const id of ids) last = await Thing(id, { uses: last });
        await Promise.all(["p", "q"].map((id) => Thing(id, { uses: last })));
      });
    await stage.up(program);
    world.news();
    for (let run = 0; run < 20; run++) {
      requests.clear();
      await stage.up(program);
      expect([requests.writes, requests.besideTail <= 4, world.calls]).toEqual([0, true, []]);
    }
  });

  test("a run that changes nothing after one that failed half-way settles down", async () => {
    const { world, requests, Thing, stage } = setUp({ append });
    const program = (value: number) => async () => {
      for (const id of idsTo(10)) await Thing(id, { value });
    };
    await stage.up(program(1));
    world.fails("update r5");
    await stage.failures(program(2));
    world.calm();
    await stage.up(program(2));
    world.news();
    requests.clear();
    await stage.up(program(2));
    expect([requests.writes, world.calls]).toEqual([0, []]);
  });
});

describe.each(stores)("where an append takes 5 ms, on $store", ({ append }) => {
  const count = 100;
  const most = Math.ceil(count * 1.1);

  test.each<[string, () => Promise<unknown>]>([
    ["strictly in sequence", () => Promise.resolve()],
    ["in sequence that gives others their turn between two resources", () => sleep(0)],
    ["in sequence that waits a millisecond between two resources", () => sleep(1)],
  ])("a program %s needs 1.1 appends for each resource that it changes", async (_, between) => {
    const { requests, Thing, stage } = setUp({ append, latency: 5 });
    const program = (value: number) => async () => {
      for (const id of idsTo(count)) {
        await Thing(id, { value });
        await between();
      }
    };
    for (const up of [program(1), program(2), undefined]) {
      requests.clear();
      await inSimulatedTime(() => stage.up(up));
      expect(requests.appends).toBeLessThanOrEqual(most);
    }
  });

  test("a program that does all at once needs a few appends for all of it", async () => {
    const { requests, Thing, stage } = setUp({ append, latency: 5 });
    await inSimulatedTime(() => stage.up(() => Promise.all(idsTo(1000).map((id) => Thing(id)))));
    expect(requests.appends).toBeLessThanOrEqual(100);
  });
});
