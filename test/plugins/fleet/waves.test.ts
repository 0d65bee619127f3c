import { describe, expect, test } from "vitest";
import { amountOf, parseWaves, waveOf } from "../../../plugins/fleet/conductor/waves.js";
import { type FleetReport, fleet } from "../../../plugins/fleet/index.js";
import { gate } from "../../helpers/time/gate.js";
import { named, tenants } from "./tenants.js";

describe("the waves of a fleet", () => {
  test("get about the shares that they name, and the same stages in every run", () => {
    const waves = parseWaves(["5%", "25%", "100%"]);
    const counts = [0, 0, 0];
    const names = named(10_000);
    const places = names.map((name) => waveOf("tenants", name, waves));
    for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
    expect(names.map((name) => waveOf("tenants", name, waves))).toEqual(places);
    // Four standard deviations of 10,000 throws.
    expect(Math.abs((counts[0] ?? 0) - 500)).toBeLessThan(88);
    expect(Math.abs((counts[1] ?? 0) - 2_000)).toBeLessThan(160);
    expect(places.slice(0, 12)).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
  });

  test("a stage stays in the first wave if a wave is added behind it", () => {
    const [two, three] = [parseWaves(["10%", "100%"]), parseWaves(["10%", "50%", "100%"])];
    for (const name of named(1_000)) expect(waveOf("f", name, two) === 0).toBe(waveOf("f", name, three) === 0);
  });

  test.each<readonly [waves: unknown, message: string]>([
    [[], 'The option "waves" of fleet() must be a list such as ["5%", "100%"].'],
    [["50%"], 'must end with "100%"'],
    [["0%", "100%"], "must have growing percentages"],
    [["50%", "50%", "100%"], "must have growing percentages"],
    [["100%", "50%"], "must have growing percentages"],
    [["101%"], "has an invalid wave at index 0"],
    [["5", "100%"], "has an invalid wave at index 0"],
    [["-5%", "100%"], "has an invalid wave at index 0"],
    [[null, "100%"], "has an invalid wave at index 0"],
    [
      [{ to: "5%", start: "later" }, "100%"],
      'has an invalid start at index 0. It must be "auto", "manual" or a function',
    ],
    ["100%", "waves"],
  ])("%j are refused", (waves, message) => {
    expect(() => fleet("f", { stages: [], program: () => {}, waves: waves as [] })).toThrow(message);
  });

  test("percentages of numbers are exact", () => {
    for (let percent = 1; percent <= 100; percent++) expect(amountOf(`${percent}%`, 100)).toBe(percent);
    expect(amountOf("0.1%", 3_000)).toBe(3);
    expect(amountOf("1%", 150)).toBe(1.5);
    expect(amountOf(7, 100)).toBe(7);
  });
});

describe("a wave begins", () => {
  const waves = (start: "manual" | ((report: FleetReport) => boolean | Promise<boolean>)) =>
    ["30%", { to: "100%", start }] as const;

  test("by itself, if no stage is in the wave before it", async () => {
    const made = tenants(["a", "b"]);
    const report = await made.fleet({ waves: ["0.1%", "0.2%", "100%"] }).up();
    expect(report).toMatchObject({ state: "done", stages: { changed: 2 }, waves: [{ total: 0 }, { total: 0 }, {}] });
  });

  test("after a check that returned true, which gets the report so far", async () => {
    const seen: FleetReport[] = [];
    const made = tenants(named(10));
    const check = async (report: FleetReport) => seen.push(report) > 0;
    expect(await made.fleet({ waves: waves(check) }).up()).toMatchObject({ state: "done" });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.waves[0]).toMatchObject({ to: "30%", finished: seen[0]?.waves[0]?.total });
    expect(seen[0]?.stages.running).toBe(0);
  });

  test.each([
    ["false", () => false, "the check before wave 2 of 2 did not return true"],
    [
      "an error",
      () => {
        throw new Error("The pager is silent.");
      },
      "the check before wave 2 of 2 failed: The pager is silent.",
    ],
    [
      "a promise of something else",
      async () => "yes" as unknown as boolean,
      "the check before wave 2 of 2 did not return true",
    ],
    ["nothing, as it waits for you", "manual" as const, "wave 2 of 2 begins by hand"],
  ])("not after %s, and then in another process by resume", async (_, start, reason) => {
    const made = tenants(named(10));
    const first = await made.fleet({ waves: waves(start) }).up({ wait: false });
    expect(first).toMatchObject({ state: "waiting", reason });
    expect(made.log).toHaveLength(first.waves[0]?.total ?? 0);
    expect(await made.fleet().status()).toMatchObject({ state: "waiting", reason });
    // Another `up` of the same version waits again.
    expect(await made.fleet({ waves: waves(start) }).up({ wait: false })).toMatchObject({
      state: "waiting",
      run: first.run,
    });
    const second = await made.fleet({ waves: waves(start) }).resume();
    expect(second).toMatchObject({ state: "done", run: first.run, stages: { changed: 10 } });
    expect(new Set(made.log).size).toBe(10);
    expect(made.log).toHaveLength(10);
  });

  test("by resume from another process, while its conductor waits", async () => {
    const made = tenants(named(10));
    const waiting = gate();
    const conductor = made.fleet({ waves: waves("manual") }).up({
      onProgress: ({ state }) => state === "waiting" && waiting.open(),
    });
    await waiting.opened;
    expect(await made.fleet().resume()).toMatchObject({ state: "waiting" });
    expect(await conductor).toMatchObject({ state: "done", stages: { changed: 10 } });
  });

  test.each(["cancel", "signal"])("never, if a %s arrives while its check does not end", async (way) => {
    const made = tenants(named(10));
    const controller = new AbortController();
    const checking = gate();
    const start = (): Promise<boolean> => {
      checking.open();
      return new Promise(() => {});
    };
    const conductor = made.fleet({ waves: waves(start) }).up({ signal: controller.signal });
    await checking.opened;
    if (way === "cancel") await made.fleet().cancel();
    else controller.abort();
    const report = await conductor;
    expect(report.state).toBe(way === "cancel" ? "cancelled" : "interrupted");
    expect(made.log).toHaveLength(report.waves[0]?.total ?? 0);
  });
});
