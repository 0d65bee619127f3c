/** Kills a run, and its provider, before and after each question. */
import { rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { twoAtOnce } from "../../../faults/matrix.js";
import { sampled } from "../../../helpers/checks/sampling.js";
import { machineOfItsOwn } from "../../../helpers/processes/own-machine.js";
import { flawsOf, killsOf, prepared } from "../kills/killing.ts";
import { scenarios } from "../kills/programs.ts";

/** Kills of each scenario; with LONG all of them. */
const SAMPLE = 1;

machineOfItsOwn();

describe.each(scenarios)("killed in the midst of $title", (scenario) => {
  test("is made good by the next run, and the one after it has nothing to do", { timeout: 3_600_000 }, async ({
    task,
  }) => {
    const start = await prepared(scenario);
    const all = await killsOf(scenario, start);
    const kills = sampled(all, SAMPLE, scenario.title);
    const flaws: string[] = [];
    await twoAtOnce(kills, async (kill) => void flaws.push(...(await flawsOf(scenario, start, kill))));
    await rm(start, { recursive: true });
    task.meta.note = `${kills.length} of ${all.length} kills`;
    expect(flaws).toEqual([]);
  });
});
